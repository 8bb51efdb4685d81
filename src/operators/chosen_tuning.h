#ifndef WINDROW_OPERATORS_CHOSEN_TUNING_H_
#define WINDROW_OPERATORS_CHOSEN_TUNING_H_

#include "src/plan/tuning.h"
#include "windrow/options.h"

namespace windrow::internal {

// What options.kernels forces or, where it is empty, the environment variable WINDROW_KERNELS.
// Errors: kInvalidArgument.
Result<Tuning> chosen_tuning(const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_CHOSEN_TUNING_H_
