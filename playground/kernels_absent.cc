#include "src/kernels/registry.h"

// The twin of src/kernels/: the set of plain kernels, without functions. Explanations plan a call
// and take values from the reference; no plan is run here.

namespace windrow::internal {

void flush_streams() noexcept {}

bool has_fast_gathers(std::int64_t /*element_bytes*/) noexcept { return false; }

std::span<const KernelSetEntry> kernel_sets() noexcept {
  static const KernelSetEntry sets[] = {{"plain", true, {}}};
  return sets;
}

const KernelSetEntry* find_kernel_set(std::string_view name) noexcept {
  const KernelSetEntry& only = kernel_sets().front();
  return name.empty() || name == only.name ? &only : nullptr;
}

}  // namespace windrow::internal
