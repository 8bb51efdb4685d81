#include "src/explain/explain_code.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "src/explain/explain_point.h"
#include "src/explain/to_text.h"
#include "src/reference/element.h"

namespace windrow::internal {
namespace {

// The values in an element.
int values_in_each(DType dtype, int bits) { return dtype == DType::kUint8 ? 8 / bits : 1; }

// The value at a position that counts the values of a tensor, of which a byte may have several
// along its last axis, the first in its lowest bits.
std::string code_text(const TensorView& tensor, int bits, Dims position) {
  const int each = values_in_each(tensor.dtype, bits);
  const auto number = static_cast<unsigned>(position.back() % each);
  position.back() /= each;
  const reference::Element element = reference::read_element(tensor, position);
  if (each == 1) return element_text(element);
  const auto byte = std::to_integer<unsigned>(element.bits[0]);
  return std::to_string(byte >> (number * static_cast<unsigned>(bits)) & ((1U << bits) - 1U));
}

// Scales may have 1 in place of an extent, so that one scale serves the whole axis.
Dims scale_position(const Dequantise& dequantise, const Shape& scales, Dims position) {
  position[dequantise.quantise_axis] /= dequantise.block;
  for (int axis = 0; axis < position.rank(); ++axis)
    if (scales[axis] == 1) position[axis] = 0;
  return position;
}

}  // namespace

void explain_code(const Dequantise& dequantise, std::span<const TensorView> inputs,
                  const TensorView& data, ExplainedPoint& point) {
  const TensorView& scales = inputs[static_cast<std::size_t>(dequantise.scales_input)];
  if (!point.cell || !has_values(data) || !has_values(scales)) return;
  std::string zero_point = dequantise.zero == 0 ? "" : std::to_string(dequantise.zero);
  const Dims position = scale_position(dequantise, scales.shape, *point.cell);
  if (dequantise.has_zero_points) {
    const TensorView& given = inputs[static_cast<std::size_t>(dequantise.zero_points_input)];
    if (!has_values(given)) return;
    zero_point = code_text(given, dequantise.bits, position);
  }
  point.code = code_text(data, dequantise.bits, *point.cell);
  point.zero_point = zero_point;
  point.scale = element_text(reference::read_element(scales, position));
}

ExplainedTensor count_values(const Dequantise& dequantise, const TensorView& data,
                             const ExplainedTensor& explained, std::int64_t most_values) {
  const int each = values_in_each(data.dtype, dequantise.bits);
  if (each == 1 || data.shape.empty()) return {};
  ExplainedTensor counted = explained;
  counted.values.clear();
  counted.shape.back() *= each;
  const std::optional<std::int64_t> count = element_count(counted.shape);
  if (!explained.has_values || !count || *count > most_values) return counted;
  reference::for_each_position(counted.shape, [&](const Dims& position) {
    counted.values.push_back(code_text(data, dequantise.bits, position));
    return true;
  });
  return counted;
}

}  // namespace windrow::internal
