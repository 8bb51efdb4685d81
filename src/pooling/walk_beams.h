#ifndef WINDROW_POOLING_WALK_BEAMS_H_
#define WINDROW_POOLING_WALK_BEAMS_H_

#include <cstdint>
#include <span>

#include "src/access/access_map.h"
#include "src/execute/outcome.h"
#include "windrow/plan_description.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

namespace windrow::internal {

// Walks every beam of an operation with `beams` back through its parents, from the last step of its
// length on, and writes the step ids that it meets. What follows the first end token, and all steps
// of a beam without length, become the end token. Each parent is read once. kBadIndex: a parent
// that a walk reads is illegal.
RunOutcome walk_beams(const Operation& operation, std::span<const TensorView> inputs,
                      const MutableTensorView& out, Threads* threads, Interruption* interruption);

// Sets the members of a description that say how the beams are walked.
void describe_beams(const Operation& operation, PlanDescription& description);

// The error for the illegal parents that walks read: as describe_illegal_indices() words it, for
// the first one in row-major order. Success if there is none.
Status describe_illegal_parents(const Operation& operation, std::span<const TensorView> inputs,
                                Interruption* interruption, std::int64_t listed);

}  // namespace windrow::internal

#endif  // WINDROW_POOLING_WALK_BEAMS_H_
