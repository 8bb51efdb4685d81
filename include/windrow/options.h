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

// What a scatter does that writes one cell more than once.
enum class Duplicates : std::uint8_t {
  kAllow,  // the last update in row-major order wins; reductions fold all of them in that order
  kError,  // the call fails with both positions; an in-place scatter changes nothing
};

// What a caller may choose for one call. The same names and values in C++, C, Python and on the
// command line.
struct CallOptions {
  std::optional<OutOfRange> out_of_range = std::nullopt;  // absent: as the operator's version says
  // Refuses what the specification calls undefined or is silent about (docs/operators/ lists it).
  bool strict = false;
  Duplicates duplicates = Duplicates::kAllow;
  // The kernel set ("plain", "avx2", "avx512"; empty: the best that the machine has) and, after
  // commas, what else a plan would choose by itself; the result never depends on any of it:
  //   prefetch=ROWS      rows of the indirect tensor fetched ahead, 0 to 128; unless 0, a scatter's
  //                      updates too
  //   stream=on|off      large results written past the caches
  //   tile=LANES         lanes of an operator with an index per element off the last axis that are
  //                      taken together, 0 to 1024, their cells copied side by side first; 0: none
  //   pack=on|off        whether lanes are taken so at all
  //   constant-rows=on|off  index rows that hold one index moved as rows
  //   fused-copy=on|off  the output of a scatter copied piece by piece, where its first loop allows
  //   straight=on|off    single elements taken without offsets in between
  //   gathers=on|off     such elements taken by gather instructions, in kernel sets that have them
  //   buckets=on|off     updates put side by side by parts of the output first
  //   sorted=on|off      on several threads, updates in the order of their cells cut into ranges
  //   flat-runs=on|off   innermost loops of a few points run together
  //   tasks=N            tasks of a run on several threads
  // For example "avx2,stream=off" or ",prefetch=8". Empty as a whole: what the environment variable
  // WINDROW_KERNELS says, in the same form.
  std::string kernels = {};
};

// "error", "zero", "skip", "clamp", "modulo", and back.
WINDROW_EXPORT std::string_view out_of_range_name(OutOfRange policy) noexcept;
WINDROW_EXPORT std::optional<OutOfRange> parse_out_of_range(std::string_view name) noexcept;

// "allow", "error", and back.
WINDROW_EXPORT std::string_view duplicates_name(Duplicates duplicates) noexcept;
WINDROW_EXPORT std::optional<Duplicates> parse_duplicates(std::string_view name) noexcept;

}  // namespace windrow

#endif  // WINDROW_OPTIONS_H_
