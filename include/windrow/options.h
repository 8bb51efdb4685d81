#ifndef WINDROW_OPTIONS_H_
#define WINDROW_OPTIONS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "windrow/export.h"

namespace windrow {

// What a coordinate outside [0, extent) means.
enum class OutOfRange : std::uint8_t {
  kError,   // the call fails with the first bad index; an in-place scatter changes nothing
  kZero,    // gathers: the element is zero (false, empty string)
  kSkip,    // scatters: the update is dropped
  kClamp,   // the nearest valid coordinate
  kModulo,  // the coordinate modulo the extent, never negative
};

// What a negative index means.
enum class NegativeIndex : std::uint8_t {
  kFromEnd,     // it counts from the end: -1 is the last element
  kOutOfRange,  // it is out of range, whatever its size; modulo takes it as any other index
  kError,       // the call fails, whatever an index out of range means
};

// What a scatter does if it writes to one cell more than once.
enum class Duplicates : std::uint8_t {
  kAllow,  // the last update in row-major order wins; reductions fold all of them in that order
  kError,  // the call fails with both positions; an in-place scatter changes nothing
};

// What a caller may choose for one call. The same names and values in C++, C, Python and on the
// command line.
struct CallOptions {
  std::optional<OutOfRange> out_of_range = std::nullopt;  // absent: as the operator's version says
  // Absent: as the operator's version says. Indices that `strict` refuses stay refused.
  std::optional<NegativeIndex> negative = std::nullopt;
  // The index that stands for padding: an index that equals it, before any counting from the end,
  // gives zeros (false, empty strings) in a gather and has no update in a scatter, whatever the
  // other options say. Only for calls with one indexed axis.
  std::optional<std::int64_t> padding_index = std::nullopt;
  // Refuses what the specification calls undefined or is silent about (docs/operators/ lists it).
  bool strict = false;
  Duplicates duplicates = Duplicates::kAllow;
  // The kernel set ("plain", on x86-64 "avx2", "avx512", on aarch64 "neon", "sve"; empty: the best
  // that the machine supports) and, after commas, other choices of a plan. The result never depends
  // on any of them:
  //   prefetch=ROWS      prefetch distance in rows of the indirect tensor, 0 to 128; unless 0, a
  //                      scatter's updates are prefetched, too
  //   stream=on|off      large results written with non-temporal stores
  //   tile=LANES         lanes that are processed together, with their cells packed first, 0 to
  //                      1024; 0: none. For an index per element, off the last axis.
  //   pack=on|off        whether cells of lanes are packed at all
  //   constant-rows=on|off  index rows that hold a single index moved as rows
  //   fused-copy=on|off  a scatter's data copied piece by piece, where its first loop allows it
  //   straight=on|off    single elements taken without computing offsets first
  //   gathers=on|off     these elements taken by gather instructions, where the kernel set has them
  //   buckets=on|off     updates distributed over buckets of the output first
  //   sorted=on|off      on several threads, updates in the order of their cells divided by ranges
  //   flat-runs=on|off   innermost loops of a few points run as one with the loop around them
  //   grids=on|off       copies of elements with gaps, or in another order, made without offsets
  //   dense-copies=on|off  inputs with gaps, or in another order, first copied to scratch memory
  //   tasks=N            tasks of a run on several threads
  // For example "avx2,stream=off" or ",prefetch=8". If the whole text is empty, the environment
  // variable WINDROW_KERNELS is used, in the same form.
  std::string kernels = {};
};

// "error", "zero", "skip", "clamp", "modulo", and back.
WINDROW_EXPORT std::string_view out_of_range_name(OutOfRange policy) noexcept;
WINDROW_EXPORT std::optional<OutOfRange> parse_out_of_range(std::string_view name) noexcept;

// "from_end", "out_of_range", "error", and back.
WINDROW_EXPORT std::string_view negative_name(NegativeIndex negative) noexcept;
WINDROW_EXPORT std::optional<NegativeIndex> parse_negative(std::string_view name) noexcept;

// "allow", "error", and back.
WINDROW_EXPORT std::string_view duplicates_name(Duplicates duplicates) noexcept;
WINDROW_EXPORT std::optional<Duplicates> parse_duplicates(std::string_view name) noexcept;

}  // namespace windrow

#endif  // WINDROW_OPTIONS_H_
