#include <memory>
#include <vector>

#include "src/models/nvinfer/builder_config.h"
#include "src/models/nvinfer/network.h"
#include "src/models/nvinfer/optimization_profile.h"

namespace windrow::nvinfer1 {
namespace internal {
namespace {

class Builder final : public IBuilder {
 public:
  explicit Builder(ILogger& logger) : logger_(logger) {}

  INetworkDefinition* createNetworkV2(NetworkDefinitionCreationFlags flags) noexcept override {
    return std::make_unique<Network>(*this, logger_, flags).release();
  }

  IBuilderConfig* createBuilderConfig() noexcept override {
    return std::make_unique<BuilderConfig>().release();
  }

  IOptimizationProfile* createOptimizationProfile() noexcept override {
    profiles_.push_back(std::make_unique<OptimizationProfile>());
    return profiles_.back().get();
  }

  IHostMemory* buildSerializedNetwork(INetworkDefinition& /*network*/,
                                      IBuilderConfig& /*config*/) noexcept override {
    logger_.log(ILogger::Severity::kERROR,
                "IBuilder::buildSerializedNetwork: there is no engine format here; "
                "windrow::nvinfer1::run(network, inputs) runs the network");
    return nullptr;
  }

  bool isNetworkSupported(INetworkDefinition const& network,
                          IBuilderConfig const& /*config*/) const noexcept override {
    const Result<Model> model = to_model(network);
    const Result<Inference> inference = model ? model->infer() : model.error();
    const Status status = inference ? inference->first_broken_rule() : inference.error();
    if (!status)
      logger_.log(ILogger::Severity::kERROR,
                  ("IBuilder::isNetworkSupported: " + status.message()).c_str());
    return status.ok();
  }

  ILogger* getLogger() const noexcept override { return &logger_; }

 private:
  ILogger& logger_;
  std::vector<std::unique_ptr<OptimizationProfile>> profiles_;
};

}  // namespace
}  // namespace internal

IBuilder* createInferBuilder(ILogger& logger) noexcept {
  return std::make_unique<internal::Builder>(logger).release();
}

}  // namespace windrow::nvinfer1
