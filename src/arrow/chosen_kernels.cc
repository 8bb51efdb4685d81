#include "src/arrow/chosen_kernels.h"

#include <cstdint>

#include "src/operators/compile.h"
#include "src/plan/tuning.h"

namespace windrow::arrow {

Result<ChosenKernels> choose_kernels(const CallOptions& options) {
  using namespace windrow::internal;
  const Result<Tuning> tuning = parse_known_tuning(chosen_kernels(options));
  if (!tuning) return tuning.error();
  return ChosenKernels{
      &find_kernel_set(tuning->kernel_set)->table,
      tuning->gathers ? *tuning->gathers : has_fast_gathers(sizeof(std::uint32_t))};
}

}  // namespace windrow::arrow
