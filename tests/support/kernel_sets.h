#ifndef WINDROW_TESTS_SUPPORT_KERNEL_SETS_H_
#define WINDROW_TESTS_SUPPORT_KERNEL_SETS_H_

#include <string>
#include <vector>

namespace windrow::tests {

// The kernel sets that this machine can run.
std::vector<std::string> supported_kernel_sets();

// "kernel sets: plain, avx2; skipped, as the machine lacks them: avx512"
std::string describe_kernel_sets();

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_KERNEL_SETS_H_
