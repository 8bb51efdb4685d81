#ifndef WINDROW_MODELS_NVINFER_BUILDER_H_
#define WINDROW_MODELS_NVINFER_BUILDER_H_

#include <array>
#include <map>
#include <optional>
#include <string>

#include "src/models/check_inputs.h"
#include "windrow/nvinfer.h"

namespace windrow::nvinfer1::internal {

// Settings without effect.
class BuilderConfig final : public IBuilderConfig {
 public:
  void setFlags(BuilderFlags flags) noexcept override { flags_ = flags; }
  BuilderFlags getFlags() const noexcept override { return flags_; }
  void setFlag(BuilderFlag flag) noexcept override { flags_ |= bit_of(flag); }
  void clearFlag(BuilderFlag flag) noexcept override { flags_ &= ~bit_of(flag); }
  bool getFlag(BuilderFlag flag) const noexcept override { return (flags_ & bit_of(flag)) != 0; }
  void setMemoryPoolLimit(MemoryPoolType pool, std::size_t size) noexcept override {
    pool_limits_[pool] = size;
  }
  std::size_t getMemoryPoolLimit(MemoryPoolType pool) const noexcept override {
    const std::size_t* const limit = windrow::internal::find_in(pool_limits_, pool);
    return limit == nullptr ? 0 : *limit;
  }
  void setBuilderOptimizationLevel(std::int32_t level) noexcept override { level_ = level; }
  std::int32_t getBuilderOptimizationLevel() const noexcept override { return level_; }
  void setProfilingVerbosity(ProfilingVerbosity verbosity) noexcept override {
    verbosity_ = verbosity;
  }
  ProfilingVerbosity getProfilingVerbosity() const noexcept override { return verbosity_; }
  std::int32_t addOptimizationProfile(IOptimizationProfile const* profile) noexcept override {
    return profile != nullptr && profile->isValid() ? profiles_++ : -1;
  }
  std::int32_t getNbOptimizationProfiles() const noexcept override { return profiles_; }

 private:
  // The bit of a flag; 0 for a value that is not a flag.
  static BuilderFlags bit_of(BuilderFlag flag) noexcept {
    const auto bit = static_cast<std::uint32_t>(flag);
    return bit < 32 ? BuilderFlags{1} << bit : 0;
  }

  BuilderFlags flags_ = 0;
  std::int32_t level_ = 3;
  ProfilingVerbosity verbosity_ = ProfilingVerbosity::kLAYER_NAMES_ONLY;
  std::int32_t profiles_ = 0;
  std::map<MemoryPoolType, std::size_t> pool_limits_;
};

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

#endif  // WINDROW_MODELS_NVINFER_BUILDER_H_
