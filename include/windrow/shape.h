#ifndef WINDROW_SHAPE_H_
#define WINDROW_SHAPE_H_

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>

#include "windrow/export.h"

namespace windrow {

// The largest rank of any tensor.
inline constexpr int kMaxRank = 32;

// Up to kMaxRank 64-bit numbers, one per axis, stored in place: a shape (extents in elements), byte
// strides or a position. Copies only the entries in use. Reading or writing at or beyond rank() is
// undefined.
class Dims {
 public:
  Dims() noexcept = default;
  // At most kMaxRank of the `values` are kept (see fits()).
  Dims(std::initializer_list<std::int64_t> values) noexcept
      : Dims(std::span<const std::int64_t>(values.begin(), values.size())) {}
  explicit Dims(std::span<const std::int64_t> values) noexcept
      : rank_(static_cast<int>(std::min<std::size_t>(values.size(), kMaxRank))) {
    std::copy_n(values.begin(), rank_, values_.begin());
  }
  // `rank` times `value`.
  static Dims filled(int rank, std::int64_t value) noexcept {
    Dims dims;
    dims.rank_ = rank;
    std::fill_n(dims.values_.begin(), rank, value);
    return dims;
  }
  Dims(const Dims& other) noexcept : rank_(other.rank_) {
    std::copy_n(other.values_.begin(), rank_, values_.begin());
  }
  Dims& operator=(const Dims& other) noexcept {
    rank_ = other.rank_;
    std::copy_n(other.values_.begin(), rank_, values_.begin());
    return *this;
  }

  int rank() const noexcept { return rank_; }
  bool empty() const noexcept { return rank_ == 0; }
  std::int64_t& operator[](int axis) noexcept { return values_[static_cast<std::size_t>(axis)]; }
  std::int64_t operator[](int axis) const noexcept {
    return values_[static_cast<std::size_t>(axis)];
  }
  std::int64_t& back() noexcept { return (*this)[rank_ - 1]; }
  std::int64_t back() const noexcept { return (*this)[rank_ - 1]; }
  const std::int64_t* begin() const noexcept { return values_.data(); }
  const std::int64_t* end() const noexcept { return values_.data() + rank_; }
  std::int64_t* begin() noexcept { return values_.data(); }
  std::int64_t* end() noexcept { return values_.data() + rank_; }

  // Returns false and appends nothing if the rank is already kMaxRank.
  bool push_back(std::int64_t value) noexcept {
    if (rank_ == kMaxRank) return false;
    values_[static_cast<std::size_t>(rank_++)] = value;
    return true;
  }
  // Appends axes [from, to) of `other`. Returns false and appends nothing if the rank would exceed
  // kMaxRank.
  bool append(const Dims& other, int from, int to) noexcept {
    if (to <= from) return true;
    if (rank_ + (to - from) > kMaxRank) return false;
    for (int axis = from; axis < to; ++axis) push_back(other[axis]);
    return true;
  }

  friend bool operator==(const Dims& a, const Dims& b) noexcept {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  int rank_ = 0;
  std::array<std::int64_t, kMaxRank> values_;  // only the first rank_ are meaningful
};

using Shape = Dims;    // extents in elements, outermost first
using Strides = Dims;  // distances in bytes; negative and zero where allowed

// The number of elements: 1 for rank 0, 0 if any extent is 0 (whatever the others are). Returns
// nothing if an extent is negative or the product exceeds 2^63-1.
WINDROW_EXPORT std::optional<std::int64_t> element_count(const Shape& shape) noexcept;

// Row-major byte strides for elements of `element_bytes` bytes. A shape without elements gets
// strides that are never used for an access; they do not overflow.
WINDROW_EXPORT Strides row_major_strides(const Shape& shape, std::int64_t element_bytes) noexcept;

// "[2, 3]"; "[]" for rank 0.
WINDROW_EXPORT std::string to_string(const Dims& dims);

}  // namespace windrow

#endif  // WINDROW_SHAPE_H_
