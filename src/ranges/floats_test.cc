#include "src/ranges/floats.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace windrow::internal {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

bool holds(const FloatInterval& interval, float value) {
  if (std::isnan(value)) return interval.may_be_nan;
  return interval.low <= static_cast<double>(value) && static_cast<double>(value) <= interval.high;
}

struct Row {
  std::string name;
  FloatInterval (FloatArithmetic::*bound)(const FloatInterval&, const FloatInterval&) const;
  std::function<float(float, float)> compute;
};

const Row kRows[] = {
    {"add", &FloatArithmetic::add, [](float a, float b) { return a + b; }},
    {"multiply", &FloatArithmetic::multiply, [](float a, float b) { return a * b; }},
    {"divide", &FloatArithmetic::divide, [](float a, float b) { return a / b; }},
    {"remainder", &FloatArithmetic::remainder, [](float a, float b) { return std::fmod(a, b); }},
    {"minimum that skips NaN", &FloatArithmetic::minimum,
     [](float a, float b) { return std::fmin(a, b); }},
    {"maximum of the first operand", &FloatArithmetic::maximum,
     [](float a, float b) { return a < b ? b : a; }},
    {"maximum of the second operand", &FloatArithmetic::maximum,
     [](float a, float b) { return b < a ? a : b; }},
};

// Numbers from the whole range of the type, and its extremes.
float any_number(std::mt19937& random) {
  static const std::vector<float> special = {0.0F,
                                             -0.0F,
                                             1.0F,
                                             -1.0F,
                                             0.1F,
                                             3.0F,
                                             1e-45F,
                                             -1e-40F,
                                             16777216.0F,
                                             3.4e38F,
                                             -3.4e38F,
                                             std::numeric_limits<float>::infinity(),
                                             -std::numeric_limits<float>::infinity()};
  std::uniform_int_distribution<std::size_t> choice(0, 2 * special.size());
  const std::size_t chosen = choice(random);
  if (chosen < special.size()) return special[chosen];
  std::uniform_real_distribution<float> size(-40.0F, 40.0F);
  std::uniform_int_distribution<int> sign(0, 1);
  return (sign(random) == 0 ? 1.0F : -1.0F) * std::exp2(size(random));
}

TEST(Floats, ArithmeticHoldsWhatAHostComputes) {
  const FloatArithmetic arithmetic(DType::kFloat32);
  std::mt19937 random(1);
  for (int round = 0; round < 20000; ++round) {
    const auto draw = [&random] {
      std::vector<float> numbers;
      for (int i = 0; i < 3; ++i) numbers.push_back(any_number(random));
      return numbers;
    };
    const std::vector<float> a = draw();
    const std::vector<float> b = draw();
    const bool has_nan = round % 5 == 0;
    const auto interval = [has_nan](const std::vector<float>& of) {
      const auto [low, high] = std::minmax_element(of.begin(), of.end());
      return FloatInterval{*low, *high, has_nan};
    };
    for (const Row& row : kRows) {
      const FloatInterval bound = (arithmetic.*row.bound)(interval(a), interval(b));
      for (float x : a) {
        for (float y : b) {
          if (has_nan && y == b.front()) x = std::numeric_limits<float>::quiet_NaN();
          const float value = row.compute(x, y);
          ASSERT_TRUE(holds(bound, value))
              << row.name << " of " << x << " and " << y << " is " << value << ", not in "
              << bound.low << " to " << bound.high;
        }
      }
    }
  }
}

TEST(Floats, ExactResultsAreNotWidened) {
  const FloatArithmetic in(DType::kFloat32);
  EXPECT_EQ(in.add({1, 2, false}, {3, 3, false}), (FloatInterval{4, 5, false}));
  EXPECT_EQ(in.multiply({-1, 2, false}, {0.5, 4, false}), (FloatInterval{-4, 8, false}));
  EXPECT_EQ(in.divide({0, 255, false}, {255, 255, false}), (FloatInterval{0, 1, false}));
}

TEST(Floats, InfinitiesMeetToNaN) {
  const FloatArithmetic in(DType::kFloat32);
  EXPECT_TRUE(in.add({0, kInfinity, false}, {-kInfinity, 0, false}).may_be_nan);
  EXPECT_FALSE(in.add({0, kInfinity, false}, {0, kInfinity, false}).may_be_nan);
  EXPECT_TRUE(in.multiply({0, 1, false}, {2, kInfinity, false}).may_be_nan);
  EXPECT_FALSE(in.multiply({0, 1, false}, {2, 3, false}).may_be_nan);
  EXPECT_EQ(in.divide({1, 1, false}, {-1, 1, false}), FloatInterval());
}

TEST(Floats, IntegersAreRoundedOutward) {
  const FloatInterval single =
      FloatArithmetic(DType::kFloat32).cast(Interval{-16777217, 16777217}, DType::kInt64);
  EXPECT_EQ(single, (FloatInterval{-16777218, 16777218, false}));
  const FloatInterval half =
      FloatArithmetic(DType::kFloat16).cast(Interval{0, 70000}, DType::kInt64);
  EXPECT_EQ(half, (FloatInterval{0, kInfinity, false}));
  const FloatInterval wide =
      FloatArithmetic(DType::kFloat64).cast(Interval{0, Interval::kHighest}, DType::kUint64);
  EXPECT_EQ(wide.high, 0x1p64);
  const FloatInterval largest =
      FloatArithmetic(DType::kFloat64)
          .cast(Interval{Interval::kHighest - 1, Interval::kHighest - 1}, DType::kInt64);
  EXPECT_GE(largest.high, 0x1p63);
  EXPECT_LT(largest.low, 0x1p63);
}

TEST(Floats, NarrowerFloatsHoldTheUnroundedNumberToo) {
  const FloatInterval half = FloatArithmetic(DType::kFloat16).cast(FloatInterval{0.1, 0.1, false});
  EXPECT_LT(half.low, 0.1);
  EXPECT_GT(half.high, 0.1);
  // Hosts may flush subnormal numbers to zero.
  const FloatInterval tiny =
      FloatArithmetic(DType::kFloat32).cast(FloatInterval{1e-40, 1e-40, false});
  EXPECT_EQ(tiny.low, 0);
  EXPECT_EQ(tiny.high, 0x1p-126);
}

TEST(Floats, OnlyWhatFitsIsTruncated) {
  EXPECT_EQ(truncate({-1.5, 2.9, false}, DType::kInt64), (Interval{-1, 2}));
  EXPECT_EQ(truncate({0, 1, true}, DType::kInt64), std::nullopt);
  EXPECT_EQ(truncate({0, 0x1p63, false}, DType::kInt64), std::nullopt);
  EXPECT_EQ(truncate({-0x1p63, 0, false}, DType::kInt64), (Interval{Interval::kLowest, 0}));
  EXPECT_EQ(truncate({0, 255.5, false}, DType::kUint8), (Interval{0, 255}));
  EXPECT_EQ(truncate({0, 256, false}, DType::kUint8), std::nullopt);
  EXPECT_EQ(truncate({-1, 1, false}, DType::kUint8), std::nullopt);
  EXPECT_EQ(truncate({kInfinity, -kInfinity, false}, DType::kInt64), std::nullopt);
}

TEST(Floats, ComparisonsWithNaNAreFalse) {
  EXPECT_EQ(is_less({0, 1, false}, {2, 3, false}), (Interval{1, 1}));
  EXPECT_EQ(is_less({0, 1, true}, {2, 3, false}), (Interval{0, 1}));
  EXPECT_EQ(is_less({2, 3, true}, {0, 1, true}), (Interval{0, 0}));
  EXPECT_EQ(is_equal({1, 1, false}, {1, 1, false}), (Interval{1, 1}));
  EXPECT_EQ(is_equal({1, 1, true}, {1, 1, false}), (Interval{0, 1}));
}

}  // namespace
}  // namespace windrow::internal
