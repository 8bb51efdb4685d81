#include "src/plan/broadcast_strides.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

TEST(BroadcastStrides, AlignsAtTheEndAndRepeatsOnes) {
  EXPECT_EQ(broadcast_strides({3, 4}, {16, 4}, {2, 3, 4}), Strides({0, 16, 4}));
  EXPECT_EQ(broadcast_strides({2, 1, 4}, {50, 7, -4}, {2, 3, 4}), Strides({50, 0, -4}));
  EXPECT_EQ(broadcast_strides({}, {}, {2, 3}), Strides({0, 0}));
  EXPECT_EQ(broadcast_strides({1}, {8}, {2, 3}), Strides({0, 0}));
}

TEST(BroadcastStrides, DropsLeadingOnes) {
  EXPECT_EQ(broadcast_strides({1, 1, 2, 3}, {9, 9, 12, 4}, {2, 3}), Strides({12, 4}));
  EXPECT_EQ(broadcast_strides({1}, {8}, {}), Strides());
}

TEST(BroadcastStrides, TheSameShapeKeepsItsStrides) {
  EXPECT_EQ(broadcast_strides({2, 0}, {100, 4}, {2, 0}), Strides({100, 4}));
}

}  // namespace
}  // namespace windrow::internal
