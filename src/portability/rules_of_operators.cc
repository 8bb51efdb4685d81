// The rules that nodes must keep by the definitions of their operators.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/find_in.h"
#include "src/models/node_operator.h"
#include "src/portability/operator_rules.h"
#include "windrow/check.h"

namespace windrow {
namespace {

// A rule as the documents of the operators have it.
struct RuleText {
  std::string_view label;
  std::string_view kind;  // as in cases/rules.json
  std::string_view sentence;
  std::string_view because;  // the reason if the rule is a decision of this library; else empty
};

constexpr RuleText kTexts[] = {
#include "src/portability/rule_texts.inc"
};

// A rule about a node and the model that holds it.
struct ModelRule {
  const char* label;
  const char* sentence;
  const char* fix;
};

constexpr ModelRule kModelRules[] = {
    {internal::kOperatorOutputs, "a node has as many outputs as its operator: one",
     "Name one output of the node."},
    {internal::kOperatorVersion,
     "the version of the operator set that the model names has the operator",
     "Write a version that has the operator."},
    {internal::kOpsetImport, "the model imports an opset of the domain of each node",
     "Add the domain with its version to the model's opset_import."},
};

// "docs/operators/onnx.md" for "ONNX-Gather-A1"; the rules of calls stand in all documents.
std::string document_of(std::string_view label) {
  for (const auto& [dialect, document] :
       {std::pair<std::string_view, const char*>("ARRAY-", "array"),
        {"OPENVINO-", "openvino"},
        {"TENSORRT-", "tensorrt"}}) {
    if (label.starts_with(dialect)) return "docs/operators/" + std::string(document) + ".md";
  }
  return "docs/operators/onnx.md";
}

PortabilityRule rule_of(const RuleText& text) {
  PortabilityRule rule;
  rule.label = text.label;
  rule.sentence = "must hold: " + std::string(text.sentence);
  if (!text.because.empty()) rule.sentence += " (a decision: " + std::string(text.because) + ")";
  rule.fix = "Change the node so that this holds: " + std::string(text.sentence) + " (" +
             document_of(text.label) + ").";
  rule.effects = internal::observed_effects(text.label);
  return rule;
}

}  // namespace

std::string_view internal::kind_of_operator_rule(std::string_view label) {
  const RuleText* const text =
      internal::find_where(kTexts, [label](const RuleText& row) { return row.label == label; });
  return text == nullptr ? "" : text->kind;
}

std::span<const PortabilityRule> operator_rules() {
  static const auto* const rules = [] {
    auto* const made = new std::vector<PortabilityRule>();
    for (const RuleText& text : kTexts) made->push_back(rule_of(text));
    for (const ModelRule& row : kModelRules)
      made->push_back({row.label, std::string("must hold: ") + row.sentence, row.fix, "", "",
                       internal::observed_effects(row.label)});
    return made;
  }();
  return *rules;
}

}  // namespace windrow
