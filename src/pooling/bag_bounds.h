#ifndef WINDROW_POOLING_BAG_BOUNDS_H_
#define WINDROW_POOLING_BAG_BOUNDS_H_

#include <cstdint>
#include <optional>
#include <span>

#include "src/access/access_map.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Which samples belong to which bag of one run, and which row of data an empty bag takes; or which
// rows belong to which of an operation's `segments`. Made of
// the caller's tensors, each of whose elements is read once: nothing that has been checked here can
// change afterwards.
class BagBounds {
 public:
  // Errors: kIndexOutOfRange (an offset, a segment id or the default index; lists the first
  // `listed` bad ones), kInvalidArgument (an offset or a segment id is smaller than the one before
  // it, or the first offset is not 0 where it must be), kOutOfMemory.
  static Result<BagBounds> read(const Operation& operation, std::span<const TensorView> inputs,
                                std::int64_t listed = 0);

  std::int64_t bags() const noexcept { return bags_; }
  std::int64_t samples() const noexcept { return samples_; }
  // Bag b holds the samples [begin(b), begin(b + 1)), b being at most bags(). Samples in front of
  // the first bag and behind the last one belong to none.
  std::int64_t begin(std::int64_t bag) const noexcept {
    return each_ >= 0 ? bag * each_ : starts_[static_cast<std::size_t>(bag)];
  }
  std::optional<std::int64_t> default_row() const noexcept { return default_row_; }

 private:
  struct Numbers;

  Status read_offsets(const Numbers& offsets, const Bags& bags);
  Status read_segments(const Numbers& ids);
  Status read_default(const Numbers& index, std::int64_t rows);
  Status allocate_starts();

  std::int64_t bags_ = 0;
  std::int64_t samples_ = 0;
  std::int64_t each_ = -1;  // the samples of every bag; negative: `starts_` says them
  Tensor memory_;           // of starts_
  std::span<std::int64_t> starts_;
  std::optional<std::int64_t> default_row_;
};

// The index tensor of an operation with `segments`: of each row of a run the number of its segment.
// Rows in front of the first segment have -1, those behind the last one the number of segments.
// Errors: as BagBounds::read().
Result<Tensor> segments_by_offsets(const Operation& operation, std::span<const TensorView> inputs,
                                   std::int64_t listed = 0);

}  // namespace windrow::internal

#endif  // WINDROW_POOLING_BAG_BOUNDS_H_
