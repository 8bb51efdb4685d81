#ifndef WINDROW_TOOLS_WINDROW_ERROR_SIZES_H_
#define WINDROW_TOOLS_WINDROW_ERROR_SIZES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/windrow/console.h"
#include "tools/windrow/element.h"

namespace windrow::tool {

// How far elements are from those that were expected. The absolute error is |got - expected|, of
// complex numbers too; the relative one is that over |expected|, infinite where 0 was expected and
// is not there. NaN in place of NaN is not an error. Strings, NaN in place of a number, and an
// infinity in place of another value have no distance and are counted separately.
class ErrorSizes {
 public:
  // The upper ends of the histogram's relative errors; what is above the last is one bin more.
  static constexpr std::array<double, 9> kBinEnds = {1e-8, 1e-7, 1e-6, 1e-5, 1e-4,
                                                     1e-3, 1e-2, 1e-1, 1};

  void add(const Element& got, const Element& expected);
  // Elements that have the same bits.
  void add_equal(std::int64_t elements) noexcept { equal_ += elements; }
  void add(const ErrorSizes& other) noexcept;

  // Whether some element is not equal.
  bool has_errors() const noexcept { return elements() > equal_; }
  std::int64_t elements() const noexcept;
  double largest_absolute() const noexcept { return largest_absolute_; }
  double largest_relative() const noexcept { return largest_relative_; }

  // "by at most 3 (relative 0.25)", and how many have no distance; empty without errors.
  std::string text() const;
  // The histogram, a line for each bin that is not empty.
  std::vector<std::string> lines() const;
  // {"elements", "equal", "largest_absolute", "largest_relative", "no_number", "histogram":
  // [{"up_to", "elements"}..]}: up_to is null for the last bin.
  Json json() const;

 private:
  std::int64_t equal_ = 0;
  std::int64_t no_number_ = 0;
  std::array<std::int64_t, kBinEnds.size() + 1> bins_ = {};
  double largest_absolute_ = 0;
  double largest_relative_ = 0;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_ERROR_SIZES_H_
