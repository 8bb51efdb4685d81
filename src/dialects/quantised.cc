#include "src/dialects/quantised.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "src/dialects/gathers.h"
#include "src/dialects/maps.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kData = 0;
constexpr std::size_t kIndices = 1;
constexpr std::size_t kScales = 2;
constexpr std::size_t kZeroPoints = 3;

bool is_float(DType dtype) { return dtype_kind(dtype) == DTypeKind::kFloat; }

// The bits of a value of data.
std::int64_t value_bits(DType dtype, std::int64_t bits) {
  return dtype == DType::kUint8 && bits != 0 ? bits : dtype_bits(dtype);
}

// The values that an element of data holds; 1 where the type is not known.
std::int64_t values_each(DType dtype, std::int64_t bits) {
  return dtype == DType::kUint8 ? 8 / value_bits(dtype, bits) : 1;
}

Result<std::optional<std::int64_t>> check_named_axis(const Rules& rules, std::string_view rule,
                                                     std::string_view name, std::int64_t axis,
                                                     const KnownInput& data) {
  using Axis = std::optional<std::int64_t>;
  if (!data.has_rank()) return Axis();
  const std::int64_t rank = data.rank();
  if (axis >= -rank && axis < rank) return Axis(normal_axis(axis, static_cast<int>(rank)));
  return rules.invalid(rule, std::string(name) + " is " + std::to_string(axis) + ", must be in [" +
                                 std::to_string(-rank) + ", " + std::to_string(rank - 1) +
                                 "] for " + with_rank(data));
}

Status check_block_size(const Rules& rules, const QuantisedForm& form, DType dtype) {
  const std::int64_t size = form.block_size;
  const bool may_be_whole = form.takes_small_blocks || is_float(dtype) || dtype == DType::kAbsent;
  if (size == 0 && may_be_whole) return {};
  const bool fits = form.takes_small_blocks ? size > 0 : size >= 16 && (size & (size - 1)) == 0;
  if (fits) return {};
  return rules.invalid("A4", "block_size is " + std::to_string(size) + ", must be " +
                                 (form.takes_small_blocks ? "at least 0"
                                  : may_be_whole          ? "0 or a power of two from 16 on"
                                                          : "a power of two from 16 on"));
}

Status check_bits(const Rules& rules, const QuantisedForm& form, DType dtype) {
  if (dtype == DType::kAbsent) return {};
  const std::int64_t bits = form.bits;
  const auto refuse = [&](const std::string& expected) {
    return rules.invalid("A5", "bits is " + std::to_string(bits) + ", must be " + expected +
                                   " for data of type " + std::string(dtype_name(dtype)));
  };
  const bool may_be_own = form.takes_small_blocks && bits == 0;
  if (dtype == DType::kUint8)
    return bits == 2 || bits == 4 || bits == 8 || may_be_own ? Status() : refuse("2, 4 or 8");
  if (bits == dtype_bits(dtype) || may_be_own) return {};
  if (is_float(dtype) && !form.takes_small_blocks) return {};
  return refuse(std::to_string(dtype_bits(dtype)));
}

// The extents of data as values; nothing if one exceeds 2^63-1.
std::optional<SymbolicDims> value_dims(const KnownInput& data, const QuantisedForm& form) {
  SymbolicDims dims = *data.dims;
  const std::int64_t each = values_each(data.dtype, form.bits);
  if (data.dtype == DType::kAbsent) {
    dims.back() = Dim();
  } else if (each > 1) {
    if (dims.back().value > std::numeric_limits<std::int64_t>::max() / each) return std::nullopt;
    dims.back() = dims.back().is_known() ? Dim{dims.back().value * each, {}} : Dim();
  }
  return dims;
}

Dim divided(const Dim& dim, std::int64_t block) {
  if (!dim.is_known()) return Dim();
  return Dim{dim.value / block + (dim.value % block != 0 ? 1 : 0), {}};
}

// The extent that a quantised axis has in scales.
Dim block_count(const Dim& dim, std::int64_t block_size) {
  return divided(dim, block_size == 0 ? std::max<std::int64_t>(dim.value, 1) : block_size);
}

// Scales of floats, and of codes of an unknown type, may have 1 in place of any extent but the
// quantised one.
Status check_scales(const Rules& rules, const QuantisedForm& form, const KnownInputs& inputs,
                    const SymbolicDims& values, std::int64_t quantised) {
  const KnownInput& scales = inputs[kScales];
  SymbolicDims expected = values;
  Dim& blocks = expected[static_cast<std::size_t>(quantised)];
  blocks = block_count(blocks, form.block_size);
  const DType dtype = inputs[kData].dtype;
  const bool may_repeat = is_float(dtype) || dtype == DType::kAbsent;
  if (may_repeat && scales.has_rank() && scales.dims->size() == values.size()) {
    for (std::size_t axis = 0; axis < values.size(); ++axis)
      if (static_cast<std::int64_t>(axis) != quantised && (*scales.dims)[axis].value == 1)
        expected[axis] = Dim{1, {}};
  }
  return check_shape(rules, form.scales_rule, scales, expected);
}

Status check_zero_points(const Rules& rules, const QuantisedForm& form, const KnownInputs& inputs) {
  const KnownInput& data = inputs[kData];
  const KnownInput& scales = inputs[kScales];
  const KnownInput& zero_points = inputs[kZeroPoints];
  const bool is_given = zero_points.has_rank() || zero_points.dtype != DType::kAbsent;
  if (is_given && is_float(data.dtype))
    return rules.invalid(form.zero_points_rule, "zero_points are given for data of type " +
                                                    std::string(dtype_name(data.dtype)) +
                                                    ", which has none");
  if (!scales.has_rank() || scales.dims->empty()) return {};
  SymbolicDims expected = *scales.dims;
  expected.back() = data.dtype == DType::kAbsent
                        ? Dim()
                        : divided(expected.back(), values_each(data.dtype, form.bits));
  return check_shape(rules, form.zero_points_rule, zero_points, expected);
}

// C3 of ONNX Runtime's operator.
Status check_axes_of_bytes(const Rules& rules, const QuantisedForm& form, const KnownInput& data,
                           std::int64_t axis, std::int64_t quantised) {
  if (!form.fixes_axes_of_bytes || data.dtype != DType::kUint8) return {};
  if (axis != 0)
    return rules.invalid("C3", std::string(form.axis_name) + " is " + std::to_string(axis) +
                                   ", must be 0 for data of type uint8");
  if (quantised + 1 == data.rank()) return {};
  return rules.invalid("C3", "quantize_axis is " + std::to_string(quantised) +
                                 ", must be the last axis for data of type uint8");
}

Status check_rank(const Rules& rules, const QuantisedForm& form, const KnownInput& data) {
  if (!data.has_rank() || data.rank() >= form.least_rank) return {};
  return rules.shape("C1", describe_shape(data) + ", must have rank " +
                               std::to_string(form.least_rank) + " or more");
}

}  // namespace

Result<SymbolicShape> check_quantised(const Rules& rules, const QuantisedForm& form,
                                      const KnownInputs& inputs) {
  const KnownInput& data = inputs[kData];
  const KnownInput& indices = inputs[kIndices];
  if (Status status = check_rank(rules, form, data); !status) return status;
  const auto axis = check_named_axis(rules, "A1", form.axis_name, form.axis, data);
  if (!axis) return axis.error();
  const auto quantised = check_named_axis(rules, "A3", "quantize_axis", form.quantise_axis, data);
  if (!quantised) return quantised.error();
  if (Status status = check_block_size(rules, form, data.dtype); !status) return status;
  if (Status status = check_bits(rules, form, data.dtype); !status) return status;
  if (data.has_rank()) {
    if (Status status = check_axes_of_bytes(rules, form, data, **axis, **quantised); !status)
      return status;
    const auto values = value_dims(data, form);
    if (!values)
      return rules.shape("C2", describe_shape(data) + ", more than 2^63-1 values in the last axis");
    if (Status status = check_scales(rules, form, inputs, *values, **quantised); !status)
      return status;
    if (Status status = check_zero_points(rules, form, inputs); !status) return status;
    if (!indices.has_rank()) return SymbolicShape();
    const std::int64_t rank = data.rank() + indices.rank() - 1;
    if (Status status = check_result_rank(rules, "C2", rank); !status) return status;
    SymbolicDims result(values->begin(), values->begin() + **axis);
    append(result, indices, 0, indices.rank());
    result.insert(result.end(), values->begin() + **axis + 1, values->end());
    return SymbolicShape(std::move(result));
  }
  if (Status status = check_zero_points(rules, form, inputs); !status) return status;
  return SymbolicShape();
}

Operation build_quantised(const Rules& rules, const QuantisedForm& form,
                          std::span<const TensorSpec> inputs, const IndexUse& use, DType dtype,
                          std::string_view rule) {
  const TensorSpec& data = inputs[kData];
  Shape values = data.shape;
  values.back() *= values_each(data.dtype, form.bits);
  const int axis = normal_axis(form.axis, values.rank());
  Operation operation =
      gather_operation(rules, slice_map(values, inputs[kIndices].shape, axis, 0, use), use, rule);
  Dequantise dequantise;
  dequantise.gather_axis = axis;
  dequantise.quantise_axis = normal_axis(form.quantise_axis, values.rank());
  dequantise.bits = static_cast<int>(value_bits(data.dtype, form.bits));
  const std::int64_t extent = values[dequantise.quantise_axis];
  dequantise.block = form.block_size != 0 ? form.block_size : std::max<std::int64_t>(extent, 1);
  dequantise.has_zero_points = inputs.size() > kZeroPoints && !inputs[kZeroPoints].is_absent();
  if (data.dtype == DType::kUint8) dequantise.zero = std::int64_t{1} << (dequantise.bits - 1);
  dequantise.dtype = dtype;
  operation.dequantise = dequantise;
  return operation;
}

}  // namespace windrow::internal
