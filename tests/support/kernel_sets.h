#ifndef WINDROW_TESTS_SUPPORT_KERNEL_SETS_H_
#define WINDROW_TESTS_SUPPORT_KERNEL_SETS_H_

#include <string>
#include <vector>

namespace windrow::tests {

// The kernel sets that this machine can run; where WINDROW_TEST_KERNELS names some, with commas
// between them, only those. Throws std::invalid_argument if the machine can run none of them.
std::vector<std::string> supported_kernel_sets();

// Settings for CallOptions::kernels, to follow the name of a kernel set: those that force each
// lever at sizes that small cases reach, and the one that forces none.
inline constexpr const char* kEveryLever =
    ",prefetch=3,stream=on,tile=16,pack=on,constant-rows=on,fused-copy=on,straight=on,gathers=on,"
    "buckets=on,sorted=on,flat-runs=on,grids=on,dense-copies=on,tasks=3";
inline constexpr const char* kNoLever =
    ",prefetch=0,stream=off,tile=0,pack=off,constant-rows=off,fused-copy=off,straight=off,"
    "gathers=off,buckets=off,sorted=off,flat-runs=off,grids=off,dense-copies=off";

// "kernel sets: plain, avx2; skipped, as the machine lacks them or WINDROW_TEST_KERNELS leaves them
// out: avx512"
std::string describe_kernel_sets();

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_KERNEL_SETS_H_
