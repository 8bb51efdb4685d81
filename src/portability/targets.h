#ifndef WINDROW_PORTABILITY_TARGETS_H_
#define WINDROW_PORTABILITY_TARGETS_H_

#include <span>
#include <string>
#include <vector>

#include "windrow/check.h"

namespace windrow::internal {

// Whether one of the targets has the effect: the runtime is the same, the device is the same if the
// target names one, and the version is among the effect's. A target's version includes all versions
// that begin with it, as 10 includes 10.3. A target without a device includes no device that few
// have, such as onnxruntime:coreml. A target without a version is the newest, which has the
// effects that have no last version.
bool is_effect_on(const RuleEffect& effect, std::span<const RuntimeTarget> targets);

// The runtimes of the rules that the targets name, or, if there are no targets, all that are told
// unasked: "onnxruntime:cpu", in the order of the targets and, within one, of the names. A target
// that no rule knows is itself one.
std::vector<std::string> runtimes_of(std::span<const RuntimeTarget> targets);

// Whether the effect is told where no target is named: it is of the newest version, and of a
// runtime that is not told on request only.
bool is_told_unasked(const RuleEffect& effect);

// The runtimes that the targets name, or all if there are no targets: "onnxruntime:cpu", in the
// order of the targets and, within one, of the names. A target that no rule knows is its own name.
std::vector<std::string> runtimes_of(std::span<const RuntimeTarget> targets);

// Errors: kInvalidArgument (a runtime without a name, or a version that does not consist of numbers
// separated by points).
Status check_target(const RuntimeTarget& target);

// A runtime that is named by its device alone, such as "coreml", where only one runtime has this
// device; else the target itself.
RuntimeTarget whole_target(const RuntimeTarget& target);
// "onnxruntime:cpu", or the runtime alone if the target has no device.
std::string name_of(const RuntimeTarget& target);
// Whether a rule knows the runtime and, if the target names one, the device.
bool is_known(const RuntimeTarget& target);
// Whether the runtime was examined for every rule. Of others a rule without an effect says nothing.
bool is_well_known(const RuntimeTarget& target);
// A note that no rule knows the target, with the nearest known name.
std::string unknown_text(const RuntimeTarget& target);
// What is said of a target that is not well known where the specification says `specification` of a
// rule's condition.
RuleEffect effect_of_unknown(const RuntimeTarget& target, const char* specification);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_TARGETS_H_
