#ifndef WINDROW_PORTABILITY_TARGETS_H_
#define WINDROW_PORTABILITY_TARGETS_H_

#include <span>
#include <string>
#include <vector>

#include "windrow/check.h"

namespace windrow::internal {

// Whether one of the targets has the effect: the runtime is the same, the device is the same if the
// target names one, and the version is among the effect's. A target's version includes all versions
// that begin with it, as 10 includes 10.3. A target without a version is the newest, which has the
// effects that have no last version.
bool is_effect_on(const RuleEffect& effect, std::span<const RuntimeTarget> targets);

// The runtimes of the rules that the targets name, or all if there are no targets:
// "onnxruntime:cpu", in the order of the targets and, within one, of the names.
std::vector<std::string> runtimes_of(std::span<const RuntimeTarget> targets);

// Errors: kInvalidArgument (an unknown runtime or device, or a version that does not consist of
// numbers separated by points).
Status check_target(const RuntimeTarget& target);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_TARGETS_H_
