#include "src/models/nvinfer/optimization_profile.h"

#include <algorithm>
#include <functional>

#include "src/models/find_in.h"
#include "src/models/nvinfer/types.h"

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
