#include "tests/support/strided_buffer.h"

#include <gtest/gtest.h>

#include "tests/support/compare.h"

namespace windrow::tests {
namespace {

Layout strange_layout() {
  Layout layout;
  layout.axes = {{0, 2, true, false}, {1, 1, false, false}};
  layout.gap_bytes = 3;
  layout.base = 1;
  return layout;
}

TEST(StridedBuffer, HoldsTheSameElements) {
  const Tensor numbers = Tensor::of<float>({2, 3}, {1, 2, 3, 4, 5, 6});
  const StridedBuffer buffer(numbers, strange_layout());
  EXPECT_EQ(buffer.view().strides, (Strides{-4, 14}));
  EXPECT_EQ(first_bit_difference(numbers, buffer.view()), "");
  const Tensor texts = Tensor::of<std::string>({2, 3}, {"a", "", "b", "c", "d", "e"});
  EXPECT_EQ(first_bit_difference(texts, StridedBuffer(texts, strange_layout()).view()), "");
}

TEST(StridedBuffer, ACopyHasItsOwnMemory) {
  const Tensor numbers = Tensor::of<std::int16_t>({2, 3}, {1, 2, 3, 4, 5, 6});
  StridedBuffer buffer(numbers, strange_layout());
  const StridedBuffer copy(buffer);
  *static_cast<unsigned char*>(buffer.mutable_view().data) = 9;
  EXPECT_EQ(first_bit_difference(numbers, copy.view()), "");
  EXPECT_NE(first_bit_difference(numbers, buffer.view()), "");
}

TEST(StridedBuffer, NoticesWritesBetweenAndAroundTheElements) {
  const Tensor numbers = Tensor::of<std::uint8_t>({2, 2}, {1, 2, 3, 4});
  for (const int step : {-1, 2, 12}) {
    StridedBuffer buffer(numbers, strange_layout());
    EXPECT_TRUE(buffer.guards_intact());
    static_cast<std::uint8_t*>(buffer.mutable_view().data)[step == -1 ? -2 : step] = 0;
    EXPECT_FALSE(buffer.guards_intact()) << step;
  }
}

}  // namespace
}  // namespace windrow::tests
