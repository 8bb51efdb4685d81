#include "src/dialects/onnx/rules.h"

#include <limits>
#include <utility>

namespace windrow::internal {

Status Rules::broken(ErrorCode code, std::string_view rule, std::string_view text) const {
  ErrorInfo info;
  info.code = code;
  info.operator_name = operator_name_;
  info.constraint = label(rule);
  info.message = operator_name_ + " [" + info.constraint + "]: " + std::string(text);
  return Status(std::move(info));
}

std::optional<int> normal_axis(std::int64_t axis, int rank) {
  if (axis < -rank || axis >= rank) return std::nullopt;
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

Status axis_error(const Rules& rules, std::int64_t axis, std::string_view data_name, int rank) {
  return rules.broken(ErrorCode::kInvalidArgument, "A1",
                      "axis is " + std::to_string(axis) + ", must be in [" + std::to_string(-rank) +
                          ", " + std::to_string(rank - 1) + "] for " + std::string(data_name) +
                          " of rank " + std::to_string(rank));
}

AxisMap loop_axis(std::int64_t extent, int loop) {
  AxisMap axis;
  axis.extent = extent;
  axis.loops.push_back({loop, 1});
  return axis;
}

AxisMap index_axis(std::int64_t extent, int input, std::vector<IndexCoordinate> coordinates,
                   OutOfRange policy, Negatives negatives) {
  IndexTerm term;
  term.input = input;
  term.coordinates = std::move(coordinates);
  if (negatives == Negatives::kCountFromEnd) term.normalise = Normalise::kNegativeWraps;
  // Clamp and modulo have no coordinate to choose on an empty axis.
  const bool nowhere =
      extent == 0 && (policy == OutOfRange::kClamp || policy == OutOfRange::kModulo);
  if (policy == OutOfRange::kError) {
    term.legal = {negatives == Negatives::kCountFromEnd ? -extent : 0, extent - 1};
  } else if (nowhere) {
    term.legal = {0, -1};
  } else if (negatives == Negatives::kRefused) {
    term.legal = {0, std::numeric_limits<std::int64_t>::max()};
  }
  AxisMap axis;
  axis.extent = extent;
  axis.policy = policy;
  axis.terms.push_back(std::move(term));
  return axis;
}

std::vector<AxisMap> element_axes(const Shape& data, const Shape& indices, int axis,
                                  OutOfRange policy, Negatives negatives) {
  std::vector<AxisMap> axes;
  for (int d = 0; d < data.rank(); ++d) {
    if (d != axis) {
      axes.push_back(loop_axis(data[d], d));
      continue;
    }
    std::vector<IndexCoordinate> coordinates;
    for (int j = 0; j < indices.rank(); ++j) coordinates.push_back({j, 0});
    axes.push_back(index_axis(data[d], 1, std::move(coordinates), policy, negatives));
  }
  return axes;
}

std::vector<AxisMap> tuple_axes(const Shape& data, const Shape& indices, int batch_dims,
                                OutOfRange policy) {
  const int tuple_axis = indices.rank() - 1;
  const int first_slice_axis = batch_dims + static_cast<int>(indices.back());
  std::vector<AxisMap> axes;
  for (int d = 0; d < data.rank(); ++d) {
    if (d < batch_dims || d >= first_slice_axis) {
      axes.push_back(loop_axis(data[d], d < batch_dims ? d : tuple_axis + d - first_slice_axis));
      continue;
    }
    std::vector<IndexCoordinate> coordinates;
    for (int j = 0; j < tuple_axis; ++j) coordinates.push_back({j, 0});
    coordinates.push_back({-1, d - batch_dims});
    axes.push_back(
        index_axis(data[d], 1, std::move(coordinates), policy, Negatives::kCountFromEnd));
  }
  return axes;
}

Result<Combine> parse_reduction(const Rules& rules, const std::string& name, int version,
                                DType dtype) {
  if (name == "none") return Combine::kAssign;
  const bool ordered = name == "max" || name == "min";
  if ((name != "add" && name != "mul" && !ordered) || (ordered && version < 18))
    return rules.broken(ErrorCode::kInvalidArgument, "A3",
                        "reduction is '" + name + "', must be none, add" +
                            (version < 18 ? " or mul" : ", mul, max or min"));
  const DTypeKind kind = dtype_kind(dtype);
  if ((kind == DTypeKind::kComplex && ordered) || (kind == DTypeKind::kText && name == "mul"))
    return rules.broken(
        ErrorCode::kType, "A3",
        "reduction '" + name + "' has no meaning for " + std::string(dtype_name(dtype)));
  if (name == "add") return Combine::kAdd;
  if (name == "mul") return Combine::kMul;
  return name == "max" ? Combine::kMax : Combine::kMin;
}

}  // namespace windrow::internal
