#ifndef WINDROW_PLAN_NEST_FIXTURE_H_
#define WINDROW_PLAN_NEST_FIXTURE_H_

#include <cstdint>
#include <random>
#include <vector>

#include "src/plan/ways.h"

// Random nests, and the sequence of track values that a nest stands for. The laws of the passes
// are about these sequences.
namespace windrow::internal {

using TrackValues = std::vector<std::int64_t>;

// The values of all tracks at every point, in row-major order.
inline std::vector<TrackValues> walk(const LoopNest& nest, std::size_t tracks) {
  std::vector<TrackValues> values{TrackValues(tracks, 0)};
  for (const NestLoop& loop : nest) {
    std::vector<TrackValues> next;
    for (const TrackValues& start : values) {
      for (std::int64_t i = 0; i < loop.extent; ++i) {
        next.push_back(start);
        for (std::size_t s = 0; s < tracks; ++s) next.back()[s] += i * loop.strides[s];
      }
    }
    values = std::move(next);
  }
  return values;
}

// Up to five loops with extents 1 to 4 and small strides; tracks often continue from one loop to
// the next.
inline LoopNest random_nest(std::mt19937& random, std::size_t tracks) {
  const auto below = [&](int n) {
    return static_cast<std::int64_t>(random() % static_cast<unsigned>(n));
  };
  LoopNest nest(static_cast<std::size_t>(below(6)));
  for (std::size_t l = nest.size(); l-- > 0;) {
    nest[l].extent = 1 + below(4);
    nest[l].injective = below(2) == 0;
    const bool continues = l + 1 < nest.size() && below(3) > 0;
    for (std::size_t s = 0; s < tracks; ++s)
      nest[l].strides.push_back(continues ? nest[l + 1].strides[s] * nest[l + 1].extent
                                          : 4 * (below(7) - 3));
  }
  return nest;
}

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_NEST_FIXTURE_H_
