#ifndef WINDROW_ARROW_CHOSEN_KERNELS_H_
#define WINDROW_ARROW_CHOSEN_KERNELS_H_

#include "src/kernels/registry.h"
#include "windrow/options.h"
#include "windrow/status.h"

namespace windrow::arrow {

// What a call uses outside of plans.
struct ChosenKernels {
  const windrow::internal::KernelTable* table = nullptr;
  bool gathers = false;  // whether gather instructions are used where there are any
};

// The kernels that a plan of the same options would have. Errors: kInvalidArgument, kUnsupported.
Result<ChosenKernels> choose_kernels(const CallOptions& options);

}  // namespace windrow::arrow

#endif  // WINDROW_ARROW_CHOSEN_KERNELS_H_
