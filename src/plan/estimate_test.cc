#include "src/plan/estimate.h"

#include <gtest/gtest.h>

#include "src/plan/lower.h"

namespace windrow::internal {
namespace {

double copy_time(const Shape& shape, const Strides& from) {
  return estimate_time(
      lower_copy(DType::kFloat32, shape, row_major_strides(shape, 4), from).value());
}

TEST(Estimates, MoreElementsTakeMoreTime) {
  EXPECT_LT(copy_time({100, 100}, {800, 8}), copy_time({200, 100}, {800, 8}));
}

TEST(Estimates, AnotherOrderTakesMoreTimeThanGaps) {
  EXPECT_LT(copy_time({300, 300}, {2400, 8}), copy_time({300, 300}, {4, 1200}));
}

TEST(Estimates, LargeMemoryTakesTimeByItsSize) {
  EXPECT_EQ(estimate_new_memory(100), estimate_new_memory(1000));
  EXPECT_LT(estimate_new_memory(1 << 20), estimate_new_memory(1 << 22));
}

}  // namespace
}  // namespace windrow::internal
