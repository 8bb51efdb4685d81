#include "src/plan/ways.h"

#include <gtest/gtest.h>

#include "src/plan/nest_fixture.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kTracks = 3;

// The difference from each point to the next, if it is always the same.
std::optional<std::int64_t> step_of(const std::vector<TrackValues>& points, std::size_t track) {
  for (std::size_t p = 2; p < points.size(); ++p)
    if (points[p][track] - points[p - 1][track] != points[1][track] - points[0][track])
      return std::nullopt;
  return points[1][track] - points[0][track];
}

TEST(LoopNest, AnEvenStepIsThatOfEveryPoint) {
  std::mt19937 random(3);
  int even = 0;
  for (int round = 0; round < 5000; ++round) {
    LoopNest nest = random_nest(random, kTracks);
    std::erase_if(nest, [](const NestLoop& loop) { return loop.extent == 1; });
    if (nest.empty()) continue;
    const auto points = walk(nest, kTracks);
    for (std::size_t s = 0; s < kTracks; ++s) {
      ASSERT_EQ(even_step(nest, s), step_of(points, s));
      if (even_step(nest, s)) ++even;
    }
  }
  EXPECT_GT(even, 1000);
}

TEST(LoopNest, ATrackThatOverflowsDoesNotGoOn) {
  const NestLoop inner{4, {std::int64_t{1} << 62}};
  EXPECT_FALSE(goes_on({2, {0}}, inner, 0));
  EXPECT_TRUE(goes_on({2, {12}}, {4, {3}}, 0));
}

}  // namespace
}  // namespace windrow::internal
