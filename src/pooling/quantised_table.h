#ifndef WINDROW_POOLING_QUANTISED_TABLE_H_
#define WINDROW_POOLING_QUANTISED_TABLE_H_

#include <cstdint>
#include <optional>
#include <span>

#include "src/access/access_map.h"
#include "src/kernels/jobs.h"
#include "windrow/shape.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The table of a quantised look-up: where the values, scales and zero points of a row are. A row is
// what lies behind the gathered axis; rows are numbered in row-major order of the axes up to it.
class QuantisedTable {
 public:
  // The inputs are the operation's. Those whose layout the kernels do not take are copied
  // row-major. Errors: kOutOfMemory.
  static Result<QuantisedTable> open(const Operation& operation,
                                     std::span<const TensorView> inputs);

  // The number of values of a row.
  std::int64_t row_values() const noexcept { return row_values_; }

  // Calls take(line) for the lines of a row in order, which begin at `out`, each of `value_bytes`
  // per value. Precondition: the row has values.
  template <class Take>
  void for_each_line(std::int64_t row, std::byte* out, std::int64_t value_bytes,
                     const Take& take) const {
    Place place = first_of(row);
    Dims counters = Dims::filled(line_shape_.rank(), 0);
    QuantisedLine line = line_;
    for (;;) {
      line.out = out;
      line.first_code = place.value;
      line.scales = line_.scales + place.scale * scale_bytes_;
      line.first_zero = place.zero;
      take(line);
      out += line.count * value_bytes;
      int axis = line_shape_.rank() - 1;
      for (; axis >= 0; --axis) {
        const int own = first_line_axis() + axis;
        move(own, counters[axis], -1, place);
        if (++counters[axis] < line_shape_[axis]) {
          move(own, counters[axis], 1, place);
          break;
        }
        counters[axis] = 0;
      }
      if (axis < 0) return;
    }
  }

  // Brings the beginning of a row into the first-level cache.
  void fetch(std::int64_t row) const;

 private:
  // Numbers of elements after the first one of the values, the scales and the zero points.
  struct Place {
    std::int64_t value = 0;
    std::int64_t scale = 0;
    std::int64_t zero = 0;
  };

  explicit QuantisedTable(const Operation& operation) : dequantise_(*operation.dequantise) {
    for (const AxisMap& axis : operation.map.axes) extents_.push_back(axis.extent);
  }

  Status set_values(const TensorView& data);
  Status set_scales(const TensorView& scales);
  Status set_zero_points(const TensorView& zero_points);
  void cut_lines();
  bool extends_line(int axis, std::int64_t scales) const;

  int first_line_axis() const { return dequantise_.gather_axis + 1; }
  Place first_of(std::int64_t row) const;
  // Adds `times` the distance of a coordinate from 0 on an axis.
  void move(int axis, std::int64_t coordinate, std::int64_t times, Place& place) const {
    const std::int64_t block =
        axis == dequantise_.quantise_axis ? coordinate / dequantise_.block : coordinate;
    place.value += times * coordinate * value_strides_[axis];
    place.scale += times * block * scale_strides_[axis];
    place.zero += times * block * zero_strides_[axis];
  }

  Dequantise dequantise_;
  Shape extents_;  // of the values
  // In elements, one per axis of the values. A scale that is broadcast has a stride of 0.
  Strides value_strides_;
  Strides scale_strides_;
  Strides zero_strides_;
  Shape line_shape_;  // the axes behind the gathered one that are not part of a line
  std::int64_t row_values_ = 1;
  std::int64_t scale_bytes_ = 4;
  QuantisedLine line_;  // what all lines have in common
  std::optional<Tensor> copied_values_;
  std::optional<Tensor> copied_scales_;
  std::optional<Tensor> copied_zeros_;
};

}  // namespace windrow::internal

#endif  // WINDROW_POOLING_QUANTISED_TABLE_H_
