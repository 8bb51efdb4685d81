#ifndef WINDROW_EXECUTE_FIND_DUPLICATES_H_
#define WINDROW_EXECUTE_FIND_DUPLICATES_H_

#include <span>

#include "src/access/operation.h"
#include "src/execute/interruption.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Returns the error for a scatter that writes to a cell twice. It names the first update, in
// row-major order, whose cell was already written, and the update that wrote to the cell first.
// Returns success if there is none, or after an interruption. All indices must be legal. Serial;
// takes one bit per cell, or a hash entry per update if there are more than kMostBits cells.
Status find_duplicates(const Operation& operation, std::span<const TensorView> inputs,
                       Interruption* interruption = nullptr);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_FIND_DUPLICATES_H_
