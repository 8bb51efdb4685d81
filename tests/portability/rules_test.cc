#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "tests/portability/node_model.h"
#include "windrow/check.h"

namespace windrow {

// For the names of parameterised tests.
void PrintTo(const PortabilityRule& rule, std::ostream* out) { *out << rule.label; }  // NOLINT

}  // namespace windrow

// Tests every rule on its example, which meets its condition, and on a node of cannot.json, which
// cannot.
namespace windrow::tests {
namespace {

using nlohmann::json;

// Rules about runs of hosts have neither effects nor an example, and rules about several nodes have
// no example.
bool is_of_one_node(const PortabilityRule& rule) { return !rule.example.empty(); }

const json& nodes_that_cannot() {
  static const json* const nodes = [] {
    std::ifstream file(WINDROW_PORTABILITY_TESTS "/cannot.json");
    return new json(json::parse(file));
  }();
  return *nodes;
}

// The check's report on a node by one rule, for every runtime of the rule.
CheckReport check_node(const json& node, const PortabilityRule& rule) {
  CheckOptions options;
  options.select = {rule.label};
  options.show_cannot = true;
  for (const RuleEffect& effect : rule.effects)
    options.targets.push_back({effect.runtime, effect.device, effect.until});
  CheckReport report = check(model_of_node(node), options).value();
  // A label may be the beginning of others.
  std::erase_if(report.findings, [&rule](const auto& found) { return found.rule != rule.label; });
  return report;
}

class EveryRule : public testing::TestWithParam<PortabilityRule> {};

TEST_P(EveryRule, HappensInItsExample) {
  const PortabilityRule& rule = GetParam();
  const CheckReport report = check_node(json::parse(rule.example), rule);
  ASSERT_EQ(report.findings.size(), 1U) << rule.label;
  const PortabilityFinding& finding = report.findings[0];
  EXPECT_EQ(verdict_name(finding.verdict), "happens") << finding.message;
  EXPECT_TRUE(finding.premises.empty());
  EXPECT_FALSE(finding.message.empty());
  EXPECT_FALSE(finding.runtimes.empty());
}

TEST_P(EveryRule, CannotWhereItsConditionDoesNotHold) {
  const PortabilityRule& rule = GetParam();
  const json& nodes = nodes_that_cannot();
  ASSERT_TRUE(nodes.contains(rule.label)) << "cannot.json has no node for " << rule.label;
  const json& node = nodes.at(rule.label);
  const CheckReport report = check_node(node, rule);
  // Rules whose condition is the operator itself do not apply to others.
  if (node.at("operator") != json::parse(rule.example).at("operator") && report.findings.empty())
    return;
  ASSERT_EQ(report.findings.size(), 1U) << rule.label;
  EXPECT_EQ(verdict_name(report.findings[0].verdict), "cannot") << report.findings[0].message;
}

TEST_P(EveryRule, IsCompleteByItself) {
  const PortabilityRule& rule = GetParam();
  EXPECT_TRUE(rule.sentence.ends_with('.')) << rule.label;
  EXPECT_TRUE(rule.fix.ends_with('.')) << rule.label;
  for (const RuleEffect& effect : rule.effects) {
    EXPECT_FALSE(effect.runtime.empty() || effect.device.empty() || effect.effect.empty() ||
                 effect.source.empty())
        << rule.label;
    EXPECT_EQ(effect.seen.size(), 10U) << rule.label;
    EXPECT_FALSE(effect.effect.ends_with('.')) << rule.label;
  }
}

std::vector<PortabilityRule> rules_of_one_node() {
  std::vector<PortabilityRule> rules;
  for (const PortabilityRule& rule : portability_rules()) {
    if (is_of_one_node(rule)) rules.push_back(rule);
  }
  return rules;
}

INSTANTIATE_TEST_SUITE_P(Portability, EveryRule, testing::ValuesIn(rules_of_one_node()),
                         [](const auto& info) {
                           std::string name = info.param.label;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Rules, HaveLabelsOfTheirOwn) {
  std::set<std::string> labels;
  for (const PortabilityRule& rule : portability_rules())
    EXPECT_TRUE(labels.insert(rule.label).second) << rule.label;
  for (const auto& [label, node] : nodes_that_cannot().items())
    EXPECT_TRUE(labels.contains(label)) << "cannot.json has a node for no rule: " << label;
}

}  // namespace
}  // namespace windrow::tests
