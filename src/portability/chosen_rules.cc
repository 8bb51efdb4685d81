#include "src/portability/chosen_rules.h"

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/portability/node_view.h"
#include "src/portability/operator_rules.h"
#include "windrow/nearest_name.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

bool begins_with_any(std::string_view label, const std::vector<std::string>& beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [label](const std::string& beginning) {
    return label.starts_with(beginning);
  });
}

std::string rule_hint(const std::string& label) {
  NearestName nearest(label);
  for (const PortabilityRule& rule : portability_rules()) nearest.consider(rule.label);
  for (const PortabilityRule& rule : operator_rules()) nearest.consider(rule.label);
  return nearest.hint();
}

// Errors: kInvalidArgument if no label begins with one of `beginnings`.
Status check_labels(const std::vector<std::string>& beginnings) {
  const std::span<const PortabilityRule> rules = portability_rules();
  for (const std::string& beginning : beginnings) {
    const bool is_known =
        !beginning.empty() &&
        (begins_operator_label(beginning) ||
         std::any_of(rules.begin(), rules.end(), [&](const PortabilityRule& rule) {
           return rule.label.starts_with(beginning);
         }));
    if (!is_known)
      return Status(ErrorCode::kInvalidArgument, "there is no rule '" + printable(beginning) +
                                                     "', and none whose label begins with it" +
                                                     rule_hint(beginning));
  }
  return {};
}

bool is_chosen(const RuleRow& row, const RuleEffect& effect, Dialect dialect,
               const std::vector<RuntimeTarget>& targets) {
  const bool is_read = reads(effect.runtime, dialect);
  if (targets.empty()) return is_read && is_told_unasked(effect);
  return (is_read || row.is_of_conversion) && is_effect_on(effect, targets);
}

}  // namespace

std::vector<ChosenRule> choose_rules(const Model& model, const CheckOptions& options) {
  const Dialect dialect = dialect_named(model.dialect);
  std::vector<ChosenRule> chosen;
  for (const RuleRow& row : rule_rows()) {
    if (row.judge == nullptr || (row.dialects & dialect) == 0) continue;
    if (!options.select.empty() && !begins_with_any(row.label, options.select)) continue;
    if (begins_with_any(row.label, options.ignore)) continue;
    ChosenRule rule{&row, {}};
    for (const RuleEffect& effect : row.effects) {
      if (is_chosen(row, effect, dialect, options.targets)) rule.effects.push_back(&effect);
    }
    for (const RuntimeTarget& target : options.targets) {
      const bool is_told =
          std::any_of(rule.effects.begin(), rule.effects.end(), [&target](const auto* effect) {
            return is_effect_on(*effect, {&target, 1});
          });
      if (*row.specification == 0 || is_told || is_well_known(target)) continue;
      rule.of_unknown.push_back(
          std::make_shared<const RuleEffect>(effect_of_unknown(target, row.specification)));
      rule.effects.push_back(rule.of_unknown.back().get());
    }
    if (!rule.effects.empty()) chosen.push_back(std::move(rule));
  }
  return chosen;
}

Status check_options(const CheckOptions& options) {
  for (const auto* labels : {&options.select, &options.ignore}) {
    Status status = check_labels(*labels);
    if (!status) return status;
  }
  for (const RuntimeTarget& target : options.targets) {
    Status status = check_target(target);
    if (!status) return status;
  }
  return {};
}

}  // namespace windrow::internal
