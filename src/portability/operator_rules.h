#ifndef WINDROW_PORTABILITY_OPERATOR_RULES_H_
#define WINDROW_PORTABILITY_OPERATOR_RULES_H_

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/ranges/ranges.h"
#include "windrow/check.h"
#include "windrow/inference.h"

// The findings about rules of the operators themselves, such as ONNX-Gather-A1 of
// docs/operators/onnx.md, which inference judges.
namespace windrow::internal {

// Whether the text begins a label of operator_rules(): "ONNX-Gather-A1", "OPENVINO-", "CALL-".
bool begins_operator_label(std::string_view text);

// What a rule of operators is about, as cases/rules.json says: "attribute", "inputs", "type", ...;
// empty for rules that do not stand there.
std::string_view kind_of_operator_rule(std::string_view label);

// Whether the finding says that a node has no defined meaning, whatever its values are: inputs or
// attributes are not those of its operator. Then nothing else is judged of it.
bool leaves_undefined(const PortabilityFinding& finding);

inline constexpr std::string_view kOtherType = "another type";

// What runtimes do with a node that breaks the rule of this label in a version of its operator.
// `type` is that of the operator's data, which matters for rules about it, or kOtherType if an
// input has an element type that the library does not have. Only what was observed
// on the targets, or on any runtime if there are none; a target on which nothing was observed has
// an effect that says so, as every runtime has if there are no targets and nothing was observed.
std::vector<RuleEffect> effects_of_broken_rule(std::string_view label, std::string_view type,
                                               int version, std::string_view dialect,
                                               std::span<const RuntimeTarget> targets);

// What runtimes were observed to do with nodes that break the rule, whatever their versions and
// types, which the effects name.
std::vector<RuleEffect> observed_effects(std::string_view label);

// Makes the findings of nodes that break rules of their operators.
class OperatorRules {
 public:
  // Both must outlive the object.
  OperatorRules(const std::string& dialect, const CheckOptions& options)
      : dialect_(dialect), options_(options) {}

  // Takes what inference found. Must be called before nodes are judged.
  void take(const Findings& found);
  // The findings of a node. `facts` are those in the specification's arithmetic, with its
  // `extents`.
  std::vector<PortabilityFinding> judge(const NodeFacts& facts, const Extents& extents) const;

 private:
  bool is_chosen(std::string_view label) const;
  // A finding of this rule with its fix, but without verdict and effects.
  static PortabilityFinding made(const NodeFacts& facts, std::string rule,
                                 std::string operator_name);
  PortabilityFinding broken(const NodeFacts& facts, const Finding& fault) const;
  // Of a node that breaks the rule where inputs of the model have certain extents.
  PortabilityFinding can_be_broken(const NodeFacts& facts, const Status& status) const;
  // Adds what runtimes were observed to do with nodes that break the finding's rule.
  void add_observed(const NodeFacts& facts, PortabilityFinding& finding) const;
  // Of a node that has no operator because of a fault of the model.
  PortabilityFinding without_operator(const NodeFacts& facts) const;
  // Adds effects and the message.
  static void add_effects(const NodeFacts& facts, const std::vector<RuleEffect>& effects,
                          PortabilityFinding& finding);

  const std::string& dialect_;
  const CheckOptions& options_;
  std::multimap<std::string, Finding, std::less<>> by_node_;
};

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_OPERATOR_RULES_H_
