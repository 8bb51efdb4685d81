#include "src/models/nvinfer/test_support.h"

namespace windrow::nvinfer1 {
namespace {

using Floats = std::vector<float>;

TEST_F(NetworkTest, RunsGathersOfEveryMode) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{2, 3});
  ITensor& i = input("i", DataType::kINT32, Dims2{2, 1});
  IGatherLayer* const gather = network->addGather(x, i, 0);
  network->markOutput(*gather->getOutput(0));
  const Tensor data = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor indices = Tensor::of<std::int32_t>({2, 1}, {1, -2});
  const NamedViews inputs = {{"x", data}, {"i", indices}};
  EXPECT_EQ(run_values<float>(inputs), (Floats{4, 5, 6, 1, 2, 3}));
  gather->setGatherAxis(1);
  gather->setNbElementWiseDims(1);
  EXPECT_EQ(run_values<float>(inputs), (Floats{2, 5}));
  gather->setMode(GatherMode::kND);
  EXPECT_EQ(run_values<float>(inputs), (Floats{2, 5}));
  gather->setMode(GatherMode::kELEMENT);
  gather->setNbElementWiseDims(0);
  EXPECT_EQ(run_values<float>(inputs), (Floats{2, 5}));
}

TEST_F(NetworkTest, OutOfRangeIsZeroUnlessTheCallSaysOtherwise) {
  ITensor& x = input("x", DataType::kFLOAT, Dims{1, {2}});
  ITensor& i = input("i", DataType::kINT64, Dims{1, {-1}});
  ITensor& y = *network->addGather(x, i, 0)->getOutput(0);
  y.setName("y");
  network->markOutput(y);
  const Tensor data = Tensor::of<float>({2}, {7, 8});
  const Tensor indices = Tensor::of<std::int64_t>({3}, {1, 2, -3});
  const NamedTensors got = run(*network, {{"x", data}, {"i", indices}}).value();
  EXPECT_EQ(got[0].first, "y");
  EXPECT_EQ(got[0].second.values<float>()[0], 8);
  EXPECT_EQ(got[0].second.values<float>()[1], 0);
  ModelRunOptions options;
  options.call.out_of_range = OutOfRange::kError;
  EXPECT_EQ(run(*network, {{"x", data}, {"i", indices}}, options).error().code(),
            ErrorCode::kIndexOutOfRange);
}

TEST_F(NetworkTest, RunsScatters) {
  ITensor& x = input("x", DataType::kFLOAT, Dims{1, {4}});
  ITensor& i = constant<std::int32_t>(Dims2{2, 1}, DataType::kINT32, {3, 0});
  ITensor& u = constant<float>(Dims{1, {2}}, DataType::kFLOAT, {30, 10});
  network->markOutput(*network->addScatter(x, i, u, ScatterMode::kND)->getOutput(0));
  const Tensor data = Tensor::of<float>({4}, {1, 2, 3, 4});
  EXPECT_EQ(run_values<float>({{"x", data}}), (Floats{10, 2, 3, 30}));
}

TEST_F(NetworkTest, RunsOneHots) {
  ITensor& i = input("i", DataType::kINT32, Dims{1, {-1}});
  ITensor& values = constant<float>(Dims{1, {2}}, DataType::kFLOAT, {5, 6});
  ITensor& depth = constant<std::int32_t>(Dims{0, {}}, DataType::kINT32, {3});
  IOneHotLayer* const layer = network->addOneHot(i, values, depth, 0);
  EXPECT_EQ(extents(layer->getOutput(0)->getDimensions()), (Extents{3, -1}));
  network->markOutput(*layer->getOutput(0));
  const Tensor indices = Tensor::of<std::int32_t>({2}, {2, 0});
  EXPECT_EQ(run_values<float>({{"i", indices}}), (Floats{5, 6, 5, 5, 6, 5}));
}

TEST_F(NetworkTest, RunsCastsOfIndices) {
  ITensor& x = input("x", DataType::kFLOAT, Dims{1, {2}});
  ITensor& i = input("i", DataType::kFLOAT, Dims{1, {2}});
  ITensor& cast = *network->addCast(i, DataType::kINT32)->getOutput(0);
  network->markOutput(*network->addGather(x, cast, 0)->getOutput(0));
  const Tensor data = Tensor::of<float>({2}, {7, 8});
  const Tensor indices = Tensor::of<float>({2}, {1.9F, -1});
  EXPECT_EQ(run_values<float>({{"x", data}, {"i", indices}}), (Floats{8, 8}));
}

TEST_F(NetworkTest, AKVCacheUpdateLeavesTheCacheAlone) {
  ITensor& cache = input("cache", DataType::kFLOAT, Dims4{1, 1, 4, 1});
  ITensor& update = input("update", DataType::kFLOAT, Dims4{1, 1, 2, 1});
  ITensor& at = input("at", DataType::kINT32, Dims{1, {1}});
  network->markOutput(
      *network->addKVCacheUpdate(cache, update, at, KVCacheMode::kLINEAR)->getOutput(0));
  const Tensor old = Tensor::of<float>({1, 1, 4, 1}, {1, 2, 3, 4});
  const Tensor fresh = Tensor::of<float>({1, 1, 2, 1}, {8, 9});
  const Tensor where = Tensor::of<std::int32_t>({1}, {3});
  EXPECT_EQ(run_values<float>({{"cache", old}, {"update", fresh}, {"at", where}}),
            (Floats{1, 2, 3, 8}));
  EXPECT_EQ(old.values<float>()[3], 4);
}

TEST_F(NetworkTest, Int4WeightsArePacked) {
  ITensor& table = constant<std::uint8_t>(Dims{1, {0}}, DataType::kUINT8, {});
  auto* const layer = static_cast<IConstantLayer*>(network->getLayer(0));
  const std::uint8_t bytes[] = {0x21, 0xF3};
  layer->setDimensions(Dims{1, {3}});
  layer->setWeights(Weights{DataType::kINT4, bytes, 3});
  ITensor& i = constant<std::int32_t>(Dims{1, {2}}, DataType::kINT32, {2, 0});
  ITensor& picked = *network->addGather(table, i, 0)->getOutput(0);
  network->markOutput(*network->addCast(picked, DataType::kINT32)->getOutput(0));
  EXPECT_EQ(run_values<std::int32_t>({}), (std::vector<std::int32_t>{3, 1}));
}

TEST_F(NetworkTest, OnlyWhatOutputsNeedRuns) {
  ITensor& x = input("x", DataType::kFLOAT, Dims{1, {2}});
  network->addGather(x, x, 5);  // broken, and of no use
  ITensor& i = constant<std::int32_t>(Dims{1, {1}}, DataType::kINT32, {1});
  IGatherLayer* const gather = network->addGather(x, i, 0);
  network->markOutput(*gather->getOutput(0));
  const Model model = to_model(*network).value();
  EXPECT_EQ(model.dialect, "tensorrt");
  ASSERT_EQ(model.nodes.size(), 1U);
  EXPECT_EQ(model.nodes[0].name, gather->getName());
  EXPECT_EQ(model.constants.size(), 1U);
  const Tensor data = Tensor::of<float>({2}, {7, 8});
  EXPECT_EQ(run_values<float>({{"x", data}}), (Floats{8}));
}

TEST_F(NetworkTest, LayersRunInTheOrderOfTheirTensors) {
  ITensor& x = input("x", DataType::kFLOAT, Dims{1, {2}});
  IGatherLayer* const first = network->addGather(x, x, 0);
  ITensor& i = constant<std::int32_t>(Dims{1, {1}}, DataType::kINT32, {1});
  first->setInput(1, i);  // made after the layer that reads it
  network->markOutput(*first->getOutput(0));
  const Tensor data = Tensor::of<float>({2}, {7, 8});
  EXPECT_EQ(run_values<float>({{"x", data}}), (Floats{8}));
}

TEST_F(NetworkTest, ALayerThatDependsOnItselfIsAnError) {
  ITensor& x = input("x", DataType::kFLOAT, Dims{1, {2}});
  ITensor& i = constant<std::int32_t>(Dims{1, {1}}, DataType::kINT32, {1});
  IGatherLayer* const a = network->addGather(x, i, 0);
  IGatherLayer* const b = network->addGather(*a->getOutput(0), i, 0);
  a->setInput(0, *b->getOutput(0));
  a->setName("a");
  b->setName("b");
  b->getOutput(0)->setName("y");
  network->markOutput(*b->getOutput(0));
  EXPECT_EQ(to_model(*network).error().message(), "layer 'b' depends on itself");
  EXPECT_EQ(b->getOutput(0)->getDimensions().nbDims, -1);
  EXPECT_EQ(logger.take(), "ITensor::getDimensions: 'y': layer 'b' depends on itself");
  EXPECT_EQ(b->getOutput(0)->getType(), DataType::kFLOAT);
}

TEST_F(NetworkTest, NamesOfInputsAndOutputsAreUnique) {
  ITensor& x = input("x", DataType::kFLOAT, Dims{1, {2}});
  ITensor& y = *network->addCast(x, DataType::kFLOAT)->getOutput(0);
  ITensor& z = *network->addCast(y, DataType::kFLOAT)->getOutput(0);
  network->markOutput(z);
  y.setName("x");  // an inner value: it may
  const Tensor data = Tensor::of<float>({2}, {7, 8});
  EXPECT_EQ(run_values<float>({{"x", data}}), (Floats{7, 8}));
  z.setName("x");
  EXPECT_EQ(run(*network, {{"x", data}}).error().message(),
            "two inputs or outputs of the network are called 'x'");
}

TEST_F(NetworkTest, ANetworkWithoutOutputsDoesNotRun) {
  EXPECT_EQ(run(*network, {}).error().code(), ErrorCode::kInvalidArgument);
}

TEST_F(NetworkTest, ErrorsNameTheLayerAndTheRule) {
  ITensor& x = input("x", DataType::kFLOAT, Dims{1, {-1}});
  IGatherLayer* const gather = network->addGather(x, x, 0);
  gather->setName("rows");
  network->markOutput(*gather->getOutput(0));
  const Tensor data = Tensor::of<float>({2}, {7, 8});
  const Status status = run(*network, {{"x", data}}).error();
  EXPECT_EQ(status.constraint(), "TENSORRT-Gather-T2");
  EXPECT_NE(status.message().find("rows"), std::string::npos) << status.message();
  EXPECT_EQ(run(*network, {{"x", Tensor::of<float>({1, 1}, {1})}}).error().code(),
            ErrorCode::kShape);
}

}  // namespace
}  // namespace windrow::nvinfer1
