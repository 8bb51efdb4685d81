#ifndef WINDROW_RANGES_VALUE_RANGE_H_
#define WINDROW_RANGES_VALUE_RANGE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "src/ranges/dims.h"
#include "src/ranges/floats.h"
#include "src/ranges/integers.h"
#include "src/ranges/ranges.h"

// The intervals of a value at their grain: reading them, and making coarser ones of finer ones.
namespace windrow::internal {

// The most intervals of one value.
inline constexpr std::size_t kMostIntervals = 1024;

// What all elements have in common. Of an integer type that is not known, the type's interval.
Interval integer_of(const ValueFact& fact, const Extents& extents);
FloatInterval float_of(const ValueFact& fact);

// One interval for all elements.
ValueRange tensor_range(const Interval& interval);
ValueRange tensor_range(const FloatInterval& interval);
// The same range with one interval, or with one for each position on an axis of `dims`: the axis
// has a known extent of at most kMostIntervals.
ValueRange collapsed(const ValueRange& range, const Extents& extents);
ValueRange on_axis(const ValueRange& range, const SymbolicShape& dims, std::size_t axis,
                   const Extents& extents);

// Makes the range fit the shape: intervals of a grain that the shape does not have become one.
void fit_grain(ValueFact& fact, const Extents& extents);
// The same, and gives a range that says nothing, or the impossible, the type's intervals.
void complete(ValueFact& fact, const Extents& extents);

// Whether the range says no more than the type.
bool says_nothing(const ValueFact& fact);

// What holds of a value that is one of two, or has elements of two.
ValueRange join(const ValueFact& a, const ValueFact& b, const Extents& extents);

// The numbers of a tensor of integers whose every element is known as a number.
std::optional<std::vector<std::int64_t>> known_integers(const ValueFact& fact);

// Goes through the intervals of several operands that are broadcast, at the finest grain that they
// and the result allow.
class Broadcast {
 public:
  // `facts` must stay.
  Broadcast(std::span<const ValueFact* const> facts, const SymbolicShape& result,
            const Extents& extents);

  // The intervals of the result.
  std::size_t size() const { return size_; }
  // What an operand has at the position of one of them.
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
  void choose_grain(std::span<const ValueFact* const> facts, const SymbolicShape& result);
  std::size_t place(const Operand& operand, std::size_t position) const;

  ValueRange::Grain grain_ = ValueRange::Grain::kTensor;
  std::size_t axis_ = 0;
  std::size_t size_ = 1;
  std::vector<std::int64_t> extents_;  // of the result, at the grain of elements
  std::vector<Operand> operands_;
};

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_VALUE_RANGE_H_
