#include "src/kernels/registry.h"

#include "hwy/cache_control.h"
#include "hwy/highway.h"
#include "hwy/targets.h"
#include "src/base/fill_before_fork.h"
#include "src/kernels/bind.h"

namespace windrow::internal {
namespace {

constexpr BlockKernelRow kRows[] = {
#define WINDROW_BLOCK_KERNEL(name, family, low, high, dtype, fold, function) \
  {#name, Family::family, low, high, DType::dtype, Fold::fold},
#include "src/kernels/kernels.inc"
#undef WINDROW_BLOCK_KERNEL
};
static_assert(std::size(kRows) == static_cast<std::size_t>(BlockKernel::kCount));

KernelSetEntry make_set(std::string_view name, std::int64_t target, bool supported) {
  KernelSetEntry set{name, supported, {}};
  // The functions that fill the table are compiled for the target too.
  if (!supported) return set;
  bind_planes(target, set.table);
  bind_copy_rows(target, set.table);
  bind_take_elements(target, set.table);
  bind_take_straight(target, set.table);
  bind_take_tuples(target, set.table);
  bind_look_up(target, set.table);
  bind_assign(target, set.table);
  bind_reduce(target, set.table);
  bind_offsets(target, set.table);
  return set;
}

}  // namespace

std::span<const BlockKernelRow> block_kernel_rows() noexcept { return kRows; }

BlockKernel find_block_kernel(const KernelQuery& query) noexcept {
  for (std::size_t i = 0; i < std::size(kRows); ++i) {
    const BlockKernelRow& row = kRows[i];
    if (row.family == query.family && row.low <= query.row_bytes && query.row_bytes <= row.high &&
        row.fold == query.fold && row.dtype == query.dtype)
      return static_cast<BlockKernel>(i);
  }
  return BlockKernel::kCount;
}

void flush_streams() noexcept { hwy::FlushStream(); }

std::span<const KernelSetEntry> kernel_sets() noexcept {
  static const std::int64_t machine = hwy::SupportedTargets();
  static const KernelSetEntry sets[] = {
    make_set("plain", HWY_STATIC_TARGET, true),
#if HWY_ARCH_X86
    make_set("avx2", HWY_AVX2, (machine & HWY_AVX2) != 0),
    make_set("avx512", HWY_AVX3, (machine & HWY_AVX3) != 0),
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
