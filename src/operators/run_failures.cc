#include "src/operators/run_failures.h"

#include <string>

namespace windrow::internal {
namespace {

Status failure(const PlanState& state, ErrorCode code, const char* what) {
  const std::string& name = state.operation.operator_name;
  return Status(ErrorInfo{code, name + ": " + what, name, {}, nullptr});
}

}  // namespace

Status out_of_memory(const PlanState& state) {
  return failure(state, ErrorCode::kOutOfMemory, "out of memory");
}

Status interrupted(const PlanState& state) {
  return failure(state, ErrorCode::kInterrupted, "interrupted by the caller");
}

Status indices_changed(const PlanState& state) {
  return failure(state, ErrorCode::kIndexOutOfRange, "the indices changed during the call");
}

Status no_way(const PlanState& state) {
  return failure(state, ErrorCode::kInternal,
                 "no way to run that the plan holds serves this call, so that nothing was written");
}

}  // namespace windrow::internal
