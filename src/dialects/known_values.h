#ifndef WINDROW_DIALECTS_KNOWN_VALUES_H_
#define WINDROW_DIALECTS_KNOWN_VALUES_H_

#include <cstdint>
#include <optional>
#include <span>

namespace windrow::internal {

// What shape inference knows of inputs of one element (an axis, a depth): one entry per input, or
// none at all.
using KnownValues = std::span<const std::optional<std::int64_t>>;

inline std::optional<std::int64_t> known_value(KnownValues values, std::size_t input) {
  return input < values.size() ? values[input] : std::nullopt;
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_KNOWN_VALUES_H_
