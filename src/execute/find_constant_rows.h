#ifndef WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_
#define WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_

#include <cstddef>

#include "src/execute/run_context.h"

namespace windrow::internal {

// Whether every index row holds a single index. If so, `indices`, a buffer of scratch_bytes(),
// receives these indices. Also returns false after an interruption, which the run then sees again.
bool find_constant_rows(const ConstantRows& way, const RunContext& run, std::byte* indices);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_
