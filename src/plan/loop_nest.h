#ifndef WINDROW_PLAN_LOOP_NEST_H_
#define WINDROW_PLAN_LOOP_NEST_H_

#include <cstdint>
#include <optional>
#include <vector>

namespace windrow::internal {

// One loop of a nest. `strides[s]` is what one step of the loop adds to stream s.
struct NestLoop {
  std::int64_t extent = 1;
  std::vector<std::int64_t> strides;
  // Different counters of this loop always address different cells of the indirect tensor, whatever
  // the other counters and the indices are. Scatters may be cut along it.
  bool injective = false;
};

// Loops, outermost first, that drive several linear functions of their counters ("streams"): byte
// positions in the direct, indirect and index tensors, and coordinates.
using LoopNest = std::vector<NestLoop>;

// The streams every nest of a plan begins with.
inline constexpr std::size_t kDirectStream = 0;
inline constexpr std::size_t kIndirectStream = 1;
inline constexpr std::size_t kFirstAddressStream = 2;

// Whether a loop takes part in no address: neither an index nor a coordinate with a policy varies
// with it.
inline bool is_unaddressed(const NestLoop& loop) {
  for (std::size_t s = kFirstAddressStream; s < loop.strides.size(); ++s)
    if (loop.strides[s] != 0) return false;
  return true;
}

// Whether a stream goes on evenly from the end of `inner` to the next step of `outer`, the loop
// around it.
inline bool goes_on(const NestLoop& outer, const NestLoop& inner, std::size_t stream) {
  std::int64_t end = 0;
  return !__builtin_mul_overflow(inner.strides[stream], inner.extent, &end) &&
         outer.strides[stream] == end;
}

// What each point of a nest of at least one loop adds to a stream; nothing if they differ.
inline std::optional<std::int64_t> even_step(const LoopNest& nest, std::size_t stream) {
  for (std::size_t l = 0; l + 1 < nest.size(); ++l)
    if (!goes_on(nest[l], nest[l + 1], stream)) return std::nullopt;
  return nest.back().strides[stream];
}

// The number of points. The extents' product must fit in 63 bits.
inline std::int64_t point_count(const LoopNest& nest) {
  std::int64_t points = 1;
  for (const NestLoop& loop : nest) points *= loop.extent;
  return points;
}

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_LOOP_NEST_H_
