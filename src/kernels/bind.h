#ifndef WINDROW_KERNELS_BIND_H_
#define WINDROW_KERNELS_BIND_H_

#include <cstdint>

#include "src/kernels/registry.h"

// What each family's file gives the registry: its functions for one Highway target.
namespace windrow::internal {

void bind_planes(std::int64_t target, KernelTable& table);
void bind_copy_rows(std::int64_t target, KernelTable& table);
void bind_take_elements(std::int64_t target, KernelTable& table);
void bind_take_straight(std::int64_t target, KernelTable& table);
void bind_take_tuples(std::int64_t target, KernelTable& table);
void bind_look_up(std::int64_t target, KernelTable& table);
void bind_assign(std::int64_t target, KernelTable& table);
void bind_reduce(std::int64_t target, KernelTable& table);
void bind_offsets(std::int64_t target, KernelTable& table);

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_BIND_H_
