#ifndef WINDROW_RANGES_VALUE_RANGE_H_
#define WINDROW_RANGES_VALUE_RANGE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "src/ranges/extents.h"
#include "src/ranges/floats.h"
#include "src/ranges/integers.h"
#include "src/ranges/ranges.h"

// Reads the intervals of a value, which are kept per tensor, per position or per element, and joins
// finer intervals into coarser ones.
namespace windrow::internal {

// The largest number of intervals that are kept of one value.
inline constexpr std::size_t kMostIntervals = 1024;

// One interval that holds for all elements. If nothing is known of integers, the type's interval.
Interval integer_of(const ValueFact& fact, const Extents& extents);
FloatInterval float_of(const ValueFact& fact);

// The number of intervals that the range has.
inline std::size_t interval_count(const ValueRange& range) {
  return std::max(range.integers.size(), range.floats.size());
}
// Appends the interval at a position of `from`, be it of integers or of floats.
void append_interval(const ValueRange& from, std::size_t position, ValueRange& to);
// The number of the interval that holds for an element, which is given by its row-major position.
// Precondition: the shape of a value that is not of one interval is known.
std::size_t interval_of_element(const ValueFact& fact, std::size_t element);

// One interval for all elements.
ValueRange tensor_range(const Interval& interval);
ValueRange tensor_range(const FloatInterval& interval);
// The same range with one interval, or with one for each position on an axis of `dims`: the axis
// has a known extent of at most kMostIntervals.
ValueRange collapsed(const ValueRange& range, const Extents& extents);
ValueRange on_axis(const ValueRange& range, const SymbolicShape& dims, std::size_t axis,
                   const Extents& extents);

// Makes the range fit the shape: intervals whose number is not that of the shape's elements or
// positions become one.
void fit_grain(ValueFact& fact, const Extents& extents);
// The same, replaces missing and empty intervals by those of any computed value of the type, and
// rounds floats as the runtimes store them.
void complete(ValueFact& fact, const Extents& extents);

// Whether the range says no more than that of any computed value of the type.
bool says_nothing(const ValueFact& fact, const Extents& extents);

// Makes room for 0 in every interval.
void add_zero(ValueRange& range, const Extents& extents);

// The range of a value that is one of two values, or has elements of both.
ValueRange join(const ValueFact& a, const ValueFact& b, const Extents& extents);

// The numbers of a tensor of integers whose every element is known as a number.
std::optional<std::vector<std::int64_t>> known_integers(const ValueFact& fact);

// The intervals of operands that are broadcast against each other, at the finest grain that they
// and the result allow.
class Broadcast {
 public:
  // The result has the shape to which the facts broadcast, or, of one fact, the shape `result`.
  Broadcast(std::initializer_list<const ValueFact*> facts, const Extents& extents);
  Broadcast(const ValueFact& fact, const SymbolicShape& result, const Extents& extents);

  // The number of intervals of the result.
  std::size_t size() const { return size_; }
  // An operand's interval at the position of one interval of the result.
  const Interval& integer(std::size_t operand, std::size_t position) const;
  const FloatInterval& real(std::size_t operand, std::size_t position) const;
  // A range of the result's grain, without intervals.
  ValueRange result() const;

 private:
  struct Operand {
    ValueRange range;
    Interval otherwise;                // where the range has no intervals
    std::vector<std::size_t> strides;  // per axis of the result; empty: one interval for all
  };
  void choose_grain(std::span<const ValueFact* const> facts);
  void add_operands(std::span<const ValueFact* const> facts, const Extents& extents);
  std::size_t place(const Operand& operand, std::size_t position) const;

  SymbolicShape dims_;
  ValueRange::Grain grain_ = ValueRange::Grain::kTensor;
  std::size_t axis_ = 0;
  std::size_t size_ = 1;
  std::vector<std::int64_t> extents_;  // of the result, at the grain of elements
  std::vector<Operand> operands_;
};

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_VALUE_RANGE_H_
