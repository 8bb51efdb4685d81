#ifndef WINDROW_MODELS_NVINFER_OPTIMIZATION_PROFILE_H_
#define WINDROW_MODELS_NVINFER_OPTIMIZATION_PROFILE_H_

#include <array>
#include <map>
#include <optional>
#include <string>

#include "windrow/nvinfer.h"

namespace windrow::nvinfer1::internal {

// Ranges of inputs' dimensions, by the names of the inputs.
class OptimizationProfile final : public IOptimizationProfile {
 public:
  // The builder deletes it.
  ~OptimizationProfile() override = default;

  bool setDimensions(char const* input_name, OptProfileSelector select,
                     Dims const& dims) noexcept override;
  Dims getDimensions(char const* input_name, OptProfileSelector select) const noexcept override;
  bool isValid() const noexcept override;

 private:
  using Ranges = std::array<std::optional<Dims>, 3>;  // by OptProfileSelector

  std::map<std::string, Ranges, std::less<>> ranges_;
};

}  // namespace windrow::nvinfer1::internal

#endif  // WINDROW_MODELS_NVINFER_OPTIMIZATION_PROFILE_H_
