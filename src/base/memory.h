#ifndef WINDROW_BASE_MEMORY_H_
#define WINDROW_BASE_MEMORY_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <type_traits>

namespace windrow::internal {

// Memory for the elements of a tensor: aligned to 64 bytes; from 4 MiB on to 2 MiB, with the system
// asked for huge pages, since random accesses to large tables are limited by address translation.
// Returns null if there is not enough memory.
void* allocate_elements(std::size_t bytes) noexcept;

// Frees memory of allocate_elements(); `bytes` is the size that was asked for.
void free_elements(void* memory, std::size_t bytes) noexcept;

// The size of a cache line in bytes.
inline constexpr std::int64_t kLine = 64;

// The offset of `place` from the start of its cache line, in bytes.
inline std::int64_t line_offset(const void* place) {
  return static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(place) %
                                   static_cast<std::uintptr_t>(kLine));
}

// `bytes` rounded up to whole cache lines.
constexpr std::int64_t whole_lines(std::int64_t bytes) {
  return (bytes + kLine - 1) / kLine * kLine;
}

// Bytes of the second-level cache of a core, as the system reports them, and 2 MiB where it does
// not; at least 256 KiB and at most 16 MiB. Asked for once.
std::int64_t second_level_cache() noexcept;

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

// Calls `fill` before every fork of the process. For tables that are filled on first use: a child
// forked while another thread fills one would wait for that thread forever. Call it when the
// library is loaded, from the initialiser of a variable beside the table.
bool fill_before_fork(void (*fill)()) noexcept;

// The element at `from`, which need not be aligned, of memory that other threads and processes may
// change. An ordinary load promises nothing there: the compiler may load the element twice, check
// one value and use the other.
template <class T>
[[gnu::always_inline]] inline T read_once(const void* from) {
  T element;
  std::memcpy(&element, from, sizeof element);
  if constexpr (std::is_integral_v<T>) {
    __asm__("" : "+r"(element));
  } else {
    __asm__("" : "+m"(element));
  }
  return element;
}

}  // namespace windrow::internal

#endif  // WINDROW_BASE_MEMORY_H_
