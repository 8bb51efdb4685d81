#include "src/reference/array/operators.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/quantised.h"
#include "src/reference/reduction.h"
#include "src/reference/segments.h"

namespace windrow::internal::reference {
namespace {

// The position to read in a tensor of `shape`.
Position repeated(const Shape& shape, const Position& p) {
  Position place = p;
  for (int d = 0; d < shape.rank(); ++d)
    if (shape[d] == 1) place[d] = 0;
  return place;
}

}  // namespace

Result<int> check_along_axis(const Call& call, std::int64_t axis) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  if (Status status = check_gather_ranks(call); !status) return status;
  auto normal = check_axis(call, axis, "data", data.rank());
  if (!normal) return normal;
  for (int d = 0; d < data.rank(); ++d) {
    if (d == *normal || data[d] == indices[d] || data[d] == 1 || indices[d] == 1) continue;
    return call.shape("C2", "data of shape " + to_string(data) + " and indices of shape " +
                                to_string(indices) + " do not broadcast in axis " +
                                std::to_string(d));
  }
  return normal;
}

Shape addressed_shape(const Call& call, int axis) {
  const Shape& indices = call.indices().shape;
  Shape shape = indices;
  for (int d = 0; d < indices.rank(); ++d)
    if (d != axis && indices[d] == 1) shape[d] = call.data().shape[d];
  return shape;
}

Address broadcast_address(const Call& call, const IndexRule& rule) {
  return [rule, data = call.data().shape,
          indices = call.indices()](const Position& i) -> std::optional<Position> {
    const auto c = coordinate(rule, indices, repeated(indices.shape, i));
    if (!c) return std::nullopt;
    Position p = repeated(data, i);
    p[rule.axis] = *c;
    return p;
  };
}

Result<Tensor> fold_rows(const Call& call, std::int64_t axis, const Fold& fold) {
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  const Shape& updates = call.updates().shape;
  const auto normal = check_slice_axis(call, axis);
  if (!normal) return normal.error();
  if (indices.rank() != 1)
    return call.shape("C2", "indices have shape " + to_string(indices) + ", must have rank 1");
  const Shape expected = slice(data, 0, *normal) + indices + tail(data, *normal + 1);
  if (updates != expected)
    return call.shape(
        "C3", "updates have shape " + to_string(updates) + ", must have " + to_string(expected));
  return scatter_along_axis(call, array_indices(call, "C4"), *normal, fold);
}

namespace {

constexpr std::array<NamedReduction, 5> kReductions = {{
    {"sum", Reduction::kAdd},
    {"prod", Reduction::kMul},
    {"min", Reduction::kMin},
    {"max", Reduction::kMax},
    {"mean", Reduction::kMean},
}};

bool has_meaning(DType dtype, Reduction reduction) {
  if (reduction == Reduction::kAdd || reduction == Reduction::kMul) return true;
  if (dtype == DType::kBool) return reduction != Reduction::kMean;
  return dtype != DType::kComplex64 && dtype != DType::kComplex128;
}

}  // namespace

Result<Reduction> parse_array_reduction(const Call& call, std::string_view name) {
  return parse_reduction(call, name, kReductions, &has_meaning);
}

Result<Tensor> run(const array::Take& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "Take", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  return gather_slices(call, array_indices(call, "C3"), op.axis);
}

Result<Tensor> run(const array::TakeAlongAxis& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "TakeAlongAxis", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const auto axis = check_along_axis(call, op.axis);
  if (!axis) return axis.error();
  const Shape shape = addressed_shape(call, *axis);
  if (Status status = call.check_result(call.data().dtype, shape); !status) return status;
  const auto rule = check_indices(call, array_indices(call, "C3"), *axis);
  if (!rule) return rule.error();
  return gather(call, call.data(), shape, broadcast_address(call, *rule));
}

namespace {

// C3: apart from leading ones, values has no more axes than `shape`, and each of its extents is 1
// or that of `shape`, seen from the end.
bool broadcasts(const Shape& values, const Shape& shape) {
  for (int back = 1; back <= values.rank(); ++back) {
    const std::int64_t extent = values[values.rank() - back];
    const bool beyond = back > shape.rank();
    if (extent != 1 && (beyond || extent != shape[shape.rank() - back])) return false;
  }
  return true;
}

// `values` with every repetition written out.
Result<Tensor> broadcast(const Call& call, const TensorView& values, const Shape& shape) {
  return gather(call, values, shape, [&](const Position& p) -> std::optional<Position> {
    Position place = Position::filled(values.shape.rank(), 0);
    for (int back = 1; back <= std::min(place.rank(), p.rank()); ++back) {
      const int axis = place.rank() - back;
      if (values.shape[axis] != 1) place[axis] = p[p.rank() - back];
    }
    return place;
  });
}

}  // namespace

Result<Tensor> run(const array::PutAlongAxis& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "PutAlongAxis", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const TensorView& values = inputs[2];
  const auto axis = check_along_axis(call, op.axis);
  if (!axis) return axis.error();
  const Shape shape = addressed_shape(call, *axis);
  if (!broadcasts(values.shape, shape))
    return call.shape("C3", "values of shape " + to_string(values.shape) +
                                " do not broadcast to the addressed shape, " + to_string(shape));
  const auto rule = check_indices(call, array_indices(call, "C4"), *axis);
  if (!rule) return rule.error();
  const auto updates = broadcast(call, values, shape);
  if (!updates) return updates.error();
  return scatter(call, call.data(), updates->view(), "values", {}, broadcast_address(call, *rule));
}

Result<Tensor> run(const array::IndexAdd& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "IndexAdd", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  return fold_rows(call, op.axis, {Reduction::kAdd});
}

Result<Tensor> run(const array::IndexReduce& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "IndexReduce", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const auto reduction = parse_array_reduction(call, op.reduction);
  if (!reduction) return reduction.error();
  return fold_rows(call, op.axis, {*reduction, op.use_init_val});
}

Result<Tensor> run(const array::SegmentReduce& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "SegmentReduce", op.version, Direction::kScatter, inputs, options);
  Status status = call.check();
  if (status) status = check_segment_policy(call, "SegmentReduce");
  if (!status) return status;
  const auto reduction = parse_array_reduction(call, op.reduction);
  if (!reduction) return reduction.error();
  if (status = check_has_axes(call); !status) return status;
  if (op.num_segments < 0)
    return call.invalid(
        "A4", "num_segments is " + std::to_string(op.num_segments) + ", must not be negative");
  if (inputs.size() > 2 && is_given(inputs[2])) {
    const Shape& offsets = inputs[2].shape;
    const bool fits =
        offsets.rank() == 1 && (offsets[0] == op.num_segments || offsets[0] - 1 == op.num_segments);
    if (!fits)
      return call.shape("C2", "offsets have shape " + to_string(offsets) + " for " +
                                  std::to_string(op.num_segments) + " segments");
    if (status = call.check_padding(0); !status) return status;
    return fold_between(call, "C5", inputs[2], op.num_segments, *reduction);
  }
  if (status = check_segment_ids(call); !status) return status;
  return fold_segments(call, {"C3", {"C4", Negatives::kOutside}}, op.num_segments, *reduction,
                       identity_element(call.data().dtype, *reduction));
}

Result<Tensor> run(const array::TakeQuantized& op, Inputs inputs, const CallOptions& options) {
  const Call call("array", "TakeQuantized", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  QuantisedCall asked;
  asked.axis = op.axis;
  asked.quantize_axis = op.quantize_axis;
  asked.block_size = op.block_size;
  asked.bits = op.bits;
  asked.axis_name = "axis";
  asked.scales_rule = "C3";
  asked.zero_points_rule = "C4";
  asked.dtype = inputs[2].dtype;
  if (op.dtype == "float32")
    asked.dtype = DType::kFloat32;
  else if (op.dtype == "float16")
    asked.dtype = DType::kFloat16;
  else if (op.dtype == "bfloat16")
    asked.dtype = DType::kBFloat16;
  else if (!op.dtype.empty())
    return call.invalid("A6", "dtype is '" + op.dtype + "'");
  return take_quantised(call, array_indices(call, "C5"), asked);
}

}  // namespace windrow::internal::reference
