#ifndef WINDROW_ROW_CACHE_ROW_RING_H_
#define WINDROW_ROW_CACHE_ROW_RING_H_

#include <cstdint>
#include <optional>

namespace windrow::internal {

// Hands out the units of a ring to entries of different lengths, which leave in the order in which
// they came. An entry is contiguous: where it does not fit at the ring's end, it begins at the
// ring's start, and the rest of the end stays unused for one turn.
class RowRing {
 public:
  // A ring of the units [begin, begin + size).
  RowRing(std::uint64_t begin, std::uint64_t size) noexcept : begin_(begin), size_(size) {}

  std::uint64_t size() const noexcept { return size_; }
  bool empty() const noexcept { return entries_ == 0; }

  // The first unit of the oldest entry. Precondition: !empty().
  std::uint64_t oldest() const noexcept { return begin_ + tail_; }

  // Adds an entry and returns its first unit. Returns nothing, and changes nothing that matters, if
  // older entries have to leave first. Always succeeds directly after drop_oldest(units).
  std::optional<std::uint64_t> place(std::uint64_t units) noexcept {
    if (entries_ == 0) {
      head_ = tail_ = 0;
      has_turned_ = false;
    }
    if (!has_turned_ && units > size_ - head_) {
      if (units > tail_) return std::nullopt;
      turn_ = head_;
      head_ = 0;
      has_turned_ = true;
    } else if (has_turned_ && units > tail_ - head_) {
      return std::nullopt;
    }
    ++entries_;
    head_ += units;
    return begin_ + head_ - units;
  }

  // Removes the oldest entry, which has this number of units. Precondition: !empty().
  void drop_oldest(std::uint64_t units) noexcept {
    --entries_;
    tail_ += units;
    if (!has_turned_ || tail_ != turn_) return;
    tail_ = 0;
    has_turned_ = false;
  }

 private:
  std::uint64_t begin_;
  std::uint64_t size_;
  std::uint64_t head_ = 0;  // the end of the newest entry, counted from begin_
  std::uint64_t tail_ = 0;  // the start of the oldest entry, counted from begin_
  std::uint64_t turn_ = 0;  // the end of the entries before the ring's end, if has_turned_
  std::uint64_t entries_ = 0;
  bool has_turned_ = false;  // whether the newest entry begins before the oldest
};

}  // namespace windrow::internal

#endif  // WINDROW_ROW_CACHE_ROW_RING_H_
