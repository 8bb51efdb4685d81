#include "src/kernels/registry.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

TEST(KernelRows, OfAFamilyStandTogether) {
  for (std::size_t r = 1; r < std::size(kKernelRows); ++r) {
    const Family family = kKernelRows[r].family;
    const std::size_t first = kFirstRows[static_cast<std::size_t>(family)];
    EXPECT_TRUE(first == r || kKernelRows[r - 1].family == family) << kKernelRows[r].name;
  }
}

TEST(KernelRows, AreAllFoundByAQuery) {
  for (std::size_t r = 0; r < std::size(kKernelRows); ++r) {
    const KernelRow& row = kKernelRows[r];
    // An earlier row may take the ends of a range: elements of four bytes are also rows of four
    // bytes.
    bool found = false;
    for (const std::int64_t bytes : {row.low, row.high, row.low + (row.high - row.low) / 2})
      found |= find_kernel({row.family, bytes, row.dtype, row.fold}) == static_cast<Kernel>(r);
    EXPECT_TRUE(found) << row.name;
  }
}

TEST(KernelSets, PlainIsAlwaysThereAndTheBestIsTheDefault) {
  EXPECT_EQ(kernel_sets().front().name, "plain");
  EXPECT_TRUE(kernel_sets().front().supported);
  const KernelSetEntry* best = nullptr;
  for (const KernelSetEntry& set : kernel_sets())
    if (set.supported) best = &set;
  EXPECT_EQ(find_kernel_set(""), best);
  EXPECT_EQ(find_kernel_set("plain"), &kernel_sets().front());
  EXPECT_EQ(find_kernel_set("sse9"), nullptr);
}

}  // namespace
}  // namespace windrow::internal
