#ifndef WINDROW_PORTABILITY_TARGETS_H_
#define WINDROW_PORTABILITY_TARGETS_H_

#include <span>

#include "windrow/check.h"

namespace windrow::internal {

// Whether an effect shows on one of the targets: the same runtime, the same device if the target
// names one, and a version of which it is known. A target's version stands for all that begin with
// it: 10 for 10.3, too.
bool is_effect_on(const RuleEffect& effect, std::span<const RuntimeTarget> targets);

// Errors: kInvalidArgument (no such runtime or device, a version that is no numbers and points).
Status check_target(const RuntimeTarget& target);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_TARGETS_H_
