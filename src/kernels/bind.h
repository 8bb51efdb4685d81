#ifndef WINDROW_KERNELS_BIND_H_
#define WINDROW_KERNELS_BIND_H_

#include <cstdint>

#include "src/kernels/registry.h"

// The functions that each file of kernels gives to the registry, for one Highway target.
namespace windrow::internal {

#define WINDROW_KERNEL_FILE(bind) void bind(std::int64_t target, KernelTable& table);
#include "src/kernels/kernels.inc"

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_BIND_H_
