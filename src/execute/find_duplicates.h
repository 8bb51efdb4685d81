#ifndef WINDROW_EXECUTE_FIND_DUPLICATES_H_
#define WINDROW_EXECUTE_FIND_DUPLICATES_H_

#include <span>

#include "src/access/operation.h"
#include "src/execute/interruption.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// The error for a scatter that writes a cell twice: the first update, in row-major order, of a cell
// that was written already, and the update that wrote it first. A success if there is none. All
// indices must be legal. Serial; takes a bit per cell, or a hash entry per update where the cells
// are too many. A success too after an interruption.
Status find_duplicates(const Operation& operation, std::span<const TensorView> inputs,
                       Interruption* interruption = nullptr);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_FIND_DUPLICATES_H_
