#include "src/pooling/quantised_table.h"

#include <algorithm>
#include <utility>

#include "src/base/memory.h"
#include "src/base/small_values.h"

namespace windrow::internal {
namespace {

// The most bytes of a row that are brought into a cache before it is read.
constexpr std::int64_t kMostFetched = 1024;

// Strides in elements of a view whose last axis is contiguous; nothing for other views. Elements
// count `per_byte` to a byte of a view of bytes that holds several in each.
std::optional<Strides> element_strides(const TensorView& view, std::int64_t per_byte) {
  if (is_packed(view.dtype)) return row_major_strides(view.shape, 1);
  const std::int64_t bytes = dtype_bits(view.dtype) / 8;
  Strides strides;
  for (int axis = 0; axis < view.shape.rank(); ++axis) {
    const bool is_last = axis + 1 == view.shape.rank();
    const bool moves = view.shape[axis] > 1;
    if (moves && (is_last ? view.strides[axis] != bytes : view.strides[axis] % bytes != 0))
      return std::nullopt;
    strides.push_back(is_last ? 1 : moves ? view.strides[axis] / bytes * per_byte : 0);
  }
  return strides;
}

// The strides of a view, or of a copy of it that takes its place.
Result<Strides> strides_or_copy(TensorView& view, std::int64_t per_byte,
                                std::optional<Tensor>& copy) {
  if (const auto strides = element_strides(view, per_byte)) return *strides;
  auto made = Tensor::copy_of(view);
  if (!made) return made.error();
  copy = *std::move(made);
  view = copy->view();
  return *element_strides(view, per_byte);
}

}  // namespace

Result<QuantisedTable> QuantisedTable::open(const Operation& operation,
                                            std::span<const TensorView> inputs) {
  QuantisedTable table(operation);
  const Dequantise& dequantise = *operation.dequantise;
  const auto input = [&](int number) { return inputs[static_cast<std::size_t>(number)]; };
  if (Status status = table.set_values(input(operation.data_input)); !status) return status;
  if (Status status = table.set_scales(input(dequantise.scales_input)); !status) return status;
  table.zero_strides_ = Strides::filled(table.extents_.rank(), 0);
  if (dequantise.has_zero_points)
    if (Status status = table.set_zero_points(input(dequantise.zero_points_input)); !status)
      return status;
  table.cut_lines();
  return table;
}

Status QuantisedTable::set_values(const TensorView& data) {
  TensorView view = data;
  auto strides = strides_or_copy(view, dtype_bits(data.dtype) / dequantise_.bits, copied_values_);
  if (!strides) return strides.error();
  value_strides_ = *strides;
  line_.codes = static_cast<const std::byte*>(view.data);
  line_.bits = dequantise_.bits;
  line_.values = small_float_values(data.dtype);
  if (dtype_kind(data.dtype) == DTypeKind::kSigned) line_.flip = 1U << (dequantise_.bits - 1);
  line_.zero = static_cast<float>(dequantise_.zero + line_.flip);
  return {};
}

Status QuantisedTable::set_scales(const TensorView& scales) {
  TensorView view = scales;
  auto strides = strides_or_copy(view, 1, copied_scales_);
  if (!strides) return strides.error();
  scale_strides_ = *strides;
  for (int axis = 0; axis < extents_.rank(); ++axis)
    if (view.shape[axis] == 1) scale_strides_[axis] = 0;
  line_.scales = static_cast<const std::byte*>(view.data);
  line_.scale_type = scales.dtype;
  scale_bytes_ = dtype_bits(scales.dtype) / 8;
  return {};
}

Status QuantisedTable::set_zero_points(const TensorView& zero_points) {
  TensorView view = zero_points;
  auto strides = strides_or_copy(view, dtype_bits(view.dtype) / dequantise_.bits, copied_zeros_);
  if (!strides) return strides.error();
  zero_strides_ = *strides;
  line_.zeros = static_cast<const std::byte*>(view.data);
  return {};
}

// Whether the axis before a line continues it: its values stand behind those of the line, and so do
// the scales, of which the line has `scales`, or it has only one and so has the axis.
bool QuantisedTable::extends_line(int axis, std::int64_t scales) const {
  if (axis == dequantise_.quantise_axis || value_strides_[axis] != line_.count) return false;
  const bool same_scale = scales == 1 && line_.block == line_.count && scale_strides_[axis] == 0;
  const bool next_scale = scale_strides_[axis] == scales && line_.count == scales * line_.block;
  if (line_.zeros == nullptr) return same_scale || next_scale;
  return next_scale && zero_strides_[axis] == scales;
}

void QuantisedTable::cut_lines() {
  const int last = extents_.rank() - 1;
  const int first = first_line_axis();
  for (int axis = first; axis <= last; ++axis) row_values_ *= extents_[axis];
  line_.count = 1;
  if (row_values_ == 0 || first > last) return;
  line_.count = extents_[last];
  const bool is_blocked = last == dequantise_.quantise_axis;
  // Along any other axis each value has its own scale, unless that is broadcast.
  line_.block = is_blocked ? dequantise_.block : scale_strides_[last] == 0 ? line_.count : 1;
  std::int64_t scales = (line_.count - 1) / line_.block + 1;
  if (is_blocked && scales == 1) line_.block = line_.count;
  int outer = last - 1;
  for (; outer >= first; --outer) {
    if (extents_[outer] == 1) continue;
    if (!extends_line(outer, scales)) break;
    const bool same_scale = scale_strides_[outer] == 0;
    line_.count *= extents_[outer];
    if (same_scale)
      line_.block = line_.count;
    else
      scales *= extents_[outer];
  }
  for (int axis = first; axis <= outer; ++axis) line_shape_.push_back(extents_[axis]);
}

QuantisedTable::Place QuantisedTable::first_of(std::int64_t row) const {
  Place place;
  for (int axis = dequantise_.gather_axis; axis > 0; --axis) {
    move(axis, row % extents_[axis], 1, place);
    row /= extents_[axis];
  }
  move(0, row, 1, place);
  return place;
}

void QuantisedTable::fetch(std::int64_t row) const {
  const Place place = first_of(row);
  const std::int64_t code_bytes = std::min(row_values_ * line_.bits / 8, kMostFetched);
  const std::byte* const codes = line_.codes + place.value * line_.bits / 8;
  for (std::int64_t at = 0; at < code_bytes; at += kLine) __builtin_prefetch(codes + at, 0, 3);
  const std::int64_t scales = row_values_ / line_.block;
  const std::byte* const scale = line_.scales + place.scale * scale_bytes_;
  for (std::int64_t at = 0; at < std::min(scales * scale_bytes_, kMostFetched); at += kLine)
    __builtin_prefetch(scale + at, 0, 3);
}

}  // namespace windrow::internal
