#include "src/reference/openvino/operators.h"

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/segments.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

Result<int> read_axis(const Call& call, const TensorView& axis) {
  if (axis.shape.rank() > 1 || element_count(axis.shape) != 1) {
    return call.invalid("A1", "axis has shape " + to_string(axis.shape) +
                                  ", must have rank 0, or rank 1 and one element");
  }
  const std::int64_t value = read_index(axis, Position::filled(axis.shape.rank(), 0));
  return check_axis(call, value, "data", call.data().shape.rank());
}

namespace {

// A4: the number of batch axes.
Result<int> read_batch(const Call& call, std::int64_t batch_dims, int r, int q, int axis) {
  const int most = std::min(r, q);
  const std::string text = "batch_dims is " + std::to_string(batch_dims);
  if (batch_dims < -most || batch_dims > most) {
    return call.invalid(
        "A4", text + ", must be in [" + std::to_string(-most) + ", " + std::to_string(most) + "]");
  }
  const auto batch = static_cast<int>(batch_dims < 0 ? batch_dims + q : batch_dims);
  if (batch > std::min(q, axis)) {
    return call.invalid(
        "A4", text + ", which means " + std::to_string(batch) + " batch axes, must be at most " +
                  std::to_string(std::min(q, axis)) + " for axis " + std::to_string(axis));
  }
  return batch;
}

}  // namespace

Result<Tensor> run(const openvino::Gather& op, Inputs inputs, const CallOptions& options) {
  const bool strict_old = op.version < 8 && options.strict;
  const Call call("openvino", "Gather", op.version, Direction::kGather, inputs, options,
                  strict_old ? OutOfRange::kError : OutOfRange::kZero);
  if (op.version < 7 && op.batch_dims != 0) {
    return call.invalid(
        "A2", "batch_dims is " + std::to_string(op.batch_dims) + ", an attribute since 7");
  }
  if (Status status = call.check(); !status) return status;
  const int r = call.data().shape.rank();
  const int q = call.indices().shape.rank();
  if (Status status = check_has_axes(call); !status) return status;
  const auto axis = read_axis(call, inputs[2]);
  if (!axis) return axis.error();
  const auto batch = read_batch(call, op.batch_dims, r, q, *axis);
  if (!batch) return batch.error();
  Status status = check_batches(call, Batches::kEqual, *batch);
  if (status) status = call.check_result_rank("C3", q + r - 1 - *batch);
  if (!status) return status;
  const IndexUse use = strict_old ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return gather_along_axis(call, use, *axis, *batch);
}

Result<Tensor> run(const openvino::GatherElements& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "GatherElements", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  if (Status status = check_gather_ranks(call); !status) return status;
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  const auto axis = check_axis(call, op.axis, "data", data.rank());
  if (!axis) return axis.error();
  for (int d = 0; d < data.rank(); ++d) {
    if (d == *axis || indices[d] == data[d]) continue;
    return call.shape("C2", "indices have shape " + to_string(indices) +
                                ", must differ from data of shape " + to_string(data) +
                                " in axis " + std::to_string(*axis) + " alone");
  }
  return gather_elements(call, {"C3"}, *axis);
}

Result<Tensor> run(const openvino::GatherND& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "GatherND", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const TupleGather gather = {.batch_count = {"A4"},
                              .batches = op.version < 8 ? Batches::kEqual : Batches::kRepeated,
                              .shortest = 0};
  auto result_shape = check_tuple_gather(call, gather, op.batch_dims);
  if (!result_shape) return result_shape.error();
  const int b = static_cast<int>(op.batch_dims);
  if (op.version < 8 && b > 1) {
    const Shape batches = slice(*result_shape, 0, b);
    const auto joined = element_count(batches);
    if (!joined) return call.too_large("the result's batch axis", batches);
    result_shape = Shape{*joined} + tail(*result_shape, b);
  }
  const bool strict_5 = op.version < 8 && call.strict();
  const IndexUse use = strict_5 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C5"};
  return gather_tuples(call, use, b, *result_shape);
}

bool openvino_has_reduction(DType dtype, Reduction reduction) {
  if (reduction == Reduction::kNone) return true;
  if (dtype == DType::kBool) return reduction != Reduction::kMean;
  const bool is_copied_only = dtype_bits(dtype) < 4 || dtype == DType::kNF4 ||
                              dtype == DType::kFloat4E2M1 || dtype == DType::kFloat8E8M0 ||
                              dtype == DType::kString;
  return !is_copied_only;
}

Result<Tensor> run(const openvino::ScatterElementsUpdate& op, Inputs inputs,
                   const CallOptions& options) {
  const Call call("openvino", "ScatterElementsUpdate", op.version, Direction::kScatter, inputs,
                  options);
  if (op.version < 12 && op.reduction != "none")
    return call.invalid("A2", "reduction is '" + op.reduction + "', an attribute since 12");
  if (op.version < 12 && !op.use_init_val)
    return call.invalid("A2", "use_init_val is false, an attribute since 12");
  if (Status status = call.check(); !status) return status;
  const auto reduction =
      parse_reduction(call, op.reduction, kElementReductions, &openvino_has_reduction);
  if (!reduction) return reduction.error();
  if (Status status = check_equal_ranks(call); !status) return status;
  const auto axis = read_axis(call, inputs[3]);
  if (!axis) return axis.error();
  if (Status status = check_element_shapes(call, *axis); !status) return status;
  const bool strict_3 = op.version < 12 && call.strict();
  const IndexUse use = strict_3 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return scatter_elements(call, use, *axis, {*reduction, op.use_init_val});
}

namespace {

// C1: on_value and off_value are scalars. Returns them as the other dialects have them, [off, on].
Result<Tensor> on_and_off(const Call& call, const TensorView& on, const TensorView& off) {
  for (const auto& [name, view] : {std::pair{"on_value", &on}, std::pair{"off_value", &off}})
    if (view->shape.rank() != 0)
      return call.shape("C1", std::string(name) + " has shape " + to_string(view->shape) +
                                  ", must have shape []");
  auto pair = filled(call, read_element(off, {}), {2});
  if (pair) write_element(*pair, {1}, read_element(on, {}));
  return pair;
}

Status check_mode(const Call& call, const openvino::OneHot& op) {
  const std::string& mode = op.negative_indices_mode;
  if (op.version < 16 && mode != "ignore_negative")
    return call.invalid("A2", "negative_indices_mode is '" + mode + "', an attribute since 16");
  if (Status status = call.check(); !status) return status;
  if (mode == "ignore_negative" || mode == "normalize") return {};
  return call.invalid(
      "A3", "negative_indices_mode is '" + mode + "', must be ignore_negative or normalize");
}

}  // namespace

Result<Tensor> run(const openvino::OneHot& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "OneHot", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  if (Status status = check_mode(call, op); !status) return status;
  const auto values = on_and_off(call, inputs[2], inputs[3]);
  if (!values) return values.error();
  const OneHotInputs named = {.indices = inputs[0], .values = *values, .depth = inputs[1]};
  const auto form = check_one_hot(call, op.axis, named, 0);
  if (!form) return form.error();
  if (op.version < 16 && call.strict())
    return one_hot(call, {"S1", Negatives::kRefused}, named, *form);
  const bool counts = op.negative_indices_mode == "normalize";
  return one_hot(call, {"C4", counts ? Negatives::kCountFromEnd : Negatives::kOutside}, named,
                 *form);
}

namespace {

// C3; `expected` is nothing where it would have more axes than a tensor can.
bool updates_fit(const std::optional<Shape>& expected, const Shape& updates) {
  if (!expected) return false;
  return updates == *expected || (expected->empty() && element_count(updates) == 1);
}

}  // namespace

Result<Tensor> run(const openvino::ScatterNDUpdate& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "ScatterNDUpdate", op.version, Direction::kScatter, inputs, options);
  if (op.version < 15 && op.reduction != "none")
    return call.invalid("A2", "reduction is '" + op.reduction + "', an attribute since 15");
  if (Status status = call.check(); !status) return status;
  const auto reduction =
      parse_reduction(call, op.reduction, kTupleReductions, &openvino_has_reduction);
  if (!reduction) return reduction.error();
  if (Status status = check_tuple_scatter(call); !status) return status;
  const TensorView& updates = call.updates();
  const auto expected = tuple_updates_shape(call);
  if (!updates_fit(expected, updates.shape)) return wrong_tuple_updates(call);

  const bool strict_3 = op.version < 15 && call.strict();
  const IndexUse use = strict_3 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  // Updates for a result of rank 0 may be one element of any rank.
  const TensorView plain =
      expected->empty() ? TensorView(updates.dtype, Shape(), updates.data) : updates;
  return scatter_tuples(call, use, plain, {*reduction});
}

Result<Tensor> run(const openvino::ScatterUpdate& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "ScatterUpdate", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  if (Status status = check_has_axes(call); !status) return status;
  const auto axis = read_axis(call, inputs[3]);
  if (!axis) return axis.error();
  const Shape& data = call.data().shape;
  const Shape& indices = call.indices().shape;
  const Shape& updates = call.updates().shape;
  Shape expected = slice(data, 0, *axis);
  const bool fits =
      expected.append(indices, 0, indices.rank()) && expected.append(data, *axis + 1, data.rank());
  if (!fits || updates != expected) {
    return call.shape("C2", "updates have shape " + to_string(updates) +
                                ", must have that of data, " + to_string(data) + ", with axis " +
                                std::to_string(*axis) + " replaced by the shape of indices, " +
                                to_string(indices));
  }
  return scatter_along_axis(call, {"C3", Negatives::kOutside}, *axis);
}

namespace {

// C3: one segment more than the last id says.
Result<std::int64_t> count_ids(const Call& call) {
  const TensorView& ids = call.indices();
  if (ids.shape[0] == 0) return 0;
  const std::int64_t last = read_index(ids, {ids.shape[0] - 1});
  if (last == std::numeric_limits<std::int64_t>::max())
    return call.shape("C3", "the last of segment_ids is " + std::to_string(last) +
                                ", must be less without num_segments");
  return std::max<std::int64_t>(last + 1, 0);
}

}  // namespace

Result<Tensor> run(const openvino::SegmentMax& op, Inputs inputs, const CallOptions& options) {
  const Call call("openvino", "SegmentMax", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  Status status = call.check();
  if (status) status = check_segment_policy(call, "SegmentMax");
  if (!status) return status;
  std::string mode;
  for (const unsigned char letter : op.fill_mode) mode += static_cast<char>(std::toupper(letter));
  if (mode != "ZERO" && mode != "LOWEST")
    return call.invalid("A3", "fill_mode is '" + op.fill_mode + "', must be ZERO or LOWEST");
  status = check_has_axes(call);
  if (status) status = check_segment_ids(call);
  if (!status) return status;
  const bool is_counted = inputs.size() > 2 && !inputs[2].is_absent();
  const auto count = is_counted ? read_count(call, "num_segments", inputs[2], 0) : count_ids(call);
  if (!count) return count.error();
  const Negatives negatives = call.negative() ? Negatives::kOutside : Negatives::kRefused;
  const DType dtype = call.data().dtype;
  return fold_segments(
      call, {"C4", {"C5", negatives}}, *count, Reduction::kMax,
      mode == "ZERO" ? zero_element(dtype) : neutral_element(dtype, Reduction::kMax));
}

}  // namespace windrow::internal::reference
