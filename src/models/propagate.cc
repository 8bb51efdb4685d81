#include "src/models/propagate.h"

#include <algorithm>
#include <new>

#include "src/models/host_ops/convert.h"

namespace windrow::internal {
namespace {

// More elements than any shape has dimensions; larger tensors are data.
constexpr std::int64_t kMaxElements = 64;

// The largest number of an integer type; for types of 64 bits the largest of int64.
std::int64_t largest(DType type) {
  const int bits = std::min(
      63, dtype_kind(type) == DTypeKind::kSigned ? dtype_bits(type) - 1 : dtype_bits(type));
  return static_cast<std::int64_t>((std::uint64_t{1} << bits) - 1);
}

bool holds(DType type, std::int64_t value) {
  const std::int64_t lowest = dtype_kind(type) == DTypeKind::kSigned ? -largest(type) - 1 : 0;
  return lowest <= value && value <= largest(type);
}

}  // namespace

bool may_have_known_elements(DType dtype, const Shape& shape) noexcept {
  return is_integer(dtype) && shape.rank() <= 1 &&
         element_count(shape).value_or(kMaxElements + 1) <= kMaxElements;
}

KnownElements known_elements(const Tensor& tensor) {
  if (!may_have_known_elements(tensor.dtype(), tensor.shape())) return std::nullopt;
  const Result<Tensor> wide = convert(tensor, DType::kInt64);
  // Fails like every container: returning "not known" would change the meaning of the model.
  if (wide.error().code() == ErrorCode::kOutOfMemory) throw std::bad_alloc();
  if (!wide) return std::nullopt;
  KnownElements elements(std::in_place);
  for (const std::int64_t value : wide->values<std::int64_t>()) {
    if (!holds(tensor.dtype(), value)) return std::nullopt;  // a uint64 beyond int64
    elements->push_back({value, {}});
  }
  return elements;
}

KnownElements converted_elements(const KnownElements& elements, DType type) {
  if (!elements || !is_integer(type)) return std::nullopt;
  const bool fit = std::all_of(elements->begin(), elements->end(), [type](const auto& element) {
    return !element.value || holds(type, *element.value);
  });
  return fit ? elements : std::nullopt;
}

std::optional<std::int64_t> known_value(const ValueInfo& value) {
  if (!value.elements || value.elements->size() != 1) return std::nullopt;
  return value.elements->front().value;
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
