// Gives a table the functions of a file's rows. A file of kernels defines WINDROW_ROWS, the rows,
// and WINDROW_BIND, the function that kernels.inc names for them, and includes this at its end,
// once per Highway target.
#include "hwy/highway.h"
#include "src/kernels/bind.h"
#include "src/kernels/targets.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {
namespace {

void bind_target(KernelTable& table) {
#define WINDROW_KERNEL(name, family, low, high, dtype, fold, function) \
  table.set<Family::family>(Kernel::name, function);
#include WINDROW_ROWS
#undef WINDROW_KERNEL
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace windrow::internal {

HWY_EXPORT(bind_target);

void WINDROW_BIND(std::int64_t target, KernelTable& table) {
  HWY_DISPATCH_TABLE(bind_target)[WINDROW_TARGET_INDEX(target)](table);
}

}  // namespace windrow::internal
#endif  // HWY_ONCE
