#ifndef WINDROW_EXECUTE_CHECK_INDICES_H_
#define WINDROW_EXECUTE_CHECK_INDICES_H_

#include <span>

#include "src/access/operation.h"
#include "src/execute/interruption.h"
#include "src/kernels/registry.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

namespace windrow::internal {

// Whether some index tensor of the operation has an index outside its legal range. Reads each
// element once. `threads` may be null. Elements that an interruption left unread count as legal.
bool has_illegal_index(const Operation& operation, std::span<const TensorView> inputs,
                       const KernelTable& kernels, Threads* threads,
                       Interruption* interruption = nullptr);

}  // namespace windrow::internal

#endif  // WINDROW_EXECUTE_CHECK_INDICES_H_
