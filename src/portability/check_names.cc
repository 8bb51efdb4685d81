#include <algorithm>
#include <array>
#include <cstddef>

#include "windrow/check.h"

namespace windrow {
namespace {

constexpr std::array<std::string_view, 4> kSeverities = {"fails", "silent", "undefined", "slow"};
constexpr std::array<std::string_view, 3> kVerdicts = {"cannot", "can", "happens"};
constexpr std::array<std::string_view, 3> kEvidences = {"constant", "range", "inputs"};

}  // namespace

std::string_view severity_name(Severity severity) noexcept {
  return kSeverities[static_cast<std::size_t>(severity)];
}

std::optional<Severity> parse_severity(std::string_view name) noexcept {
  const auto* const found = std::find(kSeverities.begin(), kSeverities.end(), name);
  if (found == kSeverities.end()) return std::nullopt;
  return static_cast<Severity>(found - kSeverities.begin());
}

std::string_view verdict_name(Verdict verdict) noexcept {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}

std::string_view evidence_name(Evidence evidence) noexcept {
  return kEvidences[static_cast<std::size_t>(evidence)];
}

}  // namespace windrow
