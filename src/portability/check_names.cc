#include <algorithm>
#include <array>
#include <cstddef>

#include "windrow/check.h"

namespace windrow {
namespace {

constexpr std::array<std::string_view, 4> kSeverities = {"fails", "silent", "undefined", "slow"};
constexpr std::array<std::string_view, 3> kVerdicts = {"cannot", "can", "happens"};
constexpr std::array<std::string_view, 3> kEvidences = {"constant", "range", "inputs"};

// The enumerator with this name; `names` has the names in the enumerators' order.
template <class Enum, std::size_t kCount>
std::optional<Enum> find_name(const std::array<std::string_view, kCount>& names,
                              std::string_view name) noexcept {
  const auto* const found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view severity_name(Severity severity) noexcept {
  return kSeverities[static_cast<std::size_t>(severity)];
}

std::optional<Severity> parse_severity(std::string_view name) noexcept {
  return find_name<Severity>(kSeverities, name);
}

std::string_view verdict_name(Verdict verdict) noexcept {
  return kVerdicts[static_cast<std::size_t>(verdict)];
}

std::optional<Verdict> parse_verdict(std::string_view name) noexcept {
  return find_name<Verdict>(kVerdicts, name);
}

std::string_view evidence_name(Evidence evidence) noexcept {
  return kEvidences[static_cast<std::size_t>(evidence)];
}

std::optional<Evidence> parse_evidence(std::string_view name) noexcept {
  return find_name<Evidence>(kEvidences, name);
}

}  // namespace windrow
