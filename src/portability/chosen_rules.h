// The rules that a check judges: those that its options choose, with their effects on the runtimes
// that it is about.
#ifndef WINDROW_PORTABILITY_CHOSEN_RULES_H_
#define WINDROW_PORTABILITY_CHOSEN_RULES_H_

#include <memory>
#include <vector>

#include "src/portability/targets.h"
#include "windrow/check.h"
#include "windrow/models.h"

namespace windrow::internal {

// A rule to judge, and its effects on the chosen runtimes.
struct ChosenRule {
  const RuleRow* row;
  std::vector<const RuleEffect*> effects;
  // Those on targets of which little is known.
  std::vector<std::shared_ptr<const RuleEffect>> of_unknown = {};
};

// The rules on runtimes that read the model's format, in the order of the table.
std::vector<ChosenRule> choose_rules(const Model& model, const CheckOptions& options);

// Errors: kInvalidArgument for labels with which no rule's label begins, and for targets that are
// no runtime's.
Status check_options(const CheckOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_CHOSEN_RULES_H_
