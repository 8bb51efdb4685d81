#ifndef WINDROW_PORTABILITY_VERIFY_FIX_H_
#define WINDROW_PORTABILITY_VERIFY_FIX_H_

#include <vector>

#include "windrow/fix.h"

namespace windrow::internal {

// Checks a model again after changes: the changes that leave their finding or bring a new one, with
// a sentence about that as their `what`. `report` is the check of `before` that called for them.
// Errors: those of check().
Result<std::vector<ModelFix>> remaining_findings(const Model& before, const FixedModel& after,
                                                 const CheckReport& report,
                                                 const InferOptions& infer);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_VERIFY_FIX_H_
