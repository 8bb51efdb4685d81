#ifndef WINDROW_PORTABILITY_REMAINING_FINDINGS_H_
#define WINDROW_PORTABILITY_REMAINING_FINDINGS_H_

#include <vector>

#include "windrow/fix.h"

namespace windrow::internal {

// What a check of a changed model says against changes, whose `what` is a sentence about it.
struct FixFaults {
  // They leave their finding, or bring a new one.
  std::vector<ModelFix> refused;
  // They turn errors into values, and nothing proves that they do so in every run: a Clip does not
  // help where an extent that only a run decides is 0.
  std::vector<ModelFix> unproved;
};

// Checks a model again after changes. `report` is the check of `before` that called for them.
// Errors: those of check().
Result<FixFaults> remaining_findings(const Model& before, const FixedModel& after,
                                     const CheckReport& report, const InferOptions& infer);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_REMAINING_FINDINGS_H_
