#include "windrow/check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/inferred_model.h"
#include "src/portability/chosen_rules.h"
#include "src/portability/contracts.h"
#include "src/portability/given_values.h"
#include "src/portability/indexing_operators.h"
#include "src/portability/node_view.h"
#include "src/portability/operator_rules.h"
#include "src/portability/targets.h"
#include "src/ranges/ranges.h"
#include "windrow/counted.h"
#include "windrow/models.h"
#include "windrow/printable.h"

namespace windrow {
namespace {

using internal::ChosenRule;
using internal::InputView;
using internal::Judgement;
using internal::NodeView;
using internal::RuleRow;

constexpr std::size_t kMostFindings = 10000;
constexpr std::size_t kMostNotes = 100;

// "refuses the model (10.0 to 10.8)"
std::string effect_text(const RuleEffect& effect) {
  if (effect.since.empty() && effect.until.empty()) return effect.effect;
  if (effect.until.empty()) return effect.effect + " (since " + effect.since + ")";
  if (effect.since.empty()) return effect.effect + " (up to " + effect.until + ")";
  return effect.effect + " (" + effect.since + " to " + effect.until + ")";
}

std::optional<Judgement> judged_by(const ChosenRule& rule, const NodeView& node) {
  std::optional<Judgement> judgement = internal::judge_under_premises(*rule.row, node);
  if (judgement) judgement->premises = internal::united(judgement->premises, node.premises);
  return judgement;
}

// Whether a condition is met by elements that the caller of the model gives, before any arithmetic.
bool happens_in_given_values(const Judgement& judgement) {
  return judgement.verdict == Verdict::kHappens && judgement.input != nullptr &&
         !judgement.input->fact.source_input.empty();
}

// The effects of a rule on runtimes of one arithmetic, and the judgement in it.
struct ProfileJudgement {
  std::vector<const RuleEffect*> effects;
  const NodeView* node;
  Judgement judgement;
  std::vector<std::string> premises = {};
};

// Judges the nodes of a model, one after another.
class Checker {
 public:
  Checker(const Model& model, const CheckOptions& options, std::vector<ChosenRule> rules,
          std::span<internal::Extents* const> proofs, CheckReport& report)
      : options_(options),
        model_(model),
        operators_(model),
        rules_(std::move(rules)),
        operator_rules_(model.dialect, options),
        proofs_(proofs),
        report_(report),
        not_judged_(model) {}

  // The facts are those of the node in each of the proofs.
  void visit(std::span<const internal::NodeFacts> facts) {
    const NodePlace& place = facts.front().place;
    bool is_defined = true;
    for (PortabilityFinding& finding : operator_rules_.judge(facts.front(), *proofs_.front())) {
      is_defined &= !internal::leaves_undefined(finding);
      report_.nodes += facts.front().op == nullptr ? 1 : 0;
      add_finding(std::move(finding));
    }
    if (!is_defined) return static_cast<void>(++report_.nodes);
    const auto observed = options_.observed.find(place.path);
    std::deque<NodeView> nodes;
    for (std::size_t i = 0; i < facts.size(); ++i) {
      std::optional<NodeView> node = internal::view_node(facts[i], *proofs_[i], nullptr);
      if (!node) return visit_foreign(facts);
      node->shows_cannot = options_.show_cannot;
      nodes.push_back(*std::move(node));
    }
    ++report_.nodes;
    std::optional<NodeView> seen;
    if (observed != options_.observed.end())
      seen = internal::view_node(facts.front(), *proofs_.front(), &observed->second);
    judge_all(nodes, seen);
  }

  // The findings on those of the nodes for which the options have observed values. Everything else
  // that was found stays as it is.
  std::vector<PortabilityFinding> judge_observed(const std::deque<internal::KeptNode>& nodes) {
    CheckReport before = std::exchange(report_, {});
    for (const internal::KeptNode& node : nodes) {
      if (options_.observed.contains(node.path())) visit(node.facts());
    }
    return std::exchange(report_, std::move(before)).findings;
  }

  // Whether a rule is about the node or a finding names it. Precondition: it was visited last.
  bool is_judged(std::span<const internal::NodeFacts> facts) const {
    const NodePlace& place = facts.front().place;
    return facts.front().op != nullptr || has_finding(place) ||
           !internal::rows_of(place.node, model_.dialect).empty();
  }

  void take_faults(const Findings& found) { operator_rules_.take(found); }
  const internal::Contracts& contracts() const { return contracts_; }
  const internal::NotJudged& not_judged() const { return not_judged_; }
  const std::vector<internal::OpenFinding>& open() const { return open_; }
  // Whether more knowledge of types and shapes might change what was said: a verdict is open, or
  // the type or the rank of what a judged node reads is unknown.
  bool lacks_knowledge() const {
    return reads_unknown_ ||
           std::any_of(report_.findings.begin(), report_.findings.end(),
                       [](const auto& found) { return found.verdict == Verdict::kCan; });
  }
  // The premise about the size of tensors that proofs rest on; empty if none does.
  const std::string& memory_note() const { return memory_note_; }
  // The other premises of proofs, the first of them by their texts; empty if there are none.
  std::string premises_note() const {
    constexpr std::size_t kMost = 6;
    std::string text;
    for (std::size_t i = 0; i < std::min(premises_.size(), kMost); ++i)
      text += (i == 0 ? "assumed: " : "; ") + premises_[i];
    if (premises_.size() > kMost)
      text += "; and " + counted(static_cast<std::int64_t>(premises_.size() - kMost),
                                 "more premise", "more premises");
    return text;
  }

 private:
  // Judges the inputs of indices of a node that the library does not compute.
  void visit_foreign(std::span<const internal::NodeFacts> facts) {
    const NodePlace& place = facts.front().place;
    const auto observed = options_.observed.find(place.path);
    bool is_judged = false;
    for (const internal::IndexingOperator* const row :
         internal::rows_of(place.node, model_.dialect)) {
      std::deque<NodeView> nodes;
      for (std::size_t i = 0; i < facts.size(); ++i) {
        auto node = internal::view_indexing(*row, facts[i], model_, *proofs_[i], nullptr);
        if (!node) break;
        node->shows_cannot = options_.show_cannot;
        nodes.push_back(*std::move(node));
      }
      if (nodes.size() < facts.size()) continue;
      std::optional<NodeView> seen;
      if (observed != options_.observed.end())
        seen = internal::view_indexing(*row, facts.front(), model_, *proofs_.front(),
                                       &observed->second);
      is_judged = true;
      judge_all(nodes, seen);
    }
    if (is_judged) ++report_.nodes;
    not_judged_.add(facts.front());
    if (!is_judged && internal::rows_of(place.node, model_.dialect).empty())
      note_left_out(facts.front());
  }

  // Judges a node by every rule of its family.
  void judge_all(const std::deque<NodeView>& nodes, const std::optional<NodeView>& seen) {
    of_node_.clear();
    note_unknown(nodes.front());
    for (const ChosenRule& rule : rules_) {
      if ((rule.row->families & nodes.front().family) != 0)
        judge(rule, nodes, seen ? &*seen : nullptr);
    }
  }

  // Judges a rule in each arithmetic that a runtime of its effects has. A condition is one on the
  // values that the specification gives: what is impossible must be so in its arithmetic, which the
  // first proof has, too, and what is certain of values that the caller gives is certain.
  void judge(const ChosenRule& rule, const std::deque<NodeView>& nodes, const NodeView* seen) {
    const std::optional<Judgement> specified = judged_by(rule, nodes.front());
    std::vector<ProfileJudgement> judged;
    for (const NodeView& node : nodes) {
      std::vector<const RuleEffect*> effects;
      for (const RuleEffect* effect : rule.effects) {
        const auto& profile = internal::profile_of(effect->runtime, effect->device);
        if (&profile == &node.extents->profile()) effects.push_back(effect);
      }
      if (effects.empty()) continue;
      std::optional<Judgement> judgement =
          &node == &nodes.front() ? specified : judged_by(rule, node);
      const NodeView* by = &node;
      const bool is_other = specified && judgement && specified->verdict != judgement->verdict;
      const bool is_weaker = is_other && judgement->verdict == Verdict::kCannot;
      const bool is_stronger = is_other && happens_in_given_values(*specified);
      if (is_weaker || is_stronger) {
        judgement = specified;
        by = &nodes.front();
      }
      if (seen != nullptr) add_observed(rule, *seen, judgement, by);
      if (judgement && judgement->verdict == Verdict::kCannot) {
        note_memory(judgement->premises, *by->extents);
        note_premises(judgement->premises, *by->extents);
      }
      if (judgement) add_judgement(judged, {std::move(effects), by, *std::move(judgement)});
    }
    std::stable_sort(judged.begin(), judged.end(),
                     [](const ProfileJudgement& a, const ProfileJudgement& b) {
                       return a.judgement.verdict > b.judgement.verdict;
                     });
    for (ProfileJudgement& one : judged) report(rule, std::move(one));
  }

  // An observed run that does not meet the condition proves nothing about other runs.
  static void add_observed(const ChosenRule& rule, const NodeView& seen,
                           std::optional<Judgement>& judgement, const NodeView*& by) {
    if (judgement && judgement->verdict == Verdict::kHappens) return;
    std::optional<Judgement> in_run = judged_by(rule, seen);
    if (!in_run || in_run->verdict != Verdict::kHappens) return;
    judgement = std::move(in_run);
    judgement->evidence = Evidence::kInputs;
    by = &seen;
  }

  // Judgements of one verdict are one finding, which has the premises of all.
  static void add_judgement(std::vector<ProfileJudgement>& judged, ProfileJudgement added) {
    for (const int premise : added.judgement.premises)
      added.premises.push_back(added.node->extents->premise_text(premise));
    for (ProfileJudgement& known : judged) {
      if (known.judgement.verdict != added.judgement.verdict) continue;
      known.effects.insert(known.effects.end(), added.effects.begin(), added.effects.end());
      for (std::string& premise : added.premises) {
        if (std::find(known.premises.begin(), known.premises.end(), premise) ==
            known.premises.end())
          known.premises.push_back(std::move(premise));
      }
      return;
    }
    judged.push_back(std::move(added));
  }

  void report(const ChosenRule& rule, ProfileJudgement judged) {
    const Judgement& judgement = judged.judgement;
    if (judgement.verdict == Verdict::kCannot && !options_.show_cannot) return;
    if (judgement.verdict == Verdict::kCan && internal::is_contract(judgement)) {
      const auto broken = internal::broken_demands(judgement, options_);
      add_contracts(rule, judged, broken);
      if (!broken.empty()) add_finding(finding_of(rule, broken_contract(judged, broken)));
      return;
    }
    if (rule.row->implies != nullptr) tell_with_implied(*rule.row, judged);
    if (judged.effects.empty() || !add_finding(finding_of(rule, judged))) return;
    of_node_.emplace_back(rule.row->judge, report_.findings.size() - 1);
    note_open(judged);
  }

  // Adds effects to the findings of the node by the rules that this one implies, and removes them.
  void tell_with_implied(const RuleRow& row, ProfileJudgement& judged) {
    for (const auto& [judge, number] : of_node_) {
      if (judge != row.implies || number >= report_.findings.size()) continue;
      PortabilityFinding& finding = report_.findings[number];
      if (finding.verdict != judged.judgement.verdict) continue;
      std::erase_if(judged.effects,
                    [&finding](const RuleEffect* effect) { return has_told(finding, *effect); });
    }
  }

  // Adds an effect to that of the same runtime in a finding; false if it has none.
  static bool has_told(PortabilityFinding& finding, const RuleEffect& effect) {
    const std::string name = internal::name_of({effect.runtime, effect.device, ""});
    const auto known =
        std::find_if(finding.effects.begin(), finding.effects.end(),
                     [&name](const FindingEffect& told) { return told.runtime == name; });
    if (known == finding.effects.end()) return false;
    known->effect += "; " + effect_text(effect);
    known->severity = std::min(known->severity, effect.severity);
    finding.severity = std::min(finding.severity, effect.severity);
    if (finding.verdict != Verdict::kCannot)
      finding.message += "; " + name + " " + effect_text(effect);
    return true;
  }

  // The judgement as one of the demands that promises break, with the promises as premises.
  static ProfileJudgement broken_contract(ProfileJudgement judged,
                                          const std::vector<const internal::DemandOn*>& broken) {
    const internal::Extents& extents = *judged.node->extents;
    judged.judgement = internal::judgement_of_broken(judged.judgement, broken, extents);
    for (const int premise : extents.assumptions_among(judged.judgement.premises)) {
      const std::string& text = extents.premise_text(premise);
      if (std::find(judged.premises.begin(), judged.premises.end(), text) == judged.premises.end())
        judged.premises.push_back(text);
    }
    return judged;
  }

  // Where there is no room, the finding takes the place of the last one if it is severer than all,
  // so that the severest one is always there. Returns whether it is in the list.
  bool add_finding(PortabilityFinding finding) {
    const int weight = weight_of(finding);
    const bool is_severest = report_.findings.empty() || weight < severest_;
    if (report_.findings.size() == kMostFindings) {
      ++report_.left_out;
      if (!is_severest) return false;
      report_.findings.pop_back();
      const std::size_t gone = report_.findings.size();
      if (!open_.empty() && open_.back().finding == gone) open_.pop_back();
      if (!of_node_.empty() && of_node_.back().second == gone) of_node_.pop_back();
    }
    if (is_severest) severest_ = weight;
    report_.findings.push_back(std::move(finding));
    return true;
  }

  // 0 of the severest findings; proofs come last.
  static int weight_of(const PortabilityFinding& finding) {
    constexpr int kOfProofs = 100;
    return finding.verdict == Verdict::kCannot ? kOfProofs : static_cast<int>(finding.severity);
  }

  // Adds the demands on the caller, except those that promises break.
  void add_contracts(const ChosenRule& rule, const ProfileJudgement& judged,
                     const std::vector<const internal::DemandOn*>& broken) {
    for (const internal::DemandOn& asked : judged.judgement.demands) {
      if (std::find(broken.begin(), broken.end(), &asked) != broken.end()) continue;
      contracts_.add(asked.input->fact.source_input, asked.demand, rule.row->label,
                     judged.node->place->path);
    }
  }

  // Notes that the last finding is of an input of which nothing is known.
  void note_open(const ProfileJudgement& judged) {
    const Judgement& judgement = judged.judgement;
    if (!judgement.knows_nothing || judgement.verdict != Verdict::kCan) return;
    const auto& inputs = judged.node->place->node.inputs;
    open_.push_back({report_.findings.size() - 1, inputs[judgement.input->position]});
  }

  void note_unknown(const NodeView& node) {
    for (const InputView* const input : {&node.data, &node.indices, &node.updates}) {
      const bool is_unknown = input->fact.dtype == DType::kAbsent || !input->fact.dims;
      reads_unknown_ |= input->is_given() && is_unknown;
    }
  }

  // Remembers the strictest premise about the size of tensors.
  void note_memory(const internal::Premises& premises, const internal::Extents& extents) {
    for (const int premise : premises) {
      const std::optional<std::int64_t> limit = extents.limit_of_extents(premise);
      if (!limit || (largest_extent_ && *largest_extent_ <= *limit)) continue;
      largest_extent_ = limit;
      memory_note_ = "assumed: " + extents.premise_text(premise);
    }
  }

  // Remembers what else proofs rest on, besides the caller's own assumptions.
  void note_premises(const internal::Premises& premises, const internal::Extents& extents) {
    const internal::Premises assumed = extents.assumptions_among(premises);
    for (const int premise : premises) {
      const std::string& text = extents.premise_text(premise);
      // A shape that the file leaves open is open as long as nobody fixes it.
      const bool is_told = extents.limit_of_extents(premise).has_value() ||
                           text.ends_with(" is not fixed before the run") ||
                           std::binary_search(assumed.begin(), assumed.end(), premise);
      if (!is_told && premises_told_.insert(text).second) premises_.push_back(text);
    }
  }

  PortabilityFinding finding_of(const ChosenRule& rule, const ProfileJudgement& judged) const {
    const NodeView& node = *judged.node;
    const Judgement& judgement = judged.judgement;
    PortabilityFinding finding;
    finding.rule = rule.row->label;
    finding.node = node.place->path;
    finding.operator_name = node.operator_name();
    finding.verdict = judgement.verdict;
    finding.evidence = options_.given.empty() ? judgement.evidence : Evidence::kInputs;
    finding.severity = Severity::kSlow;
    finding.position = judgement.position;
    finding.value = judgement.value;
    finding.fix = rule.row->fix;
    if (judgement.input != nullptr) finding.input = judgement.input->name;
    finding.premises = judged.premises;
    finding.what = printable(judgement.what);
    finding.message = "node '" + printable(node.place->node.name) + "' (" + finding.operator_name +
                      "): " + finding.what;
    for (const RuleEffect* effect : rule.effects) {
      if (std::find(judged.effects.begin(), judged.effects.end(), effect) == judged.effects.end())
        continue;
      finding.runtimes.push_back(internal::name_of({effect->runtime, effect->device, ""}));
      finding.effects.push_back({finding.runtimes.back(), effect->severity, effect_text(*effect)});
      finding.severity = std::min(finding.severity, effect->severity);
      if (judgement.verdict != Verdict::kCannot)
        finding.message += "; " + finding.runtimes.back() + " " + finding.effects.back().effect;
    }
    return finding;
  }

  // Whether the last finding is about the node.
  bool has_finding(const NodePlace& place) const {
    return !report_.findings.empty() && report_.findings.back().node == place.path;
  }

  // Notes that a node with the name of a known operator was not checked.
  void note_left_out(const internal::NodeFacts& facts) {
    const NodePlace& place = facts.place;
    if (!operators_.has_operator(place.node.op_type) || has_finding(place)) return;
    if (++left_out_ > kMostNotes) return;
    report_.notes.push_back("node '" + printable(place.node.name) +
                            "' was not checked: " + printable(facts.no_operator.message()));
  }

  const CheckOptions& options_;
  const Model& model_;
  const internal::NodeOperators operators_;
  const std::vector<ChosenRule> rules_;
  internal::OperatorRules operator_rules_;
  const std::span<internal::Extents* const> proofs_;
  CheckReport& report_;
  internal::Contracts contracts_;
  internal::NotJudged not_judged_;
  std::vector<internal::OpenFinding> open_;
  // The judges and numbers of the findings of the node that is judged.
  std::vector<std::pair<internal::Judge, std::size_t>> of_node_;
  std::optional<std::int64_t> largest_extent_;
  std::string memory_note_;
  std::vector<std::string> premises_;  // in the order in which proofs first need them
  std::set<std::string> premises_told_;
  bool reads_unknown_ = false;
  std::size_t left_out_ = 0;
  int severest_ = 0;  // the least weight of the findings
};

internal::RangeOptions range_options(const CheckOptions& options) {
  internal::RangeOptions made{options.infer};
  for (const auto& [name, range] : options.assume) {
    // Elements that are given need no assumption.
    if (options.given.contains(name)) continue;
    made.assumed.emplace(name, internal::Interval{range.low, range.high});
  }
  return made;
}

// The specification's arithmetic, and those of the runtimes of the effects.
std::deque<internal::Extents> arithmetics_of(const std::vector<ChosenRule>& rules) {
  std::deque<internal::Extents> arithmetics;
  for (const internal::ArithmeticProfile& profile : internal::arithmetic_profiles()) {
    const auto has_it = [&profile](const RuleEffect* effect) {
      return &internal::profile_of(effect->runtime, effect->device) == &profile;
    };
    const bool is_asked =
        std::any_of(rules.begin(), rules.end(), [&has_it](const ChosenRule& rule) {
          return std::any_of(rule.effects.begin(), rule.effects.end(), has_it);
        });
    const bool is_specified = &profile == &internal::specified_arithmetic();
    if (is_specified || is_asked) arithmetics.emplace_back(profile);
  }
  return arithmetics;
}

// A proof of a model, and what it is about.
class ModelProof {
 public:
  // `model` must outlive the object.
  ModelProof(const Model& model, CheckOptions options)
      : model_(&model), options_(std::move(options)) {}

  // `keeps`: whether judge() will be called.
  Status prove(bool keeps) {
    if (Status status = internal::check_options(options_); !status) return status;
    const bool has_given = !options_.given.empty();
    if (has_given) {
      Result<Model> filled = internal::with_given_values(*model_, options_.given);
      if (!filled) return filled.error();
      model_ = &filled_.emplace(*std::move(filled));
    }
    Status status = prove_model(keeps);
    if (status && !has_given) name_inputs();
    options_.infer = {};
    return status;
  }

  CheckReport& report() noexcept { return report_; }

  std::vector<PortabilityFinding> judge(
      std::map<std::string, ObservedNode, std::less<>>&& observed) {
    options_.observed = std::move(observed);
    std::vector<PortabilityFinding> found = checker_->judge_observed(kept_);
    options_.observed.clear();
    return found;
  }

 private:
  Status prove_model(bool keeps) {
    for (const RuntimeTarget& target : options_.targets)
      if (!internal::is_known(target)) report_.notes.push_back(internal::unknown_text(target));
    std::vector<ChosenRule> rules = internal::choose_rules(*model_, options_);
    arithmetics_ = arithmetics_of(rules);
    for (internal::Extents& extents : arithmetics_) proofs_.push_back(&extents);
    checker_.emplace(*model_, options_, std::move(rules), proofs_, report_);
    internal::RangeOptions ranges = range_options(options_);
    ranges.has_given_values = !options_.given.empty();
    ranges.take_inferred = [this](const std::shared_ptr<const internal::InferredModel>& inferred) {
      checker_->take_faults(inferred->findings());
      inferred_ = inferred;
    };
    Status found = internal::find_ranges(*model_, ranges, proofs_,
                                         [this, keeps](std::span<const internal::NodeFacts> facts) {
                                           checker_->visit(facts);
                                           if (keeps && checker_->is_judged(facts))
                                             kept_.emplace_back(facts);
                                         });
    if (!found) return found;
    if (Status status = internal::check_premises(report_, proofs_, options_.run_shapes); !status)
      return status;
    complete_report();
    return {};
  }

  void complete_report() {
    const auto note_all = [this](const std::vector<std::string>& notes) {
      report_.notes.insert(report_.notes.end(), notes.begin(), notes.end());
    };
    if (checker_->lacks_knowledge()) note_all(inferred_->notes());
    for (const std::string& note : {checker_->memory_note(), checker_->premises_note()})
      if (!note.empty()) report_.notes.push_back(note);
    report_.contracts = checker_->contracts().list(model_->inputs);
    report_.not_judged = checker_->not_judged().operators();
    note_all(checker_->not_judged().notes());
  }

  // Lets findings say which inputs would settle them.
  void name_inputs() {
    internal::name_settling_inputs(
        *model_, options_, checker_->open(),
        [this](const CheckOptions& others) -> Result<CheckReport> {
          ModelProof promised(*model_, others);
          if (Status status = promised.prove_model(false); !status) return status;
          return std::move(promised.report_);
        },
        report_);
  }

  const Model* model_;
  std::optional<Model> filled_;  // with the given values
  CheckOptions options_;
  CheckReport report_;
  std::deque<internal::Extents> arithmetics_;
  std::vector<internal::Extents*> proofs_;
  std::shared_ptr<const internal::InferredModel> inferred_;
  std::deque<internal::KeptNode> kept_;
  std::optional<Checker> checker_;
};

}  // namespace

class ProvedModel::Impl : public ModelProof {
  using ModelProof::ModelProof;
};

ProvedModel::ProvedModel(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ProvedModel::ProvedModel(ProvedModel&& other) noexcept = default;
ProvedModel& ProvedModel::operator=(ProvedModel&& other) noexcept = default;
ProvedModel::~ProvedModel() = default;

Result<ProvedModel> ProvedModel::of(const Model& model, const CheckOptions& options) {
  auto impl = std::make_unique<Impl>(model, options);
  if (Status status = impl->prove(true); !status) return status;
  return ProvedModel(std::move(impl));
}

const CheckReport& ProvedModel::report() const noexcept { return impl_->report(); }

std::vector<PortabilityFinding> ProvedModel::judge(
    std::map<std::string, ObservedNode, std::less<>> observed) {
  return impl_->judge(std::move(observed));
}

Result<CheckReport> check(const Model& model, const CheckOptions& options) {
  ModelProof proof(model, options);
  if (Status status = proof.prove(false); !status) return status;
  return std::move(proof.report());
}

}  // namespace windrow
