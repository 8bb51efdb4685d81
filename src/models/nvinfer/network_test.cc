#include "src/models/nvinfer/test_support.h"

namespace windrow::nvinfer1 {
namespace {

TEST_F(NetworkTest, InputsAreKept) {
  ITensor* const x = network->addInput("x", DataType::kHALF, Dims3{2, -1, 4});
  ASSERT_NE(x, nullptr);
  EXPECT_EQ(network->getNbInputs(), 1);
  EXPECT_EQ(network->getInput(0), x);
  EXPECT_EQ(network->getInput(1), nullptr);
  EXPECT_EQ(network->getInput(-1), nullptr);
  EXPECT_STREQ(x->getName(), "x");
  EXPECT_EQ(x->getType(), DataType::kHALF);
  EXPECT_TRUE(x->isNetworkInput());
  EXPECT_FALSE(x->isNetworkOutput());
  EXPECT_EQ(extents(x->getDimensions()), (Extents{2, -1, 4}));
  x->setDimensions(Dims2{5, 6});
  EXPECT_EQ(extents(x->getDimensions()), (Extents{5, 6}));
  x->setName("y");
  EXPECT_STREQ(x->getName(), "y");
  EXPECT_EQ(network->addInput("s", DataType::kINT32, Dims{0, {}})->getDimensions().nbDims, 0);
}

TEST_F(NetworkTest, WrongInputsAreNull) {
  input("x", DataType::kFLOAT, Dims2{1, 2});
  EXPECT_EQ(network->addInput("x", DataType::kFLOAT, Dims2{1, 2}), nullptr);
  EXPECT_EQ(logger.take(),
            "INetworkDefinition::addInput: 'x': there is an input of this name already");
  EXPECT_EQ(logger.severities.back(), ILogger::Severity::kERROR);
  EXPECT_EQ(network->addInput(nullptr, DataType::kFLOAT, Dims2{1, 2}), nullptr);
  EXPECT_EQ(network->addInput("", DataType::kFLOAT, Dims2{1, 2}), nullptr);
  EXPECT_EQ(logger.take(),
            "INetworkDefinition::addInput: the name is empty\n"
            "INetworkDefinition::addInput: the name is empty");
  EXPECT_EQ(network->addInput(std::string(4096, 'n').c_str(), DataType::kFLOAT, Dims2{1, 2}),
            nullptr);
  EXPECT_EQ(logger.take(), "INetworkDefinition::addInput: the name has 4096 bytes, more than 4095");
  EXPECT_EQ(network->addInput("y", DataType::kFLOAT, Dims{9, {}}), nullptr);
  EXPECT_EQ(network->addInput("y", DataType::kFLOAT, Dims{-1, {}}), nullptr);
  EXPECT_EQ(logger.take(),
            "INetworkDefinition::addInput: 'y': there are 9 dimensions, must be 0 to 8\n"
            "INetworkDefinition::addInput: 'y': there are -1 dimensions, must be 0 to 8");
  EXPECT_EQ(network->addInput("y", DataType::kFLOAT, Dims2{3, -2}), nullptr);
  EXPECT_EQ(logger.take(),
            "INetworkDefinition::addInput: 'y': dimension 1 is -2, must be at least -1");
  EXPECT_EQ(network->addInput("y", static_cast<DataType>(12), Dims2{3, 2}), nullptr);
  EXPECT_EQ(logger.take(), "INetworkDefinition::addInput: 'y': there is no type 12");
  EXPECT_EQ(network->getNbInputs(), 1);
}

TEST_F(NetworkTest, LayersAndTheirTensorsHaveNames) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{3, 2});
  ITensor& i = input("i", DataType::kINT32, Dims{1, {4}});
  IGatherLayer* const gather = network->addGather(x, i, 1);
  ICastLayer* const cast = network->addCast(i, DataType::kINT64);
  EXPECT_EQ(network->getNbLayers(), 2);
  EXPECT_EQ(network->getLayer(0), gather);
  EXPECT_EQ(network->getLayer(1), cast);
  EXPECT_EQ(network->getLayer(2), nullptr);
  EXPECT_STREQ(gather->getName(), "(Unnamed Layer* 0) [Gather]");
  EXPECT_STREQ(gather->getOutput(0)->getName(), "(Unnamed Layer* 0) [Gather]_output");
  EXPECT_STREQ(cast->getName(), "(Unnamed Layer* 1) [Cast]");
  gather->setName("lookup");
  EXPECT_STREQ(gather->getName(), "lookup");
  EXPECT_STREQ(gather->getMetadata(), "");
  gather->setMetadata("from the decoder");
  gather->setMetadata(nullptr);
  EXPECT_EQ(logger.take(), "ILayer::setMetadata: layer 'lookup': the text is null");
  EXPECT_STREQ(gather->getMetadata(), "from the decoder");
  EXPECT_EQ(gather->getType(), LayerType::kGATHER);
  EXPECT_EQ(gather->getNbInputs(), 2);
  EXPECT_EQ(gather->getInput(0), &x);
  EXPECT_EQ(gather->getInput(1), &i);
  EXPECT_EQ(gather->getInput(2), nullptr);
  EXPECT_EQ(gather->getNbOutputs(), 1);
  EXPECT_EQ(gather->getOutput(1), nullptr);
  EXPECT_FALSE(gather->getOutput(0)->isNetworkInput());
  EXPECT_EQ(gather->getOutputType(0), DataType::kFLOAT);
  EXPECT_EQ(cast->getOutputType(0), DataType::kINT64);
  gather->setInput(1, *cast->getOutput(0));
  EXPECT_EQ(gather->getInput(1), cast->getOutput(0));
}

TEST_F(NetworkTest, WrongNamesAndInputsOfLayersChangeNothing) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{3, 2});
  IGatherLayer* const gather = network->addGather(x, x, 0);
  gather->setName(nullptr);
  gather->getOutput(0)->setName("");
  EXPECT_EQ(logger.take(),
            "ILayer::setName: the name is empty\nITensor::setName: the name is empty");
  EXPECT_STREQ(gather->getName(), "(Unnamed Layer* 0) [Gather]");
  gather->setInput(2, x);
  gather->setInput(-1, x);
  EXPECT_EQ(logger.take(),
            "ILayer::setInput: layer '(Unnamed Layer* 0) [Gather]' has no input 2\n"
            "ILayer::setInput: layer '(Unnamed Layer* 0) [Gather]' has no input -1");
  const std::unique_ptr<INetworkDefinition> other(builder->createNetworkV2(0));
  ITensor& foreign = *other->addInput("x", DataType::kFLOAT, Dims2{3, 2});
  gather->setInput(0, foreign);
  EXPECT_EQ(logger.take(), "ILayer::setInput: tensor is not a tensor of this network");
  EXPECT_EQ(gather->getInput(0), &x);
}

TEST_F(NetworkTest, TensorsOfOtherNetworksAreRefused) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{3, 2});
  const std::unique_ptr<INetworkDefinition> other(builder->createNetworkV2(0));
  ITensor& foreign = *other->addInput("x", DataType::kFLOAT, Dims2{3, 2});
  EXPECT_EQ(network->addGather(foreign, x, 0), nullptr);
  EXPECT_EQ(network->addGatherV2(x, foreign, GatherMode::kND), nullptr);
  EXPECT_EQ(network->addScatter(x, x, foreign, ScatterMode::kND), nullptr);
  EXPECT_EQ(network->addOneHot(x, x, foreign, 0), nullptr);
  EXPECT_EQ(network->addKVCacheUpdate(x, x, foreign, KVCacheMode::kLINEAR), nullptr);
  EXPECT_EQ(network->addCast(foreign, DataType::kINT32), nullptr);
  network->markOutput(foreign);
  network->unmarkOutput(foreign);
  EXPECT_EQ(network->getNbLayers(), 0);
  EXPECT_EQ(logger.take(),
            "INetworkDefinition::addGather: data is not a tensor of this network\n"
            "INetworkDefinition::addGatherV2: indices is not a tensor of this network\n"
            "INetworkDefinition::addScatter: updates is not a tensor of this network\n"
            "INetworkDefinition::addOneHot: depth is not a tensor of this network\n"
            "INetworkDefinition::addKVCacheUpdate: writeIndices is not a tensor of this network\n"
            "INetworkDefinition::addCast: input is not a tensor of this network\n"
            "INetworkDefinition::markOutput: tensor is not a tensor of this network\n"
            "INetworkDefinition::unmarkOutput: tensor is not a tensor of this network");
}

TEST_F(NetworkTest, EnumeratorsThatDoNotExistAreRefused) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{3, 2});
  EXPECT_EQ(network->addGatherV2(x, x, static_cast<GatherMode>(3)), nullptr);
  EXPECT_EQ(network->addScatter(x, x, x, static_cast<ScatterMode>(-1)), nullptr);
  EXPECT_EQ(network->addKVCacheUpdate(x, x, x, static_cast<KVCacheMode>(1)), nullptr);
  EXPECT_EQ(network->addCast(x, static_cast<DataType>(-1)), nullptr);
  EXPECT_EQ(logger.take(),
            "INetworkDefinition::addGatherV2: there is no mode 3\n"
            "INetworkDefinition::addScatter: there is no mode -1\n"
            "INetworkDefinition::addKVCacheUpdate: there is no mode 1\n"
            "INetworkDefinition::addCast: there is no type -1");
}

TEST_F(NetworkTest, OutputsAreMarked) {
  ITensor& x = input("x", DataType::kFLOAT, Dims2{3, 2});
  ITensor& y = *network->addCast(x, DataType::kINT32)->getOutput(0);
  network->markOutput(y);
  EXPECT_TRUE(y.isNetworkOutput());
  EXPECT_EQ(network->getNbOutputs(), 1);
  EXPECT_EQ(network->getOutput(0), &y);
  EXPECT_EQ(network->getOutput(1), nullptr);
  y.setName("y");
  network->markOutput(y);
  EXPECT_EQ(logger.take(), "INetworkDefinition::markOutput: 'y' is an output already");
  network->unmarkOutput(y);
  EXPECT_FALSE(y.isNetworkOutput());
  EXPECT_EQ(network->getNbOutputs(), 0);
  network->unmarkOutput(y);
  EXPECT_EQ(logger.take(), "INetworkDefinition::unmarkOutput: 'y' is not an output");
}

TEST_F(NetworkTest, AnInputIsNoOutput) {
  network->markOutput(input("x", DataType::kFLOAT, Dims2{3, 2}));
  EXPECT_EQ(
      logger.take(),
      "INetworkDefinition::markOutput: 'x' is an input, which cannot be an output; a cast to its "
      "own type gives another tensor");
  EXPECT_EQ(network->getNbOutputs(), 0);
}

TEST_F(NetworkTest, HasANameFlagsAndItsBuilder) {
  network->setName("net");
  EXPECT_STREQ(network->getName(), "net");
  network->setName(nullptr);
  EXPECT_EQ(logger.take(), "INetworkDefinition::setName: the name is empty");
  EXPECT_EQ(&network->getBuilder(), builder.get());
  constexpr auto kTyped = NetworkDefinitionCreationFlag::kSTRONGLY_TYPED;
  const NetworkDefinitionCreationFlags flags = 1U << static_cast<std::uint32_t>(kTyped);
  const std::unique_ptr<INetworkDefinition> typed(builder->createNetworkV2(flags));
  EXPECT_EQ(typed->getFlags(), flags);
  EXPECT_TRUE(typed->getFlag(kTyped));
  EXPECT_FALSE(typed->getFlag(NetworkDefinitionCreationFlag::kEXPLICIT_BATCH));
  EXPECT_FALSE(typed->getFlag(static_cast<NetworkDefinitionCreationFlag>(-1)));
}

}  // namespace
}  // namespace windrow::nvinfer1
