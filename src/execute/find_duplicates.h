#ifndef WINDROW_EXECUTE_FIND_DUPLICATES_H_
#define WINDROW_EXECUTE_FIND_DUPLICATES_H_

#include <cstddef>
#include <span>

#include "src/access/access_map.h"
#include "src/execute/outcome.h"
#include "src/execute/run_memory.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Returns the error for a scatter that writes to a cell twice. It names the first update, in
// row-major order, whose cell was already written, and the update that wrote to the cell first.
// Returns success if there is none, or after an interruption. All indices must be legal. Serial;
// takes one bit per cell, or a hash entry per update if there are more than kMostBits cells.
Status find_duplicates(const Operation& operation, std::span<const TensorView> inputs,
                       Interruption* interruption = nullptr);

// Whether every index row holds a single index. If so, `indices`, a buffer of scratch_bytes(),
// receives these indices. Also returns false after an interruption, which the run then sees again.
bool find_constant_rows(const ConstantRows& way, const RunContext& run, std::byte* indices);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_FIND_DUPLICATES_H_
