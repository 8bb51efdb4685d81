#include "src/portability/operator_rules.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "src/models/check_inputs.h"
#include "src/portability/judges.h"
#include "src/portability/node_versions.h"
#include "src/portability/targets.h"
#include "windrow/counted.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

// The first version of the node's operator after its own that allows the node, as far as types and
// shapes are known. Nothing if none does, or if what is known does not break its own version's
// rules.
std::optional<int> version_that_allows(const NodeFacts& facts) {
  const OperatorInfo& own = facts.op->info;
  if (broken_in_version(facts, own).ok()) return std::nullopt;
  for (const OperatorInfo& other : versions_of(own.dialect, facts.place.node)) {
    if (other.since_version > own.since_version && broken_in_version(facts, other).ok())
      return other.since_version;
  }
  return std::nullopt;
}

// Whether the fault, which inference found with what onnx or the file claims, follows without that.
bool is_proved(const NodeFacts& facts, const Finding& fault) {
  if (fault.claim.empty()) return true;
  const Status status = broken_in_version(facts, facts.op->info, true);
  return status.constraint() == fault.status.constraint();
}

// The extents that a caller could choose for all inputs of the model, to see which nodes take them.
constexpr std::int64_t kChosenExtents[] = {1, 1'000'003};

// The facts of a node's inputs where every extent that a caller chooses is `chosen`; none if the
// caller chooses no extent. Extents that follow from others stay unknown, and inputs whose shapes
// rest on other premises than those that such a choice meets lose them.
std::vector<ValueFact> with_extents(const NodeFacts& facts, std::int64_t chosen,
                                    const Extents& extents) {
  std::vector<ValueFact> changed;
  bool is_any_chosen = false;
  for (const ValueFact* const input : facts.inputs) {
    ValueFact& fact = changed.emplace_back();
    fact.dtype = input->dtype;
    fact.other_type = input->other_type;
    if (std::all_of(input->shape_premises.begin(), input->shape_premises.end(),
                    [&](int premise) { return extents.holds_of_equal_extents(premise); }))
      fact.dims = input->dims;
    for (std::size_t axis = 0; fact.dims && axis < fact.dims->size(); ++axis) {
      Dim& dim = (*fact.dims)[axis];
      const ExtentNumber extent = dim.symbol.empty() ? -1 : extents.find(dim.symbol);
      const bool is_chosen =
          extent >= 0 && extents.is_of_input(extent) && dim.low <= chosen && chosen <= dim.high;
      is_any_chosen |= is_chosen;
      if (!dim.is_known()) dim = is_chosen ? Dim{chosen, {}} : Dim();
    }
  }
  return is_any_chosen ? changed : std::vector<ValueFact>();
}

// The first rule that the node breaks where a caller chooses other extents of the model's inputs
// than the node can take. Extents of different names are chosen alike: only those beside fixed
// ones are judged.
Status broken_by_extents(const NodeFacts& facts, const Extents& extents) {
  for (const std::int64_t chosen : kChosenExtents) {
    const std::vector<ValueFact> changed = with_extents(facts, chosen, extents);
    if (changed.empty()) continue;
    std::vector<const ValueFact*> inputs;
    for (const ValueFact& fact : changed) inputs.push_back(&fact);
    Status status = broken_in_version({facts.place, facts.op, inputs, {}}, facts.op->info);
    if (!status.ok() && !status.constraint().empty()) return status;
  }
  return {};
}

// "data[1, 5] and indices[ids.shape[0], 2]"
std::string shapes_text(const NodeFacts& facts) {
  std::string text;
  for (std::size_t i = 0; i < facts.inputs.size() && i < facts.op->info.inputs.size(); ++i) {
    if (!facts.inputs[i]->dims) continue;
    ValueInfo value;
    value.dims = facts.inputs[i]->dims;
    const std::string shape = to_string(value);
    text += (text.empty() ? "" : " and ") + std::string(facts.op->info.inputs[i].name) +
            (shape.starts_with('?') ? shape.substr(1) : shape);
  }
  return text;
}

const PortabilityRule* rule_named(std::string_view label) {
  const std::span<const PortabilityRule> rules = operator_rules();
  const auto found = std::find_if(rules.begin(), rules.end(), [label](const PortabilityRule& rule) {
    return rule.label == label;
  });
  return found == rules.end() ? nullptr : &*found;
}

}  // namespace

bool begins_operator_label(std::string_view text) {
  const std::span<const PortabilityRule> rules = operator_rules();
  return !text.empty() &&
         std::any_of(rules.begin(), rules.end(),
                     [text](const PortabilityRule& rule) { return rule.label.starts_with(text); });
}

bool leaves_undefined(const PortabilityFinding& finding) {
  const std::string_view kind = kind_of_operator_rule(finding.rule);
  return finding.verdict == Verdict::kHappens && (kind == "inputs" || kind == "attribute");
}

void OperatorRules::take(const Findings& found) {
  for (const Finding& fault : found.list) {
    if (fault.kind == Finding::Kind::kBrokenRule && !fault.status.constraint().empty())
      by_node_.emplace(fault.node, fault);
  }
}

bool OperatorRules::is_chosen(std::string_view label) const {
  const auto begins = [label](const std::string& beginning) {
    return label.starts_with(beginning);
  };
  const auto& select = options_.select;
  const auto& ignore = options_.ignore;
  return (select.empty() || std::any_of(select.begin(), select.end(), begins)) &&
         std::none_of(ignore.begin(), ignore.end(), begins);
}

std::vector<PortabilityFinding> OperatorRules::judge(const NodeFacts& facts,
                                                     const Extents& extents) const {
  std::vector<PortabilityFinding> findings;
  const auto add = [&findings](PortabilityFinding finding) {
    if (!finding.runtimes.empty()) findings.push_back(std::move(finding));
  };
  const auto [first, last] = by_node_.equal_range(facts.place.path);
  for (auto fault = first; fault != last && facts.op != nullptr; ++fault) {
    if (is_chosen(fault->second.status.constraint())) add(broken(facts, fault->second));
  }
  if (first == last && facts.op != nullptr) {
    const Status status = broken_by_extents(facts, extents);
    if (!status.ok() && is_chosen(status.constraint())) add(can_be_broken(facts, status));
  }
  const std::string& label = facts.no_operator.constraint();
  const bool is_of_model =
      !label.empty() && !versions_of(dialect_, facts.place.node).empty() && is_chosen(label);
  if (is_of_model) add(without_operator(facts));
  return findings;
}

PortabilityFinding OperatorRules::made(const NodeFacts& facts, std::string rule,
                                       std::string operator_name) {
  PortabilityFinding finding;
  finding.rule = std::move(rule);
  finding.operator_name = std::move(operator_name);
  finding.node = facts.place.path;
  if (const PortabilityRule* const row = rule_named(finding.rule)) finding.fix = row->fix;
  return finding;
}

PortabilityFinding OperatorRules::broken(const NodeFacts& facts, const Finding& fault) const {
  PortabilityFinding finding = made(facts, fault.status.constraint(), fault.status.operator_name());
  const bool is_sure = is_proved(facts, fault);
  finding.verdict = is_sure ? Verdict::kHappens : Verdict::kCan;
  if (!is_sure)
    finding.premises.push_back("'" + printable(fault.claim) + "' is what the file claims");
  finding.what = text_of_broken(fault.status);
  if (const std::optional<int> version = version_that_allows(facts)) {
    const std::string text = version_text(dialect_, *version);
    finding.what += "; " + text + " allows it";
    finding.fix = "Write " + text + " or newer, which allows the node.";
  }
  add_observed(facts, finding);
  return finding;
}

PortabilityFinding OperatorRules::can_be_broken(const NodeFacts& facts,
                                                const Status& status) const {
  PortabilityFinding finding = made(facts, status.constraint(), status.operator_name());
  finding.verdict = Verdict::kCan;
  finding.what =
      "inputs of the model may have extents that break it: the shapes are " + shapes_text(facts);
  add_observed(facts, finding);
  return finding;
}

void OperatorRules::add_observed(const NodeFacts& facts, PortabilityFinding& finding) const {
  std::string_view type = facts.inputs.empty() ? "" : dtype_name(facts.inputs[0]->dtype);
  const auto is_other = [](const ValueFact* input) { return !input->other_type.empty(); };
  if (std::any_of(facts.inputs.begin(), facts.inputs.end(), is_other)) type = kOtherType;
  add_effects(facts,
              effects_of_broken_rule(finding.rule, type, facts.op->info.since_version, dialect_,
                                     options_.targets),
              finding);
}

PortabilityFinding OperatorRules::without_operator(const NodeFacts& facts) const {
  const ModelNode& node = facts.place.node;
  const std::string& label = facts.no_operator.constraint();
  PortabilityFinding finding = made(facts, label, dialect_ + "." + printable(node.op_type));
  finding.verdict = Verdict::kHappens;
  finding.what = facts.no_operator.message();
  if (label == kOperatorVersion) {
    const std::string first =
        version_text(dialect_, versions_of(dialect_, node).front().since_version);
    finding.what += "; it came with " + first;
    finding.fix = "Write " + first + " or newer.";
  }
  add_effects(facts, effects_of_broken_rule(label, "", 0, dialect_, options_.targets), finding);
  return finding;
}

void OperatorRules::add_effects(const NodeFacts& facts, const std::vector<RuleEffect>& effects,
                                PortabilityFinding& finding) {
  finding.message = "node '" + printable(facts.place.node.name) + "' (" + finding.operator_name +
                    "): " + finding.what;
  finding.severity = Severity::kSlow;
  for (const RuleEffect& effect : effects) {
    finding.runtimes.push_back(name_of({effect.runtime, effect.device, ""}));
    finding.effects.push_back({finding.runtimes.back(), effect.severity, effect.effect});
    finding.severity = std::min(finding.severity, effect.severity);
    finding.message += "; " + finding.runtimes.back() + " " + effect.effect;
  }
}

// What runtimes were seen to do with nodes that break rules of their operators.

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
