#include "src/models/nvinfer/test_support.h"

namespace windrow::nvinfer1 {
namespace {

TEST_F(NetworkTest, ThereIsNoEngineFormat) {
  const std::unique_ptr<IBuilderConfig> config(builder->createBuilderConfig());
  EXPECT_EQ(builder->buildSerializedNetwork(*network, *config), nullptr);
  EXPECT_EQ(logger.take(),
            "IBuilder::buildSerializedNetwork: there is no engine format here; "
            "windrow::nvinfer1::run(network, inputs) runs the network");
  EXPECT_EQ(builder->getLogger(), &logger);
}

TEST_F(NetworkTest, TheBuilderSaysWhetherANetworkCanRun) {
  const std::unique_ptr<IBuilderConfig> config(builder->createBuilderConfig());
  EXPECT_FALSE(builder->isNetworkSupported(*network, *config));
  EXPECT_NE(logger.take().find("isNetworkSupported: the network has no output"), std::string::npos);
  ITensor& x = input("x", DataType::kFLOAT, Dims2{2, 3});
  ITensor& i = input("i", DataType::kINT32, Dims{1, {1}});
  IGatherLayer* const gather = network->addGather(x, i, 0);
  network->markOutput(*gather->getOutput(0));
  EXPECT_TRUE(builder->isNetworkSupported(*network, *config));
  gather->setGatherAxis(-1);
  EXPECT_FALSE(builder->isNetworkSupported(*network, *config));
  EXPECT_NE(logger.take().find("TENSORRT-Gather-A1"), std::string::npos);
}

TEST_F(NetworkTest, ConfigKeepsItsSettings) {
  const std::unique_ptr<IBuilderConfig> config(builder->createBuilderConfig());
  config->setMemoryPoolLimit(MemoryPoolType::kWORKSPACE, 1U << 20);
  EXPECT_EQ(config->getMemoryPoolLimit(MemoryPoolType::kWORKSPACE), 1U << 20);
  EXPECT_EQ(config->getMemoryPoolLimit(MemoryPoolType::kTACTIC_DRAM), 0U);
  config->setFlag(BuilderFlag::kFP16);
  config->setFlag(BuilderFlag::kTF32);
  EXPECT_TRUE(config->getFlag(BuilderFlag::kFP16));
  config->clearFlag(BuilderFlag::kFP16);
  EXPECT_FALSE(config->getFlag(BuilderFlag::kFP16));
  EXPECT_EQ(config->getFlags(), 1U << 6);
  config->setFlags(1U << 16);
  EXPECT_TRUE(config->getFlag(BuilderFlag::kERROR_ON_TIMING_CACHE_MISS));
  config->setFlag(static_cast<BuilderFlag>(99));
  EXPECT_EQ(config->getFlags(), 1U << 16);
  config->setBuilderOptimizationLevel(5);
  EXPECT_EQ(config->getBuilderOptimizationLevel(), 5);
  config->setProfilingVerbosity(ProfilingVerbosity::kDETAILED);
  EXPECT_EQ(config->getProfilingVerbosity(), ProfilingVerbosity::kDETAILED);
}

TEST_F(NetworkTest, ProfilesAreChecked) {
  const std::unique_ptr<IBuilderConfig> config(builder->createBuilderConfig());
  IOptimizationProfile* const profile = builder->createOptimizationProfile();
  EXPECT_TRUE(profile->setDimensions("x", OptProfileSelector::kMIN, Dims2{1, 3}));
  EXPECT_TRUE(profile->setDimensions("x", OptProfileSelector::kOPT, Dims2{4, 3}));
  EXPECT_FALSE(profile->isValid());
  EXPECT_EQ(config->addOptimizationProfile(profile), -1);
  EXPECT_TRUE(profile->setDimensions("x", OptProfileSelector::kMAX, Dims2{2, 3}));
  EXPECT_FALSE(profile->isValid());
  EXPECT_TRUE(profile->setDimensions("x", OptProfileSelector::kMAX, Dims2{9, 3}));
  EXPECT_TRUE(profile->isValid());
  EXPECT_EQ(extents(profile->getDimensions("x", OptProfileSelector::kOPT)), (Extents{4, 3}));
  EXPECT_EQ(profile->getDimensions("y", OptProfileSelector::kOPT).nbDims, -1);
  EXPECT_EQ(profile->getDimensions(nullptr, OptProfileSelector::kOPT).nbDims, -1);
  EXPECT_FALSE(profile->setDimensions(nullptr, OptProfileSelector::kMAX, Dims2{9, 3}));
  EXPECT_FALSE(profile->setDimensions("x", static_cast<OptProfileSelector>(3), Dims2{9, 3}));
  EXPECT_FALSE(profile->setDimensions("x", OptProfileSelector::kMAX, Dims2{-1, 3}));
  EXPECT_EQ(config->getNbOptimizationProfiles(), 0);
  EXPECT_EQ(config->addOptimizationProfile(profile), 0);
  EXPECT_EQ(config->addOptimizationProfile(nullptr), -1);
  EXPECT_EQ(config->getNbOptimizationProfiles(), 1);
}

}  // namespace
}  // namespace windrow::nvinfer1
