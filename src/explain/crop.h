#ifndef WINDROW_EXPLAIN_CROP_H_
#define WINDROW_EXPLAIN_CROP_H_

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "windrow/shape.h"

namespace windrow::internal {

// The positions of a tensor that a grid shows: rows and columns along the last two axes, and slices
// along the others. A tensor of rank 1 has one row, and a scalar one row and one column.
class Crop {
 public:
  explicit Crop(const Shape& shape);

  // Whether the grid has room for all of the positions besides those that were added.
  bool takes(const std::vector<Dims>& positions) const;
  void add(const std::vector<Dims>& positions);
  // Whether a position is shown.
  bool shows(const Dims& position) const;
  // Fills the remaining room with neighbours of the added positions, or with the first positions.
  void fill();

  const std::set<std::int64_t>& rows() const noexcept { return rows_; }
  const std::set<std::int64_t>& columns() const noexcept { return columns_; }
  // Row-major numbers of the positions on the axes before the last two.
  const std::set<std::int64_t>& slices() const noexcept { return slices_; }
  std::int64_t row_extent() const noexcept { return row_extent_; }
  std::int64_t column_extent() const noexcept { return column_extent_; }
  Dims outer_position(std::int64_t slice) const;
  // "Rows 3..999997 are not shown."; empty if everything is shown.
  std::string left_out() const;

 private:
  std::int64_t slice_of(const Dims& position) const;

  Shape outer_;
  int rank_;
  std::int64_t row_extent_ = 1;
  std::int64_t column_extent_ = 1;
  std::int64_t slice_count_ = 1;
  std::set<std::int64_t> rows_;
  std::set<std::int64_t> columns_;
  std::set<std::int64_t> slices_;
};

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_CROP_H_
