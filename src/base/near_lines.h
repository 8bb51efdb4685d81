#ifndef WINDROW_BASE_NEAR_LINES_H_
#define WINDROW_BASE_NEAR_LINES_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace windrow::internal {

// Tells from a few accesses in a row whether they keep to memory that earlier ones used. Then to
// prefetch takes more time than it saves. An estimate: nothing but speed may depend on it.
class NearLines {
 public:
  // The accesses to look at, one after another, each time.
  static constexpr std::int64_t kSampled = 32;

  NearLines() noexcept { std::fill(std::begin(lines_), std::end(lines_), ~std::uint32_t{0}); }

  // Whether nearly all of kSampled accesses are near. line_of(j): the number of the cache line, or
  // of the row, of access number j.
  template <class LineOf>
  bool sample(const LineOf& line_of) noexcept {
    int near = 0;
    for (std::int64_t j = 0; j < kSampled; ++j) {
      const auto line = static_cast<std::uint32_t>(line_of(j));
      std::uint32_t& kept = lines_[line % kKept];
      near += kept == line ? 1 : 0;
      kept = line;
    }
    return near >= kLeastNear;
  }

 private:
  // An access that is far costs about as much as ten prefetches in vain.
  static constexpr int kLeastNear = 28;
  static constexpr std::size_t kKept = 512;  // of a first-level cache, two thirds
  std::uint32_t lines_[kKept];
};

}  // namespace windrow::internal

#endif  // WINDROW_BASE_NEAR_LINES_H_
