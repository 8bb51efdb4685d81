#ifndef WINDROW_CHECK_FIELDS_H_
#define WINDROW_CHECK_FIELDS_H_

#include <concepts>
#include <type_traits>

#include "windrow/check.h"
#include "windrow/fix.h"
#include "windrow/lowest_opset.h"

// visit_fields(value, visit) calls visit(name, member) for every member of the results of
// windrow::check() and lowest_opset() and of the changes of fix_model(), in their order, for tools
// that show or store them. The names are those of the JSON document
// (docs/formats/check.schema.json, docs/formats/lowest_opset.schema.json).
namespace windrow {

// Held is Value or const Value.
template <class Held, class Value>
concept FieldsOf = std::same_as<std::remove_const_t<Held>, Value>;

template <FieldsOf<FirstDifference> Held, class Visit>
void visit_fields(Held& difference, Visit&& visit) {
  visit("position", difference.position);
  visit("got", difference.got);
  visit("expected", difference.expected);
}

template <FieldsOf<ObservedDifference> Held, class Visit>
void visit_fields(Held& observed, Visit&& visit) {
  visit("runtime", observed.runtime);
  visit("runs", observed.runs);
  visit("differing", observed.differing);
  visit("first", observed.first);
}

template <FieldsOf<FindingEffect> Held, class Visit>
void visit_fields(Held& effect, Visit&& visit) {
  visit("runtime", effect.runtime);
  visit("severity", effect.severity);
  visit("effect", effect.effect);
}

template <FieldsOf<TriedEffect> Held, class Visit>
void visit_fields(Held& tried, Visit&& visit) {
  visit("runtime", tried.runtime);
  visit("outcome", tried.outcome);
  visit("agreement", tried.agreement);
}

template <FieldsOf<PortabilityFinding> Held, class Visit>
void visit_fields(Held& finding, Visit&& visit) {
  visit("rule", finding.rule);
  visit("node", finding.node);
  visit("operator", finding.operator_name);
  visit("runtimes", finding.runtimes);
  visit("severity", finding.severity);
  visit("verdict", finding.verdict);
  visit("premises", finding.premises);
  visit("evidence", finding.evidence);
  visit("input", finding.input);
  visit("position", finding.position);
  visit("value", finding.value);
  visit("what", finding.what);
  visit("effects", finding.effects);
  visit("observed", finding.observed);
  visit("tried", finding.tried);
  visit("message", finding.message);
  visit("fix", finding.fix);
  visit("observed_in_range", finding.observed_in_range);
}

template <FieldsOf<InputContract> Held, class Visit>
void visit_fields(Held& contract, Visit&& visit) {
  visit("input", contract.input);
  visit("low", contract.low);
  visit("high", contract.high);
  visit("rules", contract.rules);
  visit("nodes", contract.nodes);
  visit("sentence", contract.sentence);
}

template <FieldsOf<IndexingInput> Held, class Visit>
void visit_fields(Held& known, Visit&& visit) {
  visit("domain", known.domain);
  visit("name", known.name);
  visit("input", known.input);
  visit("why", known.why);
}

template <FieldsOf<UnjudgedOperator> Held, class Visit>
void visit_fields(Held& unjudged, Visit&& visit) {
  visit("operator", unjudged.operator_name);
  visit("input", unjudged.input);
  visit("count", unjudged.count);
  visit("nodes", unjudged.nodes);
  visit("why", unjudged.why);
  visit("sentence", unjudged.sentence);
}

template <FieldsOf<CheckReport> Held, class Visit>
void visit_fields(Held& report, Visit&& visit) {
  visit("nodes", report.nodes);
  visit("findings", report.findings);
  visit("left_out", report.left_out);
  visit("contracts", report.contracts);
  visit("notes", report.notes);
  visit("not_judged", report.not_judged);
}

template <FieldsOf<ModelFix> Held, class Visit>
void visit_fields(Held& fix, Visit&& visit) {
  visit("rule", fix.rule);
  visit("node", fix.node);
  visit("what", fix.what);
  visit("safe", fix.safe);
  visit("rounds", fix.rounds);
}

template <FieldsOf<NodeOpset> Held, class Visit>
void visit_fields(Held& node, Visit&& visit) {
  visit("node", node.node);
  visit("operator", node.operator_name);
  visit("domain", node.domain);
  visit("declared", node.declared);
  visit("lowest", node.lowest);
  visit("rule", node.rule);
  visit("why", node.why);
}

template <FieldsOf<DomainOpset> Held, class Visit>
void visit_fields(Held& domain, Visit&& visit) {
  visit("domain", domain.domain);
  visit("declared", domain.declared);
  visit("lowest", domain.lowest);
  visit("node", domain.node);
}

template <FieldsOf<LowestOpset> Held, class Visit>
void visit_fields(Held& needs, Visit&& visit) {
  visit("is_enough", needs.is_enough);
  visit("domains", needs.domains);
  visit("nodes", needs.nodes);
  visit("left_out", needs.left_out);
}

template <FieldsOf<RuleEffect> Held, class Visit>
void visit_fields(Held& effect, Visit&& visit) {
  visit("runtime", effect.runtime);
  visit("device", effect.device);
  visit("since", effect.since);
  visit("until", effect.until);
  visit("severity", effect.severity);
  visit("effect", effect.effect);
  visit("ran", effect.ran);
  visit("source", effect.source);
  visit("seen", effect.seen);
}

template <FieldsOf<PortabilityRule> Held, class Visit>
void visit_fields(Held& rule, Visit&& visit) {
  visit("label", rule.label);
  visit("sentence", rule.sentence);
  visit("fix", rule.fix);
  visit("example", rule.example);
  visit("provocation", rule.provocation);
  visit("effects", rule.effects);
}

}  // namespace windrow

#endif  // WINDROW_CHECK_FIELDS_H_
