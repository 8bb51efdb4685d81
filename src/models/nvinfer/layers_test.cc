#include "src/models/nvinfer/test_support.h"

namespace windrow::nvinfer1 {
namespace {

class LayerTest : public NetworkTest {
 protected:
  ITensor& x = input("x", DataType::kFLOAT, Dims3{2, 3, 4});
  ITensor& i = input("i", DataType::kINT32, Dims2{2, 2});
};

TEST_F(LayerTest, GatherHasTensorRTsDefaults) {
  IGatherLayer* const by_axis = network->addGather(x, i, 2);
  EXPECT_EQ(by_axis->getMode(), GatherMode::kDEFAULT);
  EXPECT_EQ(by_axis->getGatherAxis(), 2);
  EXPECT_EQ(by_axis->getNbElementWiseDims(), 0);
  IGatherLayer* const by_mode = network->addGatherV2(x, i, GatherMode::kND);
  EXPECT_EQ(by_mode->getMode(), GatherMode::kND);
  EXPECT_EQ(by_mode->getGatherAxis(), 0);
  by_mode->setMode(GatherMode::kELEMENT);
  by_mode->setGatherAxis(1);
  by_mode->setNbElementWiseDims(1);
  EXPECT_EQ(by_mode->getMode(), GatherMode::kELEMENT);
  EXPECT_EQ(by_mode->getGatherAxis(), 1);
  EXPECT_EQ(by_mode->getNbElementWiseDims(), 1);
  by_mode->setMode(static_cast<GatherMode>(9));
  EXPECT_EQ(by_mode->getMode(), GatherMode::kELEMENT);
  EXPECT_EQ(logger.take(),
            "IGatherLayer::setMode: layer '(Unnamed Layer* 1) [Gather]': there is no mode 9");
}

TEST_F(LayerTest, ScatterHasAModeAndAnAxis) {
  IScatterLayer* const scatter = network->addScatter(x, i, x, ScatterMode::kND);
  EXPECT_EQ(scatter->getType(), LayerType::kSCATTER);
  EXPECT_EQ(scatter->getMode(), ScatterMode::kND);
  EXPECT_EQ(scatter->getAxis(), 0);
  scatter->setMode(ScatterMode::kELEMENT);
  scatter->setAxis(2);
  EXPECT_EQ(scatter->getMode(), ScatterMode::kELEMENT);
  EXPECT_EQ(scatter->getAxis(), 2);
  scatter->setMode(static_cast<ScatterMode>(2));
  EXPECT_EQ(logger.take(),
            "IScatterLayer::setMode: layer '(Unnamed Layer* 0) [Scatter]': there is no mode 2");
}

TEST_F(LayerTest, OneHotHasAnAxisAndTheTypeOfItsValues) {
  ITensor& depth = constant<std::int32_t>(Dims{0, {}}, DataType::kINT32, {3});
  IOneHotLayer* const layer = network->addOneHot(i, x, depth, -1);
  EXPECT_EQ(layer->getType(), LayerType::kONE_HOT);
  EXPECT_EQ(layer->getAxis(), -1);
  EXPECT_EQ(layer->getOutputType(0), DataType::kFLOAT);
  layer->setAxis(1);
  EXPECT_EQ(layer->getAxis(), 1);
}

TEST_F(LayerTest, KVCacheUpdateHasOneMode) {
  IKVCacheUpdateLayer* const layer = network->addKVCacheUpdate(x, x, i, KVCacheMode::kLINEAR);
  EXPECT_EQ(layer->getType(), LayerType::kKVCACHE_UPDATE);
  EXPECT_EQ(layer->getCacheMode(), KVCacheMode::kLINEAR);
  EXPECT_TRUE(layer->setCacheMode(KVCacheMode::kLINEAR));
  EXPECT_FALSE(layer->setCacheMode(static_cast<KVCacheMode>(5)));
  EXPECT_EQ(logger.take(),
            "IKVCacheUpdateLayer::setCacheMode: layer '(Unnamed Layer* 0) [KVCacheUpdate]': there "
            "is no mode 5");
}

TEST_F(LayerTest, CastHasAType) {
  ICastLayer* const cast = network->addCast(i, DataType::kINT64);
  EXPECT_EQ(cast->getType(), LayerType::kCAST);
  EXPECT_EQ(cast->getToType(), DataType::kINT64);
  cast->setToType(DataType::kHALF);
  EXPECT_EQ(cast->getToType(), DataType::kHALF);
  EXPECT_EQ(cast->getOutput(0)->getType(), DataType::kHALF);
  cast->setToType(static_cast<DataType>(77));
  EXPECT_EQ(cast->getToType(), DataType::kHALF);
  EXPECT_EQ(logger.take(),
            "ICastLayer::setToType: layer '(Unnamed Layer* 0) [Cast]': there is no type 77");
}

TEST_F(LayerTest, TypesFollowTheData) {
  ITensor& half = *network->addCast(x, DataType::kHALF)->getOutput(0);
  ITensor& picked = *network->addGather(half, i, 0)->getOutput(0);
  EXPECT_EQ(network->addScatter(picked, i, picked, ScatterMode::kND)->getOutput(0)->getType(),
            DataType::kHALF);
}

TEST_F(LayerTest, AConstantKeepsItsWeights) {
  const std::int32_t values[] = {1, 2, 3, 4, 5, 6};
  IConstantLayer* const layer =
      network->addConstant(Dims2{2, 3}, Weights{DataType::kINT32, values, 6});
  EXPECT_EQ(layer->getType(), LayerType::kCONSTANT);
  EXPECT_EQ(layer->getNbInputs(), 0);
  EXPECT_EQ(layer->getInput(0), nullptr);
  EXPECT_EQ(layer->getWeights().values, values);
  EXPECT_EQ(layer->getWeights().count, 6);
  EXPECT_EQ(extents(layer->getDimensions()), (Extents{2, 3}));
  EXPECT_EQ(extents(layer->getOutput(0)->getDimensions()), (Extents{2, 3}));
  EXPECT_EQ(layer->getOutput(0)->getType(), DataType::kINT32);
  layer->setDimensions(Dims{1, {2}});
  EXPECT_EQ(layer->getOutput(0)->getDimensions().nbDims, -1);
  EXPECT_EQ(
      logger.take(),
      "ITensor::getDimensions: '(Unnamed Layer* 0) [Constant]_output': layer '(Unnamed Layer* "
      "0) [Constant]': there are 6 weights, dimensions [2] hold 2");
  layer->setWeights(Weights{DataType::kFLOAT, values, 2});
  EXPECT_EQ(extents(layer->getOutput(0)->getDimensions()), (Extents{2}));
  EXPECT_EQ(layer->getOutput(0)->getType(), DataType::kFLOAT);
}

TEST_F(LayerTest, WrongConstantsAreNull) {
  const float values[] = {1, 2};
  EXPECT_EQ(network->addConstant(Dims2{2, 2}, Weights{DataType::kFLOAT, values, 2}), nullptr);
  EXPECT_EQ(network->addConstant(Dims2{2, -1}, Weights{DataType::kFLOAT, values, 2}), nullptr);
  EXPECT_EQ(network->addConstant(Dims{9, {}}, Weights{DataType::kFLOAT, values, 2}), nullptr);
  EXPECT_EQ(network->addConstant(Dims2{2, 1}, Weights{static_cast<DataType>(12), values, 2}),
            nullptr);
  EXPECT_EQ(network->addConstant(Dims2{2, 1}, Weights{DataType::kFLOAT, nullptr, 2}), nullptr);
  EXPECT_EQ(network->addConstant(Dims2{2, 1}, Weights{DataType::kFLOAT, values, -2}), nullptr);
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  EXPECT_EQ(network->addConstant(Dims2{kHuge, kHuge}, Weights{DataType::kFLOAT, values, 2}),
            nullptr);
  EXPECT_EQ(logger.take(),
            "INetworkDefinition::addConstant: there are 2 weights, dimensions [2, 2] hold 4\n"
            "INetworkDefinition::addConstant: dimension 1 is -1, must be at least 0\n"
            "INetworkDefinition::addConstant: there are 9 dimensions, must be 0 to 8\n"
            "INetworkDefinition::addConstant: the weights have type 12, which does not exist\n"
            "INetworkDefinition::addConstant: 2 weights are at no address\n"
            "INetworkDefinition::addConstant: the count of weights is -2, must not be negative\n"
            "INetworkDefinition::addConstant: there are 2 weights, dimensions [1099511627776, "
            "1099511627776] hold too many");
  EXPECT_EQ(network->getNbLayers(), 0);
  EXPECT_NE(network->addConstant(Dims2{0, 3}, Weights{DataType::kFLOAT, nullptr, 0}), nullptr);
}

TEST_F(LayerTest, WrongSettingsOfAConstantChangeNothing) {
  const float values[] = {1, 2};
  IConstantLayer* const layer =
      network->addConstant(Dims{1, {2}}, Weights{DataType::kFLOAT, values, 2});
  layer->setWeights(Weights{DataType::kFLOAT, nullptr, 2});
  layer->setDimensions(Dims{1, {-1}});
  EXPECT_EQ(
      logger.take(),
      "IConstantLayer::setWeights: layer '(Unnamed Layer* 0) [Constant]': 2 weights are at no "
      "address\n"
      "IConstantLayer::setDimensions: layer '(Unnamed Layer* 0) [Constant]': dimension 0 is "
      "-1, must be at least 0");
  EXPECT_EQ(layer->getWeights().values, values);
  EXPECT_EQ(extents(layer->getDimensions()), (Extents{2}));
}

}  // namespace
}  // namespace windrow::nvinfer1
