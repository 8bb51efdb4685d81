#include "src/portability/remaining_findings.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "src/portability/fresh_names.h"

namespace windrow::internal {
namespace {

// A node's path and a rule, or what a rule is about.
using Place = std::pair<std::string, std::string>;

// What a rule is about, which rules of several operators may be: "index-range" of
// "scatter-nd-index-range". A change of the operator is no reason for a new finding.
std::string subject_of(std::string_view rule) {
  constexpr std::array<std::string_view, 8> kOperators = {
      "scatter-elements-", "scatter-nd-",   "scatter-update-",    "gather-elements-",
      "gather-nd-",        "gather-short-", "feature-extractor-", "gather-"};
  for (const std::string_view beginning : kOperators) {
    if (rule.starts_with(beginning)) return std::string(rule.substr(beginning.size()));
  }
  return std::string(rule);
}

RuntimeTarget target_of(std::string_view runtime, std::string version) {
  const std::size_t colon = runtime.find(':');
  const bool has_device = colon != std::string_view::npos;
  return {std::string(runtime.substr(0, colon)),
          has_device ? std::string(runtime.substr(colon + 1)) : "", std::move(version)};
}

// The versions of a runtime in which a rule may have an effect: the newest, and old ones.
void add_targets(std::string_view label, std::string_view runtime,
                 std::vector<RuntimeTarget>& targets) {
  targets.push_back(target_of(runtime, ""));
  for (const auto rules : {portability_rules(), operator_rules()}) {
    for (const PortabilityRule& rule : rules) {
      if (rule.label != label) continue;
      for (const RuleEffect& effect : rule.effects) {
        if (!effect.until.empty() && runtime == effect.runtime + ":" + effect.device)
          targets.push_back(target_of(runtime, effect.until));
      }
    }
  }
}

// The runtimes for which changes were made; none if one was made for a contract, which is with all.
std::vector<RuntimeTarget> targets_of(const FixedModel& after, const CheckReport& report) {
  std::vector<RuntimeTarget> targets;
  for (const ModelFix& change : after.applied) {
    const auto found = std::find_if(
        report.findings.begin(), report.findings.end(), [&change](const auto& finding) {
          return finding.rule == change.rule && finding.node == change.node;
        });
    if (found == report.findings.end() || found->runtimes.empty()) return {};
    for (const std::string& runtime : found->runtimes) add_targets(change.rule, runtime, targets);
  }
  return targets;
}

// Whether a node was added by changes.
bool is_added(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return path.compare(slash + 1, kFixedNames.size(), kFixedNames) == 0;
}

// The subjects of findings and contracts at each node, with how many there are.
std::map<Place, int> places_of(const CheckReport& report) {
  std::map<Place, int> places;
  for (const PortabilityFinding& finding : report.findings)
    ++places[{finding.node, subject_of(finding.rule)}];
  for (const InputContract& contract : report.contracts) {
    for (const std::string& node : contract.nodes) {
      for (const std::string& rule : contract.rules) ++places[{node, subject_of(rule)}];
    }
  }
  return places;
}

ModelFix fault(const ModelFix& change, std::string why) {
  return {change.rule, change.node, std::move(why), change.safe, change.rounds};
}

// Adds the changes that a finding after them speaks against.
void add_faults(const PortabilityFinding& finding, const FixedModel& after, bool is_new,
                std::vector<ModelFix>& faults) {
  bool is_told = false;
  for (const ModelFix& change : after.applied) {
    const bool is_own = change.rule == finding.rule;
    if (change.node != finding.node || (!is_own && !is_new)) continue;
    is_told = true;
    if (!is_own) {
      faults.push_back(fault(
          change, "a change would bring a new finding, " + finding.rule + ": " + finding.what));
    } else {
      faults.push_back(fault(change, "a change would not help: after it, " + finding.what));
    }
  }
  if (is_told || !is_new) return;
  for (const ModelFix& change : after.applied)
    faults.push_back(fault(change, "the changes would bring a new finding, " + finding.rule +
                                       " on " + finding.node + ": " + finding.what));
}

// Adds the changes whose demands on callers are still made after them.
void add_kept_contracts(const InputContract& contract, const FixedModel& after,
                        std::vector<ModelFix>& faults) {
  const auto has = [](const std::vector<std::string>& texts, const std::string& text) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  };
  for (const ModelFix& change : after.applied) {
    if (has(contract.nodes, change.node) && has(contract.rules, change.rule))
      faults.push_back(fault(change, "a change would not help: after it, " + contract.sentence));
  }
}

}  // namespace

Result<std::vector<ModelFix>> remaining_findings(const Model& before, const FixedModel& after,
                                                 const CheckReport& report,
                                                 const InferOptions& infer) {
  CheckOptions options;
  options.targets = targets_of(after, report);
  options.infer = infer;
  const Result<CheckReport> first = check(before, options);
  if (!first) return first.error();
  const Result<CheckReport> second = check(after.model, options);
  if (!second) return second.error();
  std::map<Place, int> known = places_of(*first);
  // A node that was added may repeat what the changed node does.
  std::set<std::string> at_changed;
  for (const auto& [place, count] : known) {
    const auto is_at = [&node = place.first](const ModelFix& change) {
      return change.node == node;
    };
    if (std::any_of(after.applied.begin(), after.applied.end(), is_at))
      at_changed.insert(place.second);
  }
  std::vector<ModelFix> faults;
  for (const PortabilityFinding& finding : second->findings) {
    const std::string subject = subject_of(finding.rule);
    if (is_added(finding.node) && at_changed.contains(subject)) continue;
    const bool is_new = --known[{finding.node, subject}] < 0;
    add_faults(finding, after, is_new, faults);
  }
  for (const InputContract& contract : second->contracts)
    add_kept_contracts(contract, after, faults);
  return faults;
}

}  // namespace windrow::internal
