#ifndef WINDROW_PLAN_LOOP_NEST_H_
#define WINDROW_PLAN_LOOP_NEST_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace windrow::internal {

// One loop of a nest. `strides[s]` is the change of stream s from one counter to the next.
struct NestLoop {
  std::int64_t extent = 1;
  std::vector<std::int64_t> strides;
  // Whether different counters of this loop always address different cells of the indirect tensor,
  // whatever the other counters and the indices are. Scatters may be divided along such a loop.
  bool injective = false;
};

// Loops, outermost first, that drive several linear functions of their counters ("streams"): byte
// positions in the direct, indirect and index tensors, and coordinates.
using LoopNest = std::vector<NestLoop>;

// The streams with which every nest of a plan begins.
inline constexpr std::size_t kDirectStream = 0;
inline constexpr std::size_t kIndirectStream = 1;
inline constexpr std::size_t kFirstAddressStream = 2;

// Whether a loop is part of no address: neither an index nor a coordinate with a policy varies with
// it.
inline bool is_unaddressed(const NestLoop& loop) {
  for (std::size_t s = kFirstAddressStream; s < loop.strides.size(); ++s)
    if (loop.strides[s] != 0) return false;
  return true;
}

// Whether a stream continues evenly from the end of `inner` to the next counter of `outer`, the
// loop around it.
inline bool goes_on(const NestLoop& outer, const NestLoop& inner, std::size_t stream) {
  std::int64_t end = 0;
  return !__builtin_mul_overflow(inner.strides[stream], inner.extent, &end) &&
         outer.strides[stream] == end;
}

// The change of a stream from each point of a nest to the next. The nest has at least one loop.
// Returns nothing if the changes differ.
inline std::optional<std::int64_t> even_step(const LoopNest& nest, std::size_t stream) {
  for (std::size_t l = 0; l + 1 < nest.size(); ++l)
    if (!goes_on(nest[l], nest[l + 1], stream)) return std::nullopt;
  return nest.back().strides[stream];
}

// The number of points. The product of the extents must fit in 63 bits.
inline std::int64_t point_count(const LoopNest& nest) {
  std::int64_t points = 1;
  for (const NestLoop& loop : nest) points *= loop.extent;
  return points;
}

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_LOOP_NEST_H_
