#include "src/models/nvinfer/builder.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "src/models/check_inputs.h"
#include "src/models/nvinfer/network.h"
#include "src/models/nvinfer/network_tensor.h"

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

namespace windrow::nvinfer1::internal {
namespace {

bool exists(OptProfileSelector select) noexcept {
  return select >= OptProfileSelector::kMIN && select <= OptProfileSelector::kMAX;
}

bool is_in_order(const Dims& a, const Dims& b) {
  return a.nbDims == b.nbDims && std::equal(a.d, a.d + a.nbDims, b.d, std::less_equal<>());
}

}  // namespace

bool OptimizationProfile::setDimensions(char const* input_name, OptProfileSelector select,
                                        Dims const& dims) noexcept {
  if (input_name == nullptr || !exists(select) || !fault_of(dims, 0).empty()) return false;
  ranges_[input_name][static_cast<std::size_t>(select)] = dims;
  return true;
}

Dims OptimizationProfile::getDimensions(char const* input_name,
                                        OptProfileSelector select) const noexcept {
  if (input_name == nullptr || !exists(select)) return invalid_dims();
  const Ranges* const ranges = windrow::internal::find_in(ranges_, std::string_view(input_name));
  if (ranges == nullptr) return invalid_dims();
  return (*ranges)[static_cast<std::size_t>(select)].value_or(invalid_dims());
}

bool OptimizationProfile::isValid() const noexcept {
  return std::all_of(ranges_.begin(), ranges_.end(), [](const auto& entry) {
    const auto& [min, opt, max] = entry.second;
    return min && opt && max && is_in_order(*min, *opt) && is_in_order(*opt, *max);
  });
}

}  // namespace windrow::nvinfer1::internal
