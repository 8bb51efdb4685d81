#ifndef WINDROW_TESTS_RANDOM_RUN_CALL_H_
#define WINDROW_TESTS_RANDOM_RUN_CALL_H_

#include <string>

#include "tests/random/random_call.h"

namespace windrow::tests {

// Compiles the call; `kernels` is CallOptions::kernels, a kernel set and its levers.
Result<Plan> compile_call(const RandomCall& call, const std::string& kernels);

// Memory for the plan's result, laid out as the call says; for a call in place, a copy of its data.
StridedBuffer make_out(const RandomCall& call, const Plan& plan);

// The views that a run takes which writes to `out`: in place, that is the data, too.
std::vector<TensorView> views_of_run(const RandomCall& call, const StridedBuffer& out);

// Whether the result would have more than 4 million elements. A deliberate mistake may leave a
// legal call: another axis can make gigabytes of two small inputs.
bool is_too_large(const RandomCall& call);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_RANDOM_RUN_CALL_H_
