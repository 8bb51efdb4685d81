#include "src/plan/loops.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

// Whether every track but the indirect one continues at the same step from loop to loop, or, where
// the points of a run have the same indices, the direct one does.
bool go_on(const NestLoop& runs, const NestLoop& points, bool repeats) {
  if (repeats) return is_unaddressed(points) && goes_on(runs, points, kDirectTrack);
  for (std::size_t s = 0; s < runs.strides.size(); ++s)
    if (s != kIndirectTrack && !goes_on(runs, points, s)) return false;
  return true;
}

// Whether the loop around those that are one already may join them.
bool extends_runs(const LoopNest& nest, const FlatRuns& flat, std::int64_t most_points) {
  if (flat.loops == nest.size()) return false;
  const NestLoop& joining = nest[nest.size() - 1 - flat.loops];
  const NestLoop& first = nest[nest.size() - flat.loops];
  // A negative step could make an offset of the pattern look like kOutside.
  return joining.strides[kIndirectTrack] >= 0 && first.strides[kIndirectTrack] >= 0 &&
         first.extent <= most_points / flat.length && go_on(joining, first, flat.repeats);
}

// The indirect track of the first `count` points of a nest; its first loop goes on beyond its end.
std::vector<std::uint32_t> pattern_of(const LoopNest& nest, std::int64_t count) {
  std::vector<std::uint32_t> pattern;
  pattern.reserve(static_cast<std::size_t>(count));
  for (std::int64_t j = 0; j < count; ++j) {
    std::int64_t place = 0;
    std::int64_t left = j;
    for (std::size_t l = nest.size(); l-- > 1; left /= nest[l].extent)
      place += left % nest[l].extent * nest[l].strides[kIndirectTrack];
    place += left * nest.front().strides[kIndirectTrack];
    pattern.push_back(static_cast<std::uint32_t>(place));
  }
  return pattern;
}

}  // namespace

std::optional<FlatRuns> flatten_runs(const LoweredPlan& plan, std::int64_t most_points) {
  if (plan.axes.empty() || plan.wide_offsets) return std::nullopt;
  const LoopNest& nest = plan.addressed;
  FlatRuns flat;
  flat.repeats = is_unaddressed(nest.back());
  for (; extends_runs(nest, flat, most_points); ++flat.loops)
    flat.length *= nest[nest.size() - flat.loops].extent;
  if (flat.loops < 2) return std::nullopt;
  const auto runs = nest.end() - static_cast<std::ptrdiff_t>(flat.loops);
  flat.step = static_cast<std::uint64_t>(runs->strides[kIndirectTrack]);
  flat.nest.assign(nest.begin(), runs);
  NestLoop merged = nest.back();
  merged.extent = runs->extent * flat.length;
  merged.injective = false;
  merged.strides[kIndirectTrack] = 0;
  if (flat.repeats)
    for (std::size_t s = kFirstAddressTrack; s < merged.strides.size(); ++s)
      merged.strides[s] = runs->strides[s];
  flat.nest.push_back(std::move(merged));
  flat.pattern =
      pattern_of({runs, nest.end()}, flat.repeats ? flat.length : kBlockPoints + flat.length);
  return flat;
}

namespace {

bool continues(const NestLoop& outer, const NestLoop& inner) {
  for (std::size_t s = 0; s < outer.strides.size(); ++s)
    if (!goes_on(outer, inner, s)) return false;
  return true;
}

}  // namespace

LoopNest merge_loops(const LoopNest& nest) {
  LoopNest merged;
  for (const NestLoop& loop : nest) {
    if (loop.extent == 1) continue;
    if (!merged.empty() && continues(merged.back(), loop)) {
      NestLoop joined = loop;
      joined.extent *= merged.back().extent;
      joined.injective = loop.injective && merged.back().injective;
      merged.back() = std::move(joined);
    } else {
      merged.push_back(loop);
    }
  }
  return merged;
}

namespace {

// Moves the loop with the smallest step on a track to the end of the first `count` loops, whose
// other loops keep their order.
void put_last(LoopNest& nest, std::size_t count, std::size_t track) {
  const auto end = nest.begin() + static_cast<std::ptrdiff_t>(count);
  const auto nearest = std::min_element(nest.begin(), end, [&](const auto& a, const auto& b) {
    return std::abs(a.strides[track]) < std::abs(b.strides[track]);
  });
  std::rotate(nearest, nearest + 1, end);
}

// Moves the longest loop to the end, and the longest of the others before it.
void put_longest_last(LoopNest& nest) {
  const auto shorter = [](const auto& a, const auto& b) { return a.extent < b.extent; };
  for (auto end = nest.end(); end != nest.end() - 2; --end) {
    const auto longest = std::max_element(nest.begin(), end, shorter);
    std::rotate(longest, longest + 1, end);
  }
}

bool is_long_grid(const NestLoop& rows, const NestLoop& elements) {
  return rows.extent >= kLeastGridPoints || elements.extent >= kLeastGridPoints ||
         rows.extent * elements.extent >= kLeastGridPoints;
}

}  // namespace

LoopNest order_for_copy(const LoopNest& nest) {
  constexpr std::size_t kLeast = 3;
  LoopNest ordered = nest;
  const std::size_t loops = nest.size();
  std::stable_sort(ordered.begin(), ordered.end(), [](const auto& a, const auto& b) {
    return std::abs(a.strides[kDirectTrack]) > std::abs(b.strides[kDirectTrack]);
  });
  const auto reads_first = [](const NestLoop& a, const NestLoop& b) {
    return std::abs(a.strides[kIndirectTrack]) < std::abs(b.strides[kIndirectTrack]);
  };
  // Where the last loop has the smallest steps on both sides, the loop before it stays, too.
  const bool same =
      std::min_element(ordered.begin(), ordered.end(), reads_first) == ordered.end() - 1;
  if (loops > 1 && !same) put_last(ordered, loops - 1, kIndirectTrack);
  if (loops > 2 && !is_long_grid(ordered[loops - 2], ordered[loops - 1])) put_longest_last(ordered);
  while (ordered.size() < kLeast) {
    NestLoop once;
    once.strides.assign(nest.front().strides.size(), 0);
    ordered.insert(ordered.begin(), std::move(once));
  }
  return ordered;
}

Strides split_strides(const Shape& shape, const Strides& strides, const Shape& loops) {
  Strides split = Dims::filled(loops.rank(), 0);
  int loop = loops.rank() - 1;
  for (int axis = shape.rank(); axis-- > 0;) {
    std::int64_t left = shape[axis];
    std::int64_t stride = strides[axis];
    while (left > 1 && loop >= 0 && loops[loop] != 0) {
      split[loop] = stride;
      stride *= loops[loop];
      left /= loops[loop];
      --loop;
    }
  }
  return split;
}

Strides broadcast_strides(const Shape& shape, const Strides& strides, const Shape& loops) {
  Strides broadcast = Dims::filled(loops.rank(), 0);
  const int shift = loops.rank() - shape.rank();
  for (int axis = 0; axis < shape.rank(); ++axis)
    if (axis + shift >= 0 && shape[axis] != 1) broadcast[axis + shift] = strides[axis];
  return broadcast;
}

}  // namespace windrow::internal
