#include "src/access/evaluate.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "src/base/element.h"
#include "src/base/float_types.h"
#include "src/base/integers.h"
#include "src/base/memory.h"

namespace windrow::internal {
namespace {

template <class T>
std::int64_t read_as(const void* data) {
  return index_value(read_once<T>(data));
}

std::uint64_t read_uint64(const void* data) {
  std::uint64_t value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

std::int64_t floor_modulo(std::int64_t value, std::int64_t extent) {
  const std::int64_t rest = value % extent;
  return rest < 0 ? rest + extent : rest;
}

// Nothing if the index is padding.
std::optional<std::int64_t> term_value(const IndexTerm& term, const AxisMap& axis,
                                       const TensorView& indices, const Dims& point) {
  const Dims position = index_position(term, point);
  std::int64_t offset = 0;
  for (int a = 0; a < position.rank(); ++a) offset += position[a] * indices.strides[a];
  // A copy, so that an index that changes during the call is read only once.
  std::byte element[sizeof(std::int64_t)];
  std::memcpy(element, static_cast<const std::byte*>(indices.data) + offset,
              static_cast<std::size_t>(dtype_bits(indices.dtype) + 7) / 8);
  if (is_padding(term, indices.dtype, element)) return std::nullopt;
  return count_index(term, axis, indices.dtype, element);
}

std::optional<std::int64_t> coordinate_of(const AxisMap& axis, std::span<const TensorView> inputs,
                                          const Dims& point) {
  std::int64_t coordinate = counted_loops(axis, point);
  for (const IndexTerm& term : axis.terms) {
    const auto value = term_value(term, axis, inputs[static_cast<std::size_t>(term.input)], point);
    if (!value) return std::nullopt;
    coordinate = saturating_add(coordinate, *value);
  }
  return place(coordinate, axis);
}

bool is_valid_axis(const AxisMap& axis, const Shape& loops) {
  std::int64_t low = axis.base;
  std::int64_t high = axis.base;
  for (const LoopTerm& term : axis.loops) {
    if (term.loop < 0 || term.loop >= loops.rank()) return false;
    const std::int64_t reach = term.coefficient * (loops[term.loop] - 1);
    (reach < 0 ? low : high) += reach;
  }
  for (const IndexTerm& term : axis.terms)
    for (const IndexCoordinate& coordinate : term.coordinates)
      if (coordinate.loop >= loops.rank()) return false;
  return !axis.terms.empty() || element_count(loops) == 0 || (low >= 0 && high < axis.extent);
}

}  // namespace

std::int64_t read_index(DType dtype, const void* data) {
  switch (dtype) {
    case DType::kInt4:
      return (get_packed(dtype, data, 0) ^ 8) - 8;
    case DType::kUint4:
      return get_packed(dtype, data, 0);
    case DType::kInt8:
      return read_as<std::int8_t>(data);
    case DType::kInt16:
      return read_as<std::int16_t>(data);
    case DType::kInt32:
      return read_as<std::int32_t>(data);
    case DType::kUint8:
      return read_as<std::uint8_t>(data);
    case DType::kUint16:
      return read_as<std::uint16_t>(data);
    case DType::kUint32:
      return read_as<std::uint32_t>(data);
    case DType::kUint64:
      return read_as<std::uint64_t>(data);
    case DType::kFloat16:
      return index_value(
          float16_to_float(static_cast<std::uint16_t>(read_as<std::uint16_t>(data))));
    case DType::kBFloat16:
      return index_value(
          bfloat16_to_float(static_cast<std::uint16_t>(read_as<std::uint16_t>(data))));
    case DType::kFloat32:
      return read_as<float>(data);
    case DType::kFloat64:
      return read_as<double>(data);
    default:
      return read_as<std::int64_t>(data);
  }
}

std::int64_t element_offset(const TensorView& view, std::int64_t number) {
  std::int64_t offset = 0;
  for (int axis = view.shape.rank() - 1; axis >= 0; --axis) {
    offset += number % view.shape[axis] * view.strides[axis];
    number /= view.shape[axis];
  }
  return offset;
}

std::int64_t read_index_at(const TensorView& indices, std::int64_t number) {
  if (is_packed(indices.dtype)) {
    const std::uint8_t code = get_packed(indices.dtype, indices.data, number);
    return read_index(indices.dtype, &code);
  }
  return read_index(indices.dtype,
                    static_cast<const std::byte*>(indices.data) + element_offset(indices, number));
}

std::string index_text(DType dtype, const void* data) {
  return dtype == DType::kUint64 ? std::to_string(read_uint64(data))
                                 : std::to_string(read_index(dtype, data));
}

namespace {

// Whether an index of the type, a float after its truncation, can be `value`.
bool can_be(DType dtype, std::int64_t value) {
  if (!is_integer(dtype) || dtype == DType::kInt64) return true;
  if (dtype_kind(dtype) == DTypeKind::kUnsigned)
    return value >= 0 && (dtype == DType::kUint64 || value >> dtype_bits(dtype) == 0);
  const std::int64_t limit = std::int64_t{1} << (dtype_bits(dtype) - 1);
  return -limit <= value && value < limit;
}

}  // namespace

std::optional<std::int64_t> padding_of(const IndexTerm& term, DType dtype) {
  return term.padding && can_be(dtype, *term.padding) ? term.padding : std::nullopt;
}

bool is_padding(const IndexTerm& term, DType dtype, const void* element) {
  const std::optional<std::int64_t> padding = padding_of(term, dtype);
  if (!padding) return false;
  return dtype == DType::kUint64 ? read_uint64(element) == static_cast<std::uint64_t>(*padding)
                                 : read_index(dtype, element) == *padding;
}

Dims index_position(const IndexTerm& term, const Dims& point) {
  Dims position;
  for (const IndexCoordinate& coordinate : term.coordinates)
    position.push_back(coordinate.loop >= 0 ? point[coordinate.loop] : coordinate.fixed);
  return position;
}

std::int64_t count_index(const IndexTerm& term, const AxisMap& axis, DType dtype,
                         const void* element) {
  if (axis.policy == OutOfRange::kModulo && dtype == DType::kUint64)
    return floor_modulo(congruent_value(read_uint64(element), axis.extent), axis.extent);
  const std::int64_t value = read_index(dtype, element);
  if (axis.policy == OutOfRange::kModulo) return floor_modulo(value, axis.extent);
  return term.normalise == Normalise::kNegativeWraps && value < 0 ? value + axis.extent : value;
}

std::int64_t counted_loops(const AxisMap& axis, const Dims& point) {
  std::int64_t sum = axis.base;
  for (const LoopTerm& loop : axis.loops) sum += loop.coefficient * point[loop.loop];
  return sum;
}

std::optional<std::int64_t> place(std::int64_t sum, const AxisMap& axis) {
  if (axis.policy == OutOfRange::kModulo) return floor_modulo(sum, axis.extent);
  if (axis.policy == OutOfRange::kClamp)
    return sum < 0 ? 0 : (sum < axis.extent ? sum : axis.extent - 1);
  if (sum < 0 || sum >= axis.extent) return std::nullopt;
  return sum;
}

std::optional<Dims> evaluate(const AccessMap& map, std::span<const TensorView> inputs,
                             const Dims& point) {
  Dims position;
  for (const AxisMap& axis : map.axes) {
    const auto coordinate = coordinate_of(axis, inputs, point);
    if (!coordinate) return std::nullopt;
    position.push_back(*coordinate);
  }
  return position;
}

bool is_valid(const AccessMap& map) {
  for (const AxisMap& axis : map.axes)
    if (!is_valid_axis(axis, map.loops)) return false;
  return true;
}

namespace {

// For each loop, the number of coordinates in the indirect tensor and in index tensors that it is
// part of.
std::vector<int> count_uses(const AccessMap& map, std::span<const TensorSpec> inputs) {
  std::vector<int> uses(static_cast<std::size_t>(map.loops.rank()));
  const auto use = [&uses](int loop) {
    if (loop >= 0) ++uses[static_cast<std::size_t>(loop)];
  };
  for (const AxisMap& axis : map.axes) {
    for (const LoopTerm& term : axis.loops) use(term.loop);
    for (const IndexTerm& term : axis.terms) {
      const auto& strides = inputs[static_cast<std::size_t>(term.input)].strides;
      for (int a = 0; a < static_cast<int>(term.coordinates.size()); ++a)
        if (!strides || (*strides)[a] != 0) use(term.coordinates[static_cast<std::size_t>(a)].loop);
    }
  }
  return uses;
}

bool is_walked_whole(const AccessMap& map, const AxisMap& axis) {
  return axis.terms.empty() && axis.base == 0 && axis.loops.size() == 1 &&
         axis.loops.front().coefficient == 1 && axis.extent > 1 &&
         map.loops[axis.loops.front().loop] == axis.extent;
}

}  // namespace

AccessMap without_uniform_axes(const AccessMap& map, std::span<const TensorSpec> inputs) {
  const std::vector<int> uses = count_uses(map, inputs);
  AccessMap smaller = map;
  for (AxisMap& axis : smaller.axes) {
    if (!is_walked_whole(map, axis)) continue;
    const int loop = axis.loops.front().loop;
    if (uses[static_cast<std::size_t>(loop)] != 1) continue;
    axis.extent = 1;
    smaller.loops[loop] = 1;
  }
  return smaller;
}

Shape indirect_shape(const AccessMap& map) {
  std::vector<std::int64_t> extents;
  extents.reserve(map.axes.size());
  for (const AxisMap& axis : map.axes) extents.push_back(axis.extent);
  return Shape(extents);
}

}  // namespace windrow::internal
