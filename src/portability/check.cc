#include "windrow/check.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/portability/contracts.h"
#include "src/portability/node_view.h"
#include "src/portability/rule.h"
#include "src/portability/targets.h"
#include "src/ranges/ranges.h"
#include "windrow/models.h"
#include "windrow/nearest_name.h"
#include "windrow/printable.h"

namespace windrow {
namespace {

using internal::Judgement;
using internal::NodeView;
using internal::RuleRow;

constexpr std::size_t kMostFindings = 10000;
constexpr std::size_t kMostNotes = 100;

bool begins_with_any(std::string_view label, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [label](const std::string& beginning) {
    return label.starts_with(beginning);
  });
}

std::string rule_hint(const std::string& label) {
  NearestName nearest(label);
  for (const PortabilityRule& rule : portability_rules()) nearest.consider(rule.label);
  return nearest.hint();
}

// Errors: kInvalidArgument if no label begins with one of `beginnings`.
Status check_labels(const std::vector<std::string>& beginnings) {
  const std::span<const PortabilityRule> rules = portability_rules();
  for (const std::string& beginning : beginnings) {
    const bool is_known = !beginning.empty() &&
                          std::any_of(rules.begin(), rules.end(), [&](const PortabilityRule& rule) {
                            return rule.label.starts_with(beginning);
                          });
    if (!is_known)
      return Status(ErrorCode::kInvalidArgument, "there is no rule '" + printable(beginning) +
                                                     "', and none whose label begins with it" +
                                                     rule_hint(beginning));
  }
  return {};
}

// A rule to judge, and its effects on the chosen runtimes.
struct ChosenRule {
  const RuleRow* row;
  std::vector<const RuleEffect*> effects;
};

bool is_chosen(const RuleRow& row, const RuleEffect& effect, internal::Dialect dialect,
               const std::vector<RuntimeTarget>& targets) {
  const bool is_read = internal::reads(effect.runtime, dialect);
  if (targets.empty()) return is_read && effect.until.empty();
  return (is_read || row.is_of_conversion) && internal::is_effect_on(effect, targets);
}

std::vector<ChosenRule> choose_rules(const Model& model, const CheckOptions& options) {
  const internal::Dialect dialect = internal::dialect_named(model.dialect);
  std::vector<ChosenRule> chosen;
  for (const RuleRow& row : internal::rule_rows()) {
    if (row.judge == nullptr || (row.dialects & dialect) == 0) continue;
    if (!options.select.empty() && !begins_with_any(row.label, options.select)) continue;
    if (begins_with_any(row.label, options.ignore)) continue;
    ChosenRule rule{&row, {}};
    for (const RuleEffect& effect : row.effects) {
      if (is_chosen(row, effect, dialect, options.targets)) rule.effects.push_back(&effect);
    }
    if (!rule.effects.empty()) chosen.push_back(std::move(rule));
  }
  return chosen;
}

// "refuses the model (10.0 to 10.8)"
std::string effect_text(const RuleEffect& effect) {
  if (effect.since.empty() && effect.until.empty()) return effect.effect;
  if (effect.until.empty()) return effect.effect + " (since " + effect.since + ")";
  if (effect.since.empty()) return effect.effect + " (up to " + effect.until + ")";
  return effect.effect + " (" + effect.since + " to " + effect.until + ")";
}

// Whether it depends on the model's caller alone that the condition does not hold.
bool is_contract(const Judgement& judgement) {
  return !judgement.demands.empty() &&
         std::all_of(judgement.demands.begin(), judgement.demands.end(),
                     [](const internal::DemandOn& asked) {
                       return !asked.input->fact.source_input.empty();
                     });
}

// Judges the nodes of a model, one after another.
class Checker {
 public:
  Checker(const Model& model, const CheckOptions& options, internal::Extents& extents,
          CheckReport& report)
      : options_(options),
        operators_(model),
        rules_(choose_rules(model, options)),
        extents_(extents),
        report_(report) {}

  void visit(const internal::NodeFacts& facts) {
    std::optional<NodeView> node = internal::view_node(facts, extents_, nullptr);
    if (!node) return note_left_out(facts.place);
    node->shows_cannot = options_.show_cannot;
    ++report_.nodes;
    const auto observed = options_.observed.find(facts.place.path);
    std::optional<NodeView> seen;
    if (observed != options_.observed.end())
      seen = internal::view_node(facts, extents_, &observed->second);
    for (const ChosenRule& rule : rules_) {
      if ((rule.row->families & node->family) != 0) judge(rule, *node, seen ? &*seen : nullptr);
    }
  }

  const internal::Contracts& contracts() const { return contracts_; }

 private:
  void judge(const ChosenRule& rule, const NodeView& node, const NodeView* seen) {
    std::optional<Judgement> judgement = rule.row->judge(node);
    if (seen != nullptr && (!judgement || judgement->verdict != Verdict::kHappens)) {
      // An observed run that does not meet the condition proves nothing about other runs.
      std::optional<Judgement> in_run = rule.row->judge(*seen);
      if (in_run && in_run->verdict == Verdict::kHappens) {
        judgement = std::move(in_run);
        judgement->evidence = Evidence::kInputs;
      }
    }
    if (!judgement) return;
    if (judgement->verdict == Verdict::kCannot) note_memory(judgement->premises);
    if (judgement->verdict == Verdict::kCannot && !options_.show_cannot) return;
    if (judgement->verdict == Verdict::kCan && is_contract(*judgement)) {
      for (const internal::DemandOn& asked : judgement->demands)
        contracts_.add(asked.input->fact.source_input, asked.demand, rule.row->label,
                       node.place->path);
      return;
    }
    if (report_.findings.size() == kMostFindings) {
      ++report_.left_out;
      return;
    }
    report_.findings.push_back(finding_of(rule, node, *judgement));
  }

  // Notes once that proofs rest on a premise about the size of tensors.
  void note_memory(const internal::Premises& premises) {
    for (const int premise : premises) {
      if (!extents_.is_about_memory(premise)) continue;
      const std::string note = "assumed: " + extents_.premise_text(premise);
      if (std::find(report_.notes.begin(), report_.notes.end(), note) == report_.notes.end())
        report_.notes.push_back(note);
    }
  }

  PortabilityFinding finding_of(const ChosenRule& rule, const NodeView& node,
                                const Judgement& judgement) const {
    PortabilityFinding finding;
    finding.rule = rule.row->label;
    finding.node = node.place->path;
    finding.operator_name = node.operator_name();
    finding.verdict = judgement.verdict;
    finding.evidence = judgement.evidence;
    finding.severity = Severity::kSlow;
    finding.position = judgement.position;
    finding.value = judgement.value;
    finding.fix = rule.row->fix;
    if (judgement.input != nullptr) finding.input = judgement.input->name;
    for (const int premise : judgement.premises)
      finding.premises.push_back(extents_.premise_text(premise));
    finding.what = printable(judgement.what);
    finding.message = "node '" + printable(node.place->node.name) + "' (" + finding.operator_name +
                      "): " + finding.what;
    for (const RuleEffect* effect : rule.effects) {
      finding.runtimes.push_back(effect->runtime + ":" + effect->device);
      finding.effects.push_back({finding.runtimes.back(), effect->severity, effect_text(*effect)});
      finding.severity = std::min(finding.severity, effect->severity);
      if (judgement.verdict != Verdict::kCannot)
        finding.message += "; " + finding.runtimes.back() + " " + finding.effects.back().effect;
    }
    return finding;
  }

  // Notes that a node with the name of a known operator was not checked.
  void note_left_out(const NodePlace& place) {
    if (!operators_.has_operator(place.node.op_type)) return;
    if (++left_out_ > kMostNotes) return;
    report_.notes.push_back("node '" + printable(place.node.name) + "' was not checked: " +
                            (place.node.unsupported.empty()
                                 ? "there is no such version of " + printable(place.node.op_type)
                                 : printable(place.node.unsupported)));
  }

  const CheckOptions& options_;
  const internal::NodeOperators operators_;
  const std::vector<ChosenRule> rules_;
  internal::Extents& extents_;
  CheckReport& report_;
  internal::Contracts contracts_;
  std::size_t left_out_ = 0;
};

Status check_options(const CheckOptions& options) {
  for (const auto* labels : {&options.select, &options.ignore}) {
    Status status = check_labels(*labels);
    if (!status) return status;
  }
  for (const RuntimeTarget& target : options.targets) {
    Status status = internal::check_target(target);
    if (!status) return status;
  }
  return {};
}

internal::RangeOptions range_options(const CheckOptions& options) {
  internal::RangeOptions made{options.infer, {}};
  for (const auto& [name, range] : options.assume)
    made.assumed.emplace(name, internal::Interval{range.low, range.high});
  return made;
}

}  // namespace

Result<CheckReport> check(const Model& model, const CheckOptions& options) {
  const Status status = check_options(options);
  if (!status) return status;
  CheckReport report;
  internal::Extents extents;
  Checker checker(model, options, extents, report);
  const Status found =
      internal::find_ranges(model, range_options(options), extents,
                            [&checker](const internal::NodeFacts& facts) { checker.visit(facts); });
  if (!found) return found;
  report.contracts = checker.contracts().list(model.inputs);
  return report;
}

}  // namespace windrow
