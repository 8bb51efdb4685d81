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
  std::string kernels = {};  // "plain", "avx2", "avx512"; empty: the best that the machine has
};

// "error", "zero", "skip", "clamp", "modulo", and back.
WINDROW_EXPORT std::string_view out_of_range_name(OutOfRange policy) noexcept;
WINDROW_EXPORT std::optional<OutOfRange> parse_out_of_range(std::string_view name) noexcept;

// "allow", "error", and back.
WINDROW_EXPORT std::string_view duplicates_name(Duplicates duplicates) noexcept;
WINDROW_EXPORT std::optional<Duplicates> parse_duplicates(std::string_view name) noexcept;

}  // namespace windrow

#endif  // WINDROW_OPTIONS_H_
