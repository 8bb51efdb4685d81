// What runtimes were seen to do with nodes that break rules of their operators.

#include <cstdint>
#include <string>

#include "src/models/find_in.h"
#include "src/portability/operator_rules.h"
#include "src/portability/rule_rows.h"
#include "src/portability/targets.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

// The calls of the conformance corpus that break one rule, as one runtime took them.
struct Observation {
  std::string_view label;
  std::string_view type;  // of the data, for rules about it; else empty
  int first_version;
  int last_version;
  std::string_view runtime;  // "onnxruntime:cpu"
  std::int64_t refused;
  std::int64_t computed;
  std::int64_t ended;  // calls that ended or blocked the runtime's process

  std::int64_t count() const { return refused + computed + ended; }
};

constexpr Observation kObservations[] = {
#include "src/portability/rule_observations.inc"
};

// ScatterElements with uint2, int2 and a number that ONNX has given to no type, as data, indices
// and updates. The corpus has none of these.
constexpr Observation kOfOtherTypes[] = {
    {"", kOtherType, 0, 0, "onnxruntime:cpu", 9, 0, 0},
    {"", kOtherType, 0, 0, "openvino:cpu", 9, 0, 0},
};

// "refused 3 and computed 5 of 8 such nodes"
std::string mixed_text(const Observation& seen) {
  std::string text;
  const auto add = [&text](const char* verb, std::int64_t count) {
    if (count == 0) return;
    text += (text.empty() ? "" : ", ") + std::string(verb) + " " + std::to_string(count);
  };
  add("refused", seen.refused);
  add("computed", seen.computed);
  add("ended its process on", seen.ended);
  return text + " of " + counted(seen.count(), "such node");
}

RuleEffect effect_of(const Observation& seen) {
  const std::string runtime(seen.runtime);
  const char* const name = runtime.c_str();
  if (seen.refused == seen.count()) return ran(name, Severity::kFails, "refuses the node");
  if (seen.computed == seen.count())
    return ran(name, Severity::kUndefined, "computes it, which the specification does not allow");
  if (seen.ended == seen.count()) return ran(name, Severity::kFails, "ends its process");
  RuleEffect effect = ran(name, Severity::kFails, "");
  effect.effect = mixed_text(seen);
  return effect;
}

// "version 13, data of int4": what an observation is about besides its rule; may be empty.
std::string scope_of(const Observation& seen) {
  std::string text;
  if (seen.last_version > 0) {
    text = seen.first_version == seen.last_version
               ? "version " + std::to_string(seen.first_version)
               : "versions " + std::to_string(seen.first_version) + " to " +
                     std::to_string(seen.last_version);
  }
  if (!seen.type.empty()) text += ", data of " + std::string(seen.type);
  return text;
}

bool is_about(const Observation& seen, std::string_view label, std::string_view type, int version) {
  return seen.label == label && (seen.type.empty() || seen.type == type) &&
         seen.first_version <= version && version <= seen.last_version;
}

// What was observed of a runtime; null if nothing was.
const Observation* observation_of(std::string_view runtime, std::string_view label,
                                  std::string_view type, int version) {
  if (type == kOtherType)
    return find_where(kOfOtherTypes, [&](const Observation& o) { return o.runtime == runtime; });
  return find_where(kObservations, [&](const Observation& o) {
    return o.runtime == runtime && is_about(o, label, type, version);
  });
}

}  // namespace

std::vector<RuleEffect> observed_effects(std::string_view label) {
  std::vector<RuleEffect> effects;
  for (const Observation& seen : kObservations) {
    if (seen.label != label) continue;
    effects.push_back(effect_of(seen));
    if (const std::string scope = scope_of(seen); !scope.empty())
      effects.back().effect += " (" + scope + ")";
  }
  return effects;
}

std::vector<RuleEffect> effects_of_broken_rule(std::string_view label, std::string_view type,
                                               int version, std::string_view dialect,
                                               std::span<const RuntimeTarget> targets) {
  std::vector<RuleEffect> effects;
  std::vector<RuleEffect> unobserved;
  for (const std::string& runtime : runtimes_of(targets)) {
    const std::string name = runtime.substr(0, runtime.find(':'));
    if (!reads(name, dialect_named(dialect))) continue;
    const Observation* const seen = observation_of(runtime, label, type, version);
    if (seen != nullptr) {
      effects.push_back(effect_of(*seen));
      continue;
    }
    auto& list = targets.empty() ? unobserved : effects;
    list.push_back(read(runtime.c_str(), Severity::kUndefined,
                        "was not run with such a node, which the specification forbids",
                        "docs/operators"));
  }
  return effects.empty() ? unobserved : effects;
}

}  // namespace windrow::internal
