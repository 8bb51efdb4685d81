#ifndef WINDROW_PORTABILITY_GIVEN_VALUES_H_
#define WINDROW_PORTABILITY_GIVEN_VALUES_H_

#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "src/base/element.h"
#include "src/base/float_types.h"
#include "src/base/integers.h"
#include "windrow/models.h"
#include "windrow/tensor.h"

// Visits the elements of dense tensors without copying the tensor.
namespace windrow::internal {

// Calls `visit(position, value)` for each element in row-major order until it returns true, and
// returns that position; nothing if it never does, or if the elements are not integers or booleans.
// A uint64 above 2^63-1 is passed as 2^63-1.
template <class Visit>
std::optional<std::int64_t> find_integer(const Tensor& tensor, const Visit& visit);

// The same for floats of at least 16 bits, whose values are passed as double.
template <class Visit>
std::optional<std::int64_t> find_float(const Tensor& tensor, const Visit& visit);

// An integer or boolean element; 2^63-1 for a uint64 above it; 0 for elements of other types.
std::int64_t integer_at(const Tensor& tensor, std::int64_t position);

// A float element; 0 for elements of other types.
double float_at(const Tensor& tensor, std::int64_t position);

// An element as in windrow::to_text(), "7", "true" or "1.5", but with "NaN" for nan.
std::string element_text(const Tensor& tensor, std::int64_t position);

// The position along each axis of the element at a row-major position.
std::vector<std::int64_t> unravel(std::int64_t position, const Shape& shape);

// "[1, 2]"; "" for a scalar.
std::string position_text(const std::vector<std::int64_t>& position);

template <class T, class Convert, class Visit>
std::optional<std::int64_t> find_element(const Tensor& tensor, const Convert& convert,
                                         const Visit& visit) {
  const auto* const bytes = static_cast<const char*>(tensor.data());
  const std::int64_t count = tensor.element_count();
  for (std::int64_t i = 0; i < count; ++i) {
    T element;  // read by memcpy, since a tensor made from an array may not be aligned
    std::memcpy(&element, bytes + i * static_cast<std::int64_t>(sizeof(T)), sizeof(T));
    if (visit(i, convert(element))) return i;
  }
  return std::nullopt;
}

template <class Visit>
std::optional<std::int64_t> find_packed(const Tensor& tensor, const Visit& visit) {
  const std::int64_t count = tensor.element_count();
  for (std::int64_t i = 0; i < count; ++i) {
    std::int64_t value = get_packed(tensor.dtype(), tensor.data(), i);
    if (tensor.dtype() == DType::kInt4 && value > 7) value -= 16;
    if (visit(i, value)) return i;
  }
  return std::nullopt;
}

template <class Visit>
std::optional<std::int64_t> find_integer(const Tensor& tensor, const Visit& visit) {
  const auto value = [](auto element) { return index_value(element); };
  switch (tensor.dtype()) {
    case DType::kBool:
    case DType::kUint8:
      return find_element<std::uint8_t>(tensor, value, visit);
    case DType::kInt8:
      return find_element<std::int8_t>(tensor, value, visit);
    case DType::kInt16:
      return find_element<std::int16_t>(tensor, value, visit);
    case DType::kUint16:
      return find_element<std::uint16_t>(tensor, value, visit);
    case DType::kInt32:
      return find_element<std::int32_t>(tensor, value, visit);
    case DType::kUint32:
      return find_element<std::uint32_t>(tensor, value, visit);
    case DType::kInt64:
      return find_element<std::int64_t>(tensor, value, visit);
    case DType::kUint64:
      return find_element<std::uint64_t>(tensor, value, visit);
    case DType::kInt4:
    case DType::kUint4:
    case DType::kUint1:
    case DType::kUint2:
      return find_packed(tensor, visit);
    default:
      return std::nullopt;
  }
}

template <class Visit>
std::optional<std::int64_t> find_float(const Tensor& tensor, const Visit& visit) {
  switch (tensor.dtype()) {
    case DType::kFloat16:
      return find_element<std::uint16_t>(tensor, float16_to_float, visit);
    case DType::kBFloat16:
      return find_element<std::uint16_t>(tensor, bfloat16_to_float, visit);
    case DType::kFloat32:
      return find_element<float>(tensor, std::identity(), visit);
    case DType::kFloat64:
      return find_element<double>(tensor, std::identity(), visit);
    default:
      return std::nullopt;
  }
}

// The model with constants in the place of inputs of its main graph: what is true of every run of
// it is true of the runs of the model on these values. The elements are not copied. Errors:
// kInvalidArgument, for a value without an input of that name, or of another type, rank or extent.
Result<Model> with_given_values(
    const Model& model,
    const std::map<std::string, std::shared_ptr<const Tensor>, std::less<>>& given);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_GIVEN_VALUES_H_
