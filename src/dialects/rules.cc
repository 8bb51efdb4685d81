#include "src/dialects/rules.h"

#include <cctype>
#include <limits>
#include <utility>

namespace windrow::internal {

Rules::Rules(std::string_view dialect, std::string_view name, int version)
    : operator_name_(std::string(dialect) + "." + std::string(name) + "-" +
                     std::to_string(version)) {
  for (const char letter : dialect)
    label_prefix_ += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  label_prefix_ += "-" + std::string(name) + "-";
}

Status Rules::broken(ErrorCode code, std::string_view rule, std::string_view text) const {
  ErrorInfo info;
  info.code = code;
  info.operator_name = operator_name_;
  info.constraint = rule.substr(0, 5) == "CALL-" ? std::string(rule) : label(rule);
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

}  // namespace windrow::internal
