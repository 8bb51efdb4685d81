#include <optional>
#include <string>
#include <utility>

#include "src/portability/fixes.h"
#include "src/portability/judges.h"

namespace windrow::internal {
namespace {

// A type that every runtime supports and that holds every value of `dtype`, so that elements can be
// moved and compared in it; nothing if there is none.
std::optional<DType> wider_type(DType dtype) {
  switch (dtype) {
    case DType::kFloat16:
    case DType::kBFloat16:
      return DType::kFloat32;
    case DType::kInt8:
    case DType::kUint8:
    case DType::kInt16:
    case DType::kUint16:
      return DType::kInt32;
    default:
      return std::nullopt;
  }
}

// Whether each cell gets at most one sum or product of floats. A float with twice the digits then
// rounds the result as the narrow type does.
bool is_rounded_once(const NodeView& view) {
  const std::optional<Judgement> sums = judge_float_sums(view);
  return sums && sums->verdict == Verdict::kCannot && sums->premises.empty() &&
         (view.reduction == "add" || view.reduction == "mul");
}

// Makes the node read and write `wide`, with casts around it.
void widen(NodeEdit& edit, DType wide) {
  const NodeView& view = edit.view();
  const DType narrow = edit.input(view.data).dtype;
  edit.set_input(view.data, edit.cast(edit.input(view.data), wide));
  if (view.updates.is_given())
    edit.set_input(view.updates, edit.cast(edit.input(view.updates), wide));
  SymbolicShape dims;
  if (!view.outputs.empty()) dims = view.outputs.front().dims;
  const EditedValue result = edit.detach_output(wide, std::move(dims));
  edit.cast(result, narrow);
  edit.attach_output();
}

}  // namespace

Result<FixOutcome> widen_payload(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue data = edit.input(view.data);
  const std::string type(dtype_name(data.dtype));
  const std::optional<DType> wide = wider_type(data.dtype);
  if ((view.family & (kGathers | kScatters)) == 0 || !view.data.is_given() || !wide)
    return FixOutcome::left("there is no wider type in which " + type + " could be moved");
  const bool only_moves = !view.reduces() || view.takes_extreme();
  if (!only_moves && !is_rounded_once(view))
    return FixOutcome::left(
        "reduction \"" + view.reduction +
        "\" of several updates of a cell rounds otherwise in a wider type than in " + type);
  widen(edit, *wide);
  return FixOutcome::safe("data are cast to " + std::string(dtype_name(*wide)) +
                          ", which holds every " + type + ", and the result back");
}

Result<FixOutcome> sum_in_float32(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const DType type = view.data.fact.dtype;
  if (type != DType::kFloat16 && type != DType::kBFloat16)
    return FixOutcome::left("only sums of float16 and bfloat16 are widened to float32");
  // Another change may have widened it.
  if (edit.input(view.data).dtype == DType::kFloat32)
    return FixOutcome::safe("its sums are of float32");
  if (!edit.scope().unsafe)
    return FixOutcome::left("only an unsafe fix (casts to float32 and back) rounds sums otherwise");
  widen(edit, DType::kFloat32);
  return FixOutcome::rounds("data are cast to float32 and the result back: sums are rounded to " +
                            std::string(dtype_name(type)) + " once");
}

Result<FixOutcome> widen_indices(NodeEdit& edit) {
  const NodeView& view = edit.view();
  const EditedValue indices = edit.input(view.indices);
  const DTypeKind kind = dtype_kind(indices.dtype);
  const bool is_cut = view.family == kOneHot && kind == DTypeKind::kFloat;
  if (!is_integer(indices.dtype) && !is_cut)
    return FixOutcome::left("its indices are of a type that int64 does not stand for");
  if (indices.dtype == DType::kInt64) return FixOutcome::left("its indices are of int64");
  edit.set_input(view.indices, edit.cast(indices, DType::kInt64));
  return FixOutcome::safe(is_cut ? "the indices are cast to int64, as OneHot says of floats"
                                 : "the indices are cast to int64");
}

Result<FixOutcome> freeze_axis(NodeEdit& edit) {
  const NodeView& view = edit.view();
  if (view.dialect != kOpenvino || !view.axis_input.is_given() || !view.axis)
    return FixOutcome::left("the axis is not known");
  edit.set_input(view.axis_input,
                 edit.add_scalar("axis", static_cast<std::int64_t>(*view.axis), DType::kInt64));
  return FixOutcome::safe("the axis is a constant of int64, counted from the front");
}

}  // namespace windrow::internal
