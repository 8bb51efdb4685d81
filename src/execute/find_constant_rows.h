#ifndef WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_
#define WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_

#include <cstddef>

#include "src/execute/run_context.h"

namespace windrow::internal {

// Whether every index row holds one index only. If so, `indices`, which has scratch_bytes(), gets
// these indices. Returns false after an interruption too, which the run sees again.
bool find_constant_rows(const ConstantRows& way, const RunContext& run, std::byte* indices);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_FIND_CONSTANT_ROWS_H_
