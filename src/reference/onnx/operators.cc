#include "src/reference/onnx/operators.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "src/reference/quantised.h"
#include "src/reference/reduction.h"
#include "src/reference/tuples.h"

namespace windrow::internal::reference {

Result<Tensor> run(const onnx::Gather& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "Gather", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const bool strict_1 = op.version == 1 && call.strict();
  return gather_slices(call, strict_1 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C3"},
                       op.axis);
}

Result<Tensor> run(const onnx::GatherElements& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "GatherElements", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  if (Status status = check_gather_ranks(call); !status) return status;
  const auto axis = check_axis(call, op.axis, "data", call.data().shape.rank());
  if (!axis) return axis.error();
  if (Status status = check_window(call, "C2", *axis); !status) return status;
  return gather_elements(call, {"C3"}, *axis);
}

Result<Tensor> run(const onnx::GatherND& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "GatherND", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const std::int64_t b = op.batch_dims;
  if (op.version < 12 && b != 0)
    return call.invalid("A2", "batch_dims is " + std::to_string(b) + ", an attribute since 12");
  const auto result_shape = check_tuple_gather(call, {.batch_count = {"A1"}}, b);
  if (!result_shape) return result_shape.error();
  return gather_tuples(call, {"C5"}, static_cast<int>(b), *result_shape);
}

Result<Tensor> run(const onnx::OneHot& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "OneHot", op.version, Direction::kScatter, inputs, options,
                  OutOfRange::kSkip);
  if (Status status = call.check(); !status) return status;
  const OneHotInputs named = {.indices = inputs[0], .values = inputs[2], .depth = inputs[1]};
  const auto form = check_one_hot(call, op.axis, named, 1);
  if (!form) return form.error();
  const Negatives negatives = op.version < 11 ? Negatives::kOutside : Negatives::kCountFromEnd;
  return one_hot(call, {"C4", negatives}, named, *form);
}

Result<Tensor> run(const onnx::ArrayFeatureExtractor& op, Inputs inputs,
                   const CallOptions& options) {
  const Call call("onnx", "ArrayFeatureExtractor", op.version, Direction::kGather, inputs, options);
  if (Status status = call.check(); !status) return status;
  const TensorView& x = inputs[0];
  const TensorView& y = inputs[1];
  const int r = x.shape.rank();
  if (r < 1) return call.shape("C1", "X has rank 0, must have rank 1 or more");
  std::int64_t wide_axes = 0;
  for (const std::int64_t extent : y.shape) wide_axes += extent != 1 ? 1 : 0;
  for (const std::int64_t extent : slice(x.shape, 0, r - 1)) wide_axes += extent != 1 ? 1 : 0;
  if (wide_axes > kMaxRank)
    return call.shape("C1", "X and Y together have more than 32 axes of an extent other than 1");
  const Shape rows = r == 1 ? Shape{1} : slice(x.shape, 0, r - 1);
  const Shape result_shape = rows + Shape{*element_count(y.shape)};
  if (Status status = call.check_result(x.dtype, result_shape); !status) return status;

  const IndexRule rule = index_rule(call, {"C2", Negatives::kOutside}, x.shape, r - 1);
  if (Status status = check_indices(call, {"C2", "Y", "X"}, y, rule); !status) return status;

  return gather(call, x, result_shape, [&](const Position& p) -> std::optional<Position> {
    const auto c = coordinate(rule, y, position_of(y.shape, p.back()));
    if (!c) return std::nullopt;
    return (r == 1 ? Position() : slice(p, 0, r - 1)) + Position{*c};
  });
}

namespace {

constexpr std::array<NamedReduction, 5> kOnnxReductions = {{
    {"none", Reduction::kNone},
    {"add", Reduction::kAdd},
    {"mul", Reduction::kMul},
    {"max", Reduction::kMax},  // this and the next since 18
    {"min", Reduction::kMin},
}};

}  // namespace

bool onnx_has_reduction(DType dtype, Reduction reduction) {
  switch (dtype_kind(dtype)) {
    case DTypeKind::kComplex:
      return reduction != Reduction::kMin && reduction != Reduction::kMax;
    case DTypeKind::kText:
      return reduction != Reduction::kMul;
    default:
      return true;
  }
}

Result<Reduction> parse_onnx_reduction(const Call& call, std::string_view name, int version) {
  if (version < 16 && name != "none")
    return call.invalid("A2", "reduction is '" + std::string(name) + "', an attribute since 16");
  const auto allowed = std::span(kOnnxReductions).first(version < 18 ? 3 : kOnnxReductions.size());
  return parse_reduction(call, name, allowed, &onnx_has_reduction);
}

namespace {

// C1, A1, C2, C3, the indices and the body, in the labels of Scatter as of ScatterElements.
Result<Tensor> scatter_checked(const Call& call, std::int64_t given_axis, Reduction reduction,
                               const IndexUse& use) {
  if (Status status = check_equal_ranks(call); !status) return status;
  const auto axis = check_axis(call, given_axis, "data", call.data().shape.rank());
  if (!axis) return axis.error();
  if (Status status = check_element_shapes(call, *axis); !status) return status;
  return scatter_elements(call, use, *axis, {reduction});
}

}  // namespace

Result<Tensor> run(const onnx::Scatter& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "Scatter", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const bool strict_9 = op.version == 9 && call.strict();
  const IndexUse use = strict_9 ? IndexUse{"S1", Negatives::kRefused} : IndexUse{"C4"};
  return scatter_checked(call, op.axis, Reduction::kNone, use);
}

Result<Tensor> run(const onnx::ScatterElements& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "ScatterElements", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const auto reduction = parse_onnx_reduction(call, op.reduction, op.version);
  if (!reduction) return reduction.error();
  return scatter_checked(call, op.axis, *reduction, {"C4"});
}

Result<Tensor> run(const onnx::ScatterND& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "ScatterND", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const auto reduction = parse_onnx_reduction(call, op.reduction, op.version);
  if (!reduction) return reduction.error();
  if (Status status = check_tuple_scatter(call); !status) return status;
  if (call.updates().shape != tuple_updates_shape(call)) return wrong_tuple_updates(call);
  return scatter_tuples(call, {"C4"}, call.updates(), {*reduction});
}

namespace {

// A3, C1, A1, C2, C3, C4. Returns the axis, counted from the front.
Result<int> check(const Call& call, const onnx::TensorScatter& op, const Shape& cache,
                  const Shape& update, const TensorView& write_indices) {
  if (op.mode != "linear" && op.mode != "circular")
    return call.invalid("A3", "mode is '" + op.mode + "', must be linear or circular");
  const int r = cache.rank();
  if (r < 2 || update.rank() != r) {
    return call.shape("C1", "past_cache has rank " + std::to_string(r) + " and update has rank " +
                                std::to_string(update.rank()) + ", must be equal and at least 2");
  }
  auto axis = check_axis(call, op.axis, "past_cache", r);
  if (!axis) return axis;
  if (*axis == 0)
    return call.invalid("A1", "axis is " + std::to_string(op.axis) + ", the batch axis");
  if (Status status = check_off_axis(call, "C2", "past_cache", *axis); !status) return status;
  if (update[*axis] > cache[*axis])
    return call.shape("C3", "update has shape " + to_string(update) + ", longer than past_cache, " +
                                to_string(cache) + ", in axis " + std::to_string(*axis));
  if (write_indices.is_absent()) return axis;
  if (Status status = check_write_indices(call, "C4", write_indices.shape); !status) return status;
  return axis;
}

}  // namespace

Result<Tensor> run(const onnx::TensorScatter& op, Inputs inputs, const CallOptions& options) {
  const Call call("onnx", "TensorScatter", op.version, Direction::kScatter, inputs, options);
  if (Status status = call.check(); !status) return status;
  const TensorView write_indices = inputs.size() > 2 ? inputs[2] : TensorView();
  const auto axis = check(call, op, inputs[0].shape, inputs[1].shape, write_indices);
  if (!axis) return axis.error();
  const CacheMode mode = op.mode == "circular" ? CacheMode::kCircular : CacheMode::kLinear;
  return write_cache(call, {"C5", "write_indices", "past_cache"}, mode, *axis, write_indices);
}

Result<Tensor> run(const onnx::GatherBlockQuantized& op, Inputs inputs,
                   const CallOptions& options) {
  const Call call("onnx", "GatherBlockQuantized", op.version, Direction::kGather, inputs, options,
                  OutOfRange::kZero);
  if (Status status = call.check(); !status) return status;
  QuantisedCall asked;
  asked.axis = op.gather_axis;
  asked.quantize_axis = op.quantize_axis;
  asked.block_size = op.block_size;
  asked.bits = op.bits;
  asked.axis_name = "gather_axis";
  asked.is_onnx = true;
  asked.scales_rule = "C4";
  asked.zero_points_rule = "C5";
  asked.dtype = inputs[2].dtype;
  return take_quantised(call, {"C6"}, asked);
}

}  // namespace windrow::internal::reference
