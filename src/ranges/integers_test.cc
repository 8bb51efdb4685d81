#include "src/ranges/integers.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>

namespace windrow::internal {
namespace {

bool holds(const Interval& interval, std::int64_t value) {
  return interval.low <= value && value <= interval.high;
}

// What an 8-bit host computes; nothing where the result is not defined.
using Compute = std::function<std::optional<std::int64_t>(std::int64_t, std::int64_t)>;
using Bound = Interval (IntegerArithmetic::*)(const Interval&, const Interval&) const;

std::int64_t wrapped(std::int64_t value) { return static_cast<std::int8_t>(value); }

std::int64_t floored(std::int64_t a, std::int64_t b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

struct Row {
  std::string name;
  std::function<Interval(const IntegerArithmetic&, const Interval&, const Interval&)> bound;
  Compute compute;
};

Interval any_interval(std::mt19937& random) {
  std::uniform_int_distribution<int> all(-128, 127);
  std::uniform_int_distribution<int> few(0, 6);
  const int low = all(random);
  const int high = few(random) < 5 ? std::min(low + few(random), 127) : std::max(low, all(random));
  return {low, high};
}

const Row kRows[] = {
    {"add", [](const auto& in, const auto& a, const auto& b) { return in.add(a, b); },
     [](auto a, auto b) { return wrapped(a + b); }},
    {"subtract", [](const auto& in, const auto& a, const auto& b) { return in.subtract(a, b); },
     [](auto a, auto b) { return wrapped(a - b); }},
    {"multiply", [](const auto& in, const auto& a, const auto& b) { return in.multiply(a, b); },
     [](auto a, auto b) { return wrapped(a * b); }},
    {"divide", [](const auto& in, const auto& a, const auto& b) { return in.divide(a, b, false); },
     [](auto a, auto b) -> std::optional<std::int64_t> {
       if (b == 0) return std::nullopt;
       return wrapped(a / b);
     }},
    {"divide down",
     [](const auto& in, const auto& a, const auto& b) { return in.divide(a, b, true); },
     [](auto a, auto b) -> std::optional<std::int64_t> {
       if (b == 0) return std::nullopt;
       return wrapped(floored(a, b));
     }},
    {"remainder",
     [](const auto& in, const auto& a, const auto& b) { return in.remainder(a, b, false); },
     [](auto a, auto b) -> std::optional<std::int64_t> {
       if (b == 0) return std::nullopt;
       return a % b;
     }},
    {"remainder down",
     [](const auto& in, const auto& a, const auto& b) { return in.remainder(a, b, true); },
     [](auto a, auto b) -> std::optional<std::int64_t> {
       if (b == 0) return std::nullopt;
       return a - b * floored(a, b);
     }},
    {"negate", [](const auto& in, const auto& a, const auto&) { return in.negate(a); },
     [](auto a, auto) { return wrapped(-a); }},
    {"absolute", [](const auto& in, const auto& a, const auto&) { return in.absolute(a); },
     [](auto a, auto) { return wrapped(a < 0 ? -a : a); }},
    {"minimum", [](const auto& in, const auto& a, const auto& b) { return in.minimum(a, b); },
     [](auto a, auto b) { return std::min(a, b); }},
    {"maximum", [](const auto& in, const auto& a, const auto& b) { return in.maximum(a, b); },
     [](auto a, auto b) { return std::max(a, b); }},
    {"less", [](const auto&, const auto& a, const auto& b) { return is_less(a, b); },
     [](auto a, auto b) { return std::int64_t{a < b}; }},
    {"less or equal",
     [](const auto&, const auto& a, const auto& b) { return is_less_or_equal(a, b); },
     [](auto a, auto b) { return std::int64_t{a <= b}; }},
    {"equal", [](const auto&, const auto& a, const auto& b) { return is_equal(a, b); },
     [](auto a, auto b) { return std::int64_t{a == b}; }},
};

// Every value of two intervals of int8, in intervals drawn by chance.
TEST(Integers, ArithmeticHoldsWhatA8BitHostComputes) {
  const Extents extents;
  const IntegerArithmetic arithmetic(DType::kInt8, extents);
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    const Interval a = any_interval(random);
    const Interval b = any_interval(random);
    for (const Row& row : kRows) {
      const Interval bound = row.bound(arithmetic, a, b);
      for (std::int64_t x = a.low; x <= a.high; ++x) {
        for (std::int64_t y = b.low; y <= b.high; ++y) {
          const auto value = row.compute(x, y);
          ASSERT_TRUE(!value || holds(bound, *value))
              << row.name << " of " << x << " and " << y << " is " << *value << ", not in "
              << bound.low << " to " << bound.high;
        }
      }
    }
  }
}

TEST(Integers, SumsOfExtentsCancel) {
  Extents extents;
  const ExtentNumber n = extents.add("n", "", 0, Interval::kHighest);
  const IntegerArithmetic in(DType::kInt64, extents);
  const Interval extent{0, Extents::kLargest, ExtentBound{n, 0}, ExtentBound{n, 0}};
  const Interval negative{-Extents::kLargest, -1, ExtentBound{n, 0, -1}, std::nullopt};
  const Interval wrapped = in.add(negative, extent);
  EXPECT_EQ(wrapped.low, 0);
  EXPECT_EQ(wrapped.below, (ExtentBound{n, -1}));
  EXPECT_EQ(in.subtract(extent, extent), (Interval{0, 0}));
  EXPECT_EQ(in.negate(extent).below, (ExtentBound{n, 0, -1}));
}

TEST(Integers, ARemainderByAnExtentLiesBelowIt) {
  Extents extents;
  const ExtentNumber n = extents.add("n", "", 1, Interval::kHighest);
  const IntegerArithmetic in(DType::kInt64, extents);
  const Interval extent{1, Extents::kLargest, ExtentBound{n, 0}, ExtentBound{n, 0}};
  const Interval down = in.remainder({}, extent, true);
  EXPECT_EQ(down.low, 0);
  EXPECT_EQ(down.below, (ExtentBound{n, -1}));
  const Interval toward_zero = in.remainder({-5, 5}, extent, false);
  EXPECT_EQ(toward_zero.low, -5);
  EXPECT_EQ(toward_zero.above, (ExtentBound{n, 1, -1}));
}

TEST(Integers, JoiningABoundByAnExtentWithANumberKeepsTheWeaker) {
  Extents extents;
  const ExtentNumber n = extents.add("n", "", 4, 100);
  const Interval below{0, 99, std::nullopt, ExtentBound{n, -1}};
  EXPECT_EQ(join(below, {2, 3}, extents).below, (ExtentBound{n, -1}));
  EXPECT_EQ(join(below, {2, 6}, extents).below, (ExtentBound{n, 2}));
  EXPECT_EQ(join({2, Interval::kHighest}, below, extents).below, std::nullopt);
  EXPECT_EQ(join({1, 0}, below, extents), below);
}

// The largest int64 stands for all larger uint64.
TEST(Integers, Uint64HasNoUpperLimit) {
  const Extents extents;
  const IntegerArithmetic in(DType::kUint64, extents);
  const Interval all = type_interval(DType::kUint64);
  EXPECT_EQ(in.add(all, {1, 1}), all);
  EXPECT_EQ(in.remainder({5, 5}, all, true), all);  // by 0, too
  EXPECT_EQ(in.remainder(all, {3, Interval::kHighest}, true).high, Interval::kHighest);
  EXPECT_EQ(in.divide(all, {2, 2}, false).high, Interval::kHighest);
  EXPECT_EQ(IntegerArithmetic(DType::kInt64, extents).cast(all, DType::kUint64), Interval());
  EXPECT_EQ(in.minimum(all, {5, 5}), (Interval{0, 5}));
  EXPECT_EQ(is_less(all, all), (Interval{0, 1}));
  const Interval top{Interval::kHighest, Interval::kHighest};
  EXPECT_EQ(is_less(top, top), (Interval{0, 1}));
  EXPECT_EQ(is_equal(top, top), (Interval{0, 1}));
}

TEST(Integers, TheLeastNumberHasNoOpposite) {
  const Extents extents;
  const IntegerArithmetic in(DType::kInt64, extents);
  const Interval least{Interval::kLowest, Interval::kLowest};
  EXPECT_EQ(in.negate(least), Interval());
  EXPECT_EQ(in.absolute(least), Interval());
  EXPECT_EQ(in.divide(least, {-1, -1}, false), Interval());
  EXPECT_EQ(in.subtract({0, 0}, least), Interval());
  EXPECT_EQ(in.remainder({5, 5}, least, true), Interval());
}

TEST(Integers, NarrowingKeepsWhatFits) {
  const Extents extents;
  const IntegerArithmetic bytes(DType::kInt8, extents);
  EXPECT_EQ(bytes.cast({-128, 127}, DType::kInt64), (Interval{-128, 127}));
  EXPECT_EQ(bytes.cast({0, 128}, DType::kInt64), (Interval{-128, 127}));
  const IntegerArithmetic booleans(DType::kBool, extents);
  EXPECT_EQ(booleans.cast({-3, -1}, DType::kInt64), (Interval{1, 1}));
  EXPECT_EQ(booleans.cast({0, 0}, DType::kInt64), (Interval{0, 0}));
  EXPECT_EQ(booleans.cast({0, 4}, DType::kInt64), (Interval{0, 1}));
}

TEST(Integers, SumsOfManyMayOverflow) {
  const Extents extents;
  const IntegerArithmetic in(DType::kInt32, extents);
  EXPECT_EQ(in.sum_of({0, 1}, {1, 7}), (Interval{0, 7}));
  EXPECT_EQ(in.sum_of({-2, 3}, {0, 10}), (Interval{-20, 30}));
  EXPECT_EQ(in.sum_of({0, 2}, {1, std::int64_t{1} << 30}), type_interval(DType::kInt32));
}

}  // namespace
}  // namespace windrow::internal
