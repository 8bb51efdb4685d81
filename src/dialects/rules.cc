#include "src/dialects/rules.h"

#include <cctype>
#include <limits>
#include <utility>

namespace windrow::internal {

std::string Rules::operator_name() const {
  return std::string(dialect_) + "." + std::string(name_) + "-" + std::to_string(version_);
}

std::string Rules::label(std::string_view rule) const {
  std::string label;
  for (const char letter : dialect_)
    label += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return label + "-" + std::string(name_) + "-" + std::string(rule);
}

Status Rules::broken(ErrorCode code, std::string_view rule, std::string_view text) const {
  ErrorInfo info;
  info.code = code;
  info.operator_name = operator_name();
  info.constraint = rule.substr(0, 5) == "CALL-" ? std::string(rule) : label(rule);
  info.message = info.operator_name + " [" + info.constraint + "]: " + std::string(text);
  return Status(std::move(info));
}

Status Rules::invalid(std::string_view rule, std::string_view text) const {
  return broken(ErrorCode::kInvalidArgument, rule, text);
}

Status Rules::shape(std::string_view rule, std::string_view text) const {
  return broken(ErrorCode::kShape, rule, text);
}

AxisMap loop_axis(std::int64_t extent, int loop) {
  AxisMap axis;
  axis.extent = extent;
  axis.loops.push_back({loop, 1});
  return axis;
}

AxisMap index_axis(std::int64_t extent, int input, std::vector<IndexCoordinate> coordinates,
                   const IndexUse& use) {
  const auto [policy, negatives] = use;
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
