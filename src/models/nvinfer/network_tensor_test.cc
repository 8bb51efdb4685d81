#include "src/models/nvinfer/test_support.h"

namespace windrow::nvinfer1 {
namespace {

TEST_F(NetworkTest, DimensionsOfLayersAreInferred) {
  ITensor& x = input("x", DataType::kFLOAT, Dims4{2, 3, 4, 5});
  ITensor& i = input("i", DataType::kINT32, Dims3{2, 7, 1});
  IGatherLayer* const gather = network->addGather(x, i, 2);
  EXPECT_EQ(extents(gather->getOutput(0)->getDimensions()), (Extents{2, 3, 2, 7, 1, 5}));
  gather->setNbElementWiseDims(1);
  EXPECT_EQ(extents(gather->getOutput(0)->getDimensions()), (Extents{2, 3, 7, 1, 5}));
  gather->setMode(GatherMode::kND);
  EXPECT_EQ(extents(gather->getOutput(0)->getDimensions()), (Extents{2, 7, 4, 5}));
  x.setDimensions(Dims4{2, 3, -1, 5});
  EXPECT_EQ(extents(gather->getOutput(0)->getDimensions()), (Extents{2, 7, -1, 5}));
}

TEST_F(NetworkTest, TupleLengthsThatAreNotKnownLeaveTheRankOpen) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{2, 3});
  ITensor& i = input("i", DataType::kINT32, Dims2{2, -1});
  const Dims dims = network->addGatherV2(x, i, GatherMode::kND)->getOutput(0)->getDimensions();
  EXPECT_EQ(dims.nbDims, -1);
  EXPECT_EQ(dims.d[0], -1);
}

TEST_F(NetworkTest, BrokenRulesShowInDimensionsAndInTheLog) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{2, 3});
  ITensor& i = input("i", DataType::kINT32, Dims{1, {4}});
  IGatherLayer* const gather = network->addGather(x, i, 2);
  gather->setName("rows");
  ITensor* const last = network->addCast(*gather->getOutput(0), DataType::kHALF)->getOutput(0);
  last->setName("y");
  const Dims dims = last->getDimensions();
  EXPECT_EQ(dims.nbDims, -1);
  EXPECT_EQ(dims.d[0], 0);
  EXPECT_EQ(
      logger.take(),
      "ITensor::getDimensions: 'y': node 'rows': tensorrt.Gather-11 [TENSORRT-Gather-A1]: axis "
      "is 2, must be in [0, 1] for data of rank 2");
  gather->setGatherAxis(1);
  EXPECT_EQ(extents(last->getDimensions()), (Extents{2, 4}));
}

TEST_F(NetworkTest, MoreDimensionsThanDimsCanHold) {
  ITensor& x = input("x", DataType::kFLOAT, Dims{8, {1, 1, 1, 1, 1, 1, 1, 1}});
  ITensor& i = input("i", DataType::kINT32, Dims2{1, 1});
  ITensor* const y = network->addGather(x, i, 0)->getOutput(0);
  EXPECT_EQ(y->getDimensions().nbDims, -1);
  EXPECT_EQ(
      logger.take(),
      "ITensor::getDimensions: '(Unnamed Layer* 0) [Gather]_output': it has rank 9, more than "
      "Dims can hold");
}

TEST_F(NetworkTest, DimensionsOfOutputsCannotBeSet) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{2, 3});
  ITensor* const y = network->addCast(x, DataType::kHALF)->getOutput(0);
  y->setDimensions(Dims2{1, 1});
  EXPECT_EQ(
      logger.take(),
      "ITensor::setDimensions: '(Unnamed Layer* 0) [Cast]_output' is not a network input: its "
      "dimensions follow from its layer");
  x.setDimensions(Dims{9, {}});
  EXPECT_EQ(logger.take(), "ITensor::setDimensions: 'x': there are 9 dimensions, must be 0 to 8");
  EXPECT_EQ(extents(y->getDimensions()), (Extents{2, 3}));
}

TEST_F(NetworkTest, NamedDimensionsAreEqual) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{-1, 3});
  ITensor& i = input("i", DataType::kINT32, Dims2{-1, 3});
  EXPECT_EQ(x.getDimensionName(0), nullptr);
  x.setDimensionName(0, "batch");
  i.setDimensionName(0, "batch");
  EXPECT_STREQ(x.getDimensionName(0), "batch");
  network->markOutput(*network->addGatherV2(x, i, GatherMode::kELEMENT)->getOutput(0));
  const Tensor data = Tensor::zeros(windrow::DType::kFloat32, {2, 3}).value();
  const Tensor indices = Tensor::zeros(windrow::DType::kInt32, {1, 3}).value();
  EXPECT_NE(run(*network, {{"x", data}, {"i", indices}}).error().message().find("batch is 2"),
            std::string::npos);
  x.setDimensionName(0, nullptr);
  EXPECT_EQ(x.getDimensionName(0), nullptr);
  EXPECT_TRUE(run(*network, {{"x", data}, {"i", indices}}).ok());
}

TEST_F(NetworkTest, OnlyDimensionsOfInputsHaveNames) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{-1, 3});
  x.setDimensionName(2, "n");
  x.setDimensionName(-1, "n");
  EXPECT_EQ(x.getDimensionName(2), nullptr);
  EXPECT_EQ(logger.take(),
            "ITensor::setDimensionName: 'x' is not a network input with a dimension 2\n"
            "ITensor::setDimensionName: 'x' is not a network input with a dimension -1");
}

}  // namespace
}  // namespace windrow::nvinfer1
