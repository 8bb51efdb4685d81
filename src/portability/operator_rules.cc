#include "src/portability/operator_rules.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <utility>

#include "src/operators/infer.h"
#include "src/portability/rule.h"
#include "src/portability/rule_rows.h"
#include "src/portability/targets.h"
#include "windrow/operators.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

// A status's message without "onnx.Gather-13 [ONNX-Gather-A1]: ".
std::string text_of(const Status& status) {
  const std::string before = status.operator_name() + " [" + status.constraint() + "]: ";
  const std::string& message = status.message();
  return message.starts_with(before) ? message.substr(before.size()) : message;
}

// What a version of the node's operator says of the node by its types and shapes alone: of all that
// are known, or, if `proved`, of those that rest on no premise.
Status judged_by(const NodeFacts& facts, int version, bool proved) {
  const ModelNode& node = facts.place.node;
  std::vector<SymbolicShape> shapes;
  std::vector<OperandType> given;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueFact& fact = *facts.inputs[i];
    const bool has_shape = !proved || fact.shape_premises.empty();
    const bool has_type = !proved || fact.type_premises.empty();
    shapes.push_back(has_shape ? fact.dims : SymbolicShape());
    given.push_back({has_type ? fact.dtype : DType::kAbsent, !node.inputs[i].empty()});
  }
  const OperatorId id{facts.op->info.dialect, facts.op->info.name, version};
  return infer_shape(id, node.attributes, shapes, {}, given).error();
}

// The first version of the node's operator after its own that allows the node, as far as types and
// shapes are known; nothing if none does.
std::optional<int> version_that_allows(const NodeFacts& facts) {
  const OperatorInfo& own = facts.op->info;
  for (const OperatorInfo& other : list_operators()) {
    const bool is_newer = other.dialect == own.dialect && other.name == own.name &&
                          other.since_version > own.since_version;
    if (is_newer && judged_by(facts, other.since_version, false).ok()) return other.since_version;
  }
  return std::nullopt;
}

// Whether the fault, which inference found with what onnx or the file claims, follows without that.
bool is_proved(const NodeFacts& facts, const Finding& fault) {
  if (fault.claim.empty()) return true;
  const Status status = judged_by(facts, facts.op->info.since_version, true);
  return status.constraint() == fault.status.constraint();
}

// The first version of an operator; nothing if the dialect has no operator of that name.
std::optional<int> first_version(const std::string& dialect, const std::string& name) {
  std::optional<int> first;
  for (const OperatorInfo& info : list_operators()) {
    if (info.dialect == dialect && info.name == name)
      first = std::min(first.value_or(info.since_version), info.since_version);
  }
  return first;
}

std::string version_text(const std::string& dialect, int version) {
  return dialect == "onnx" ? "opset " + std::to_string(version)
                           : "version " + std::to_string(version) + " of the operator";
}

// Whether the node is of an operator that the library has, in a version that it has not.
bool lacks_version(const NodeFacts& facts) {
  return facts.op == nullptr && facts.place.node.unsupported.empty() &&
         facts.no_operator.code() == ErrorCode::kUnsupported;
}

}  // namespace

bool begins_operator_label(std::string_view text) {
  const auto agrees = [text](std::string_view label) {
    return !text.empty() && (text.starts_with(label) || label.starts_with(text));
  };
  if (agrees(kInputCount) || agrees(kOperatorVersion)) return true;
  const std::vector<OperatorInfo> operators = list_operators();
  return std::any_of(operators.begin(), operators.end(), [&agrees](const OperatorInfo& info) {
    return agrees(upper(info.dialect) + "-" + info.name + "-");
  });
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

std::vector<PortabilityFinding> OperatorRules::judge(const NodeFacts& facts) const {
  std::vector<PortabilityFinding> findings;
  const auto add = [&findings](PortabilityFinding finding) {
    if (!finding.runtimes.empty()) findings.push_back(std::move(finding));
  };
  const auto [first, last] = by_node_.equal_range(facts.place.path);
  for (auto fault = first; fault != last && facts.op != nullptr; ++fault) {
    if (is_chosen(fault->second.status.constraint())) add(broken(facts, fault->second));
  }
  const bool is_known =
      lacks_version(facts) && first_version(dialect_, facts.place.node.op_type).has_value();
  if (is_known && is_chosen(kOperatorVersion)) add(without_version(facts));
  return findings;
}

PortabilityFinding OperatorRules::broken(const NodeFacts& facts, const Finding& fault) const {
  PortabilityFinding finding;
  finding.rule = fault.status.constraint();
  finding.operator_name = fault.status.operator_name();
  const bool is_sure = is_proved(facts, fault);
  finding.verdict = is_sure ? Verdict::kHappens : Verdict::kCan;
  if (!is_sure)
    finding.premises.push_back("'" + printable(fault.claim) + "' is what the file claims");
  finding.what = text_of(fault.status);
  finding.fix = "Change the node so that it keeps the rule: docs/operators/" + dialect_ + ".md.";
  if (const std::optional<int> version = version_that_allows(facts)) {
    const std::string text = version_text(dialect_, *version);
    finding.what += "; " + text + " allows it";
    finding.fix = "Write " + text + " or newer, which allows the node.";
  }
  finding.node = facts.place.path;
  const std::string_view type = facts.inputs.empty() ? "" : dtype_name(facts.inputs[0]->dtype);
  finding.message = "node '" + printable(facts.place.node.name) + "' (" + finding.operator_name +
                    "): " + finding.what;
  add_effects(effects_of_broken_rule(finding.rule, type, facts.op->info.since_version, dialect_,
                                     options_.targets),
              finding);
  return finding;
}

PortabilityFinding OperatorRules::without_version(const NodeFacts& facts) const {
  const ModelNode& node = facts.place.node;
  PortabilityFinding finding;
  finding.rule = kOperatorVersion;
  finding.node = facts.place.path;
  finding.operator_name = dialect_ + "." + printable(node.op_type);
  finding.verdict = Verdict::kHappens;
  finding.what = facts.no_operator.message();
  const std::string first = version_text(dialect_, *first_version(dialect_, node.op_type));
  finding.fix = "Write " + first + " or newer.";
  finding.message = "node '" + printable(node.name) + "' (" + finding.operator_name +
                    "): " + finding.what + "; it came with " + first;
  add_effects(effects_of_broken_rule(kOperatorVersion, "", 0, dialect_, options_.targets), finding);
  return finding;
}

void OperatorRules::add_effects(const std::vector<RuleEffect>& effects,
                                PortabilityFinding& finding) const {
  finding.severity = Severity::kSlow;
  for (const RuleEffect& effect : effects) {
    finding.runtimes.push_back(name_of({effect.runtime, effect.device, ""}));
    finding.effects.push_back({finding.runtimes.back(), effect.severity, effect.effect});
    finding.severity = std::min(finding.severity, effect.severity);
    finding.message += "; " + finding.runtimes.back() + " " + effect.effect;
  }
}

}  // namespace windrow::internal
