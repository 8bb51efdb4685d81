#include "src/models/propagate.h"

#include <algorithm>

namespace windrow::internal {
namespace {

// More than the dimensions of any shape; larger tensors are data.
constexpr std::int64_t kMaxElements = 64;

template <class T>
KnownElements elements_of(const Tensor& tensor) {
  KnownElements elements(std::in_place);
  for (const T value : tensor.values<T>()) elements->push_back({value, {}});
  return elements;
}

}  // namespace

KnownElements known_elements(const Tensor& tensor) {
  if (tensor.shape().rank() > 1 || tensor.element_count() > kMaxElements) return std::nullopt;
  if (tensor.dtype() == DType::kInt64) return elements_of<std::int64_t>(tensor);
  if (tensor.dtype() == DType::kInt32) return elements_of<std::int32_t>(tensor);
  return std::nullopt;
}

KnownElements shape_elements(const std::vector<Dim>& dims, std::int64_t start, std::int64_t end) {
  const auto rank = static_cast<std::int64_t>(dims.size());
  start = std::clamp<std::int64_t>(start < 0 ? start + rank : start, 0, rank);
  end = std::clamp<std::int64_t>(end < 0 ? end + rank : end, 0, rank);
  KnownElements elements(std::in_place);
  for (std::int64_t axis = start; axis < end; ++axis) {
    const Dim& dim = dims[static_cast<std::size_t>(axis)];
    if (dim.is_known()) {
      elements->push_back({dim.value, {}});
    } else {
      elements->push_back({std::nullopt, dim.symbol});
    }
  }
  return elements;
}

KnownElements gather_elements(const ValueInfo& data, const ValueInfo& indices, std::int64_t axis) {
  const bool one_axis = data.dims && data.dims->size() == 1 && (axis == 0 || axis == -1);
  const bool small_rank = indices.dims && indices.dims->size() <= 1;
  if (!one_axis || !small_rank || !data.elements || !indices.elements || indices.elements->empty())
    return std::nullopt;
  const auto count = static_cast<std::int64_t>(data.elements->size());
  KnownElements elements(std::in_place);
  for (const KnownElement& index : *indices.elements) {
    if (!index.value || *index.value < -count || *index.value >= count) return std::nullopt;
    const std::int64_t at = *index.value < 0 ? *index.value + count : *index.value;
    elements->push_back((*data.elements)[static_cast<std::size_t>(at)]);
  }
  return elements;
}

}  // namespace windrow::internal
