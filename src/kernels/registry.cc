#include "src/kernels/registry.h"

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "hwy/targets.h"
#include "src/base/memory.h"
#include "src/kernels/bind.h"

namespace windrow::internal {
namespace {

KernelSetEntry make_set(std::string_view name, std::int64_t target, bool supported) {
  KernelSetEntry set{name, supported, {}};
  // The functions that fill the table are themselves compiled for the target.
  if (!supported) return set;
#define WINDROW_KERNEL_FILE(bind) bind(target, set.table);
#include "src/kernels/kernels.inc"
  return set;
}

}  // namespace

void flush_streams() noexcept { hwy::FlushStream(); }

std::span<const KernelSetEntry> kernel_sets() noexcept {
  [[maybe_unused]] static const std::int64_t machine = hwy::SupportedTargets();
  static const KernelSetEntry sets[] = {
    make_set("plain", HWY_STATIC_TARGET, true),
#if HWY_ARCH_X86
    make_set("avx2", HWY_AVX2, (machine & HWY_AVX2) != 0),
    make_set("avx512", HWY_AVX3, (machine & HWY_AVX3) != 0),
#elif HWY_ARCH_ARM_A64
    make_set("neon", HWY_NEON, (machine & HWY_NEON) != 0),
    make_set("sve", HWY_SVE, (machine & HWY_SVE) != 0),
#endif
  };
  return sets;
}

[[maybe_unused]] static const bool kForkSafe = fill_before_fork([] { kernel_sets(); });

const KernelSetEntry* find_kernel_set(std::string_view name) noexcept {
  const std::span<const KernelSetEntry> sets = kernel_sets();
  for (std::size_t i = sets.size(); i-- > 0;)
    if (sets[i].supported && (name.empty() || sets[i].name == name)) return &sets[i];
  return nullptr;
}

}  // namespace windrow::internal
