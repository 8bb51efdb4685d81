#ifndef WINDROW_RANGES_INTERVAL_H_
#define WINDROW_RANGES_INTERVAL_H_

#include <cstdint>
#include <limits>
#include <optional>

namespace windrow::internal {

// The number in Extents of an extent that is known in a run only.
using ExtentNumber = int;

// `factor` times `extent`, plus `offset`; the factor is 1 or -1. With a second extent, `extent`
// plus `shift` is multiplied by it.
struct ExtentBound {
  static constexpr ExtentNumber kNone = -1;

  ExtentNumber extent = 0;
  std::int64_t offset = 0;
  int factor = 1;
  ExtentNumber times = kNone;
  std::int64_t shift = 0;
  friend bool operator==(const ExtentBound&, const ExtentBound&) = default;
};

// Whether the bound is by one extent alone, and whether it is that extent.
inline bool is_simple(const ExtentBound& bound) { return bound.times == ExtentBound::kNone; }
inline bool is_extent_itself(const ExtentBound& bound) {
  return is_simple(bound) && bound.factor == 1 && bound.offset == 0;
}

// Where an integer lies; all four bounds hold. kLowest and kHighest stand for no bound, for uint64
// too. Booleans are 0 and 1. An interval whose `low` is greater than its `high` is empty. Equal
// `above` and `below` give the value exactly: an extent plus an offset.
struct Interval {
  static constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();
  static constexpr std::int64_t kHighest = std::numeric_limits<std::int64_t>::max();

  std::int64_t low = kLowest;
  std::int64_t high = kHighest;
  std::optional<ExtentBound> above = std::nullopt;  // at least this
  std::optional<ExtentBound> below = std::nullopt;  // at most this
  friend bool operator==(const Interval&, const Interval&) = default;
};

// Where a float lies if it is a number, and whether it may be NaN.
struct FloatInterval {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool may_be_nan = true;
  friend bool operator==(const FloatInterval&, const FloatInterval&) = default;
};

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_INTERVAL_H_
