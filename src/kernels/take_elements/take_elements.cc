#include "src/kernels/bind.h"
#include "src/kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "src/kernels/take_elements/take_elements.cc"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"
#include "src/kernels/move-inl.h"

HWY_BEFORE_NAMESPACE();
namespace windrow::internal {
namespace HWY_NAMESPACE {

void bind_take_elements_target(KernelTable& table) {
#define WINDROW_BLOCK_KERNEL(name, family, low, high, dtype, fold, function) \
  table.block[static_cast<std::size_t>(BlockKernel::name)] = &function;
#include "src/kernels/take_elements/rows.inc"
#undef WINDROW_BLOCK_KERNEL
}

}  // namespace HWY_NAMESPACE
}  // namespace windrow::internal
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace windrow::internal {

HWY_EXPORT(bind_take_elements_target);

void bind_take_elements(std::int64_t target, KernelTable& table) {
  HWY_DISPATCH_TABLE(bind_take_elements_target)[WINDROW_TARGET_INDEX(target)](table);
}

}  // namespace windrow::internal
#endif  // HWY_ONCE
