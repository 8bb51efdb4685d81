#include "src/plan/ways.h"

#include <gtest/gtest.h>

#include "src/plan/nest_fixture.h"

namespace windrow::internal {
namespace {

constexpr std::size_t kStreams = 3;

// The difference from each point to the next, if it is always the same.
std::optional<std::int64_t> step_of(const std::vector<StreamValues>& points, std::size_t stream) {
  for (std::size_t p = 2; p < points.size(); ++p)
    if (points[p][stream] - points[p - 1][stream] != points[1][stream] - points[0][stream])
      return std::nullopt;
  return points[1][stream] - points[0][stream];
}

TEST(LoopNest, AnEvenStepIsThatOfEveryPoint) {
  std::mt19937 random(3);
  int even = 0;
  for (int round = 0; round < 5000; ++round) {
    LoopNest nest = random_nest(random, kStreams);
    std::erase_if(nest, [](const NestLoop& loop) { return loop.extent == 1; });
    if (nest.empty()) continue;
    const auto points = walk(nest, kStreams);
    for (std::size_t s = 0; s < kStreams; ++s) {
      ASSERT_EQ(even_step(nest, s), step_of(points, s));
      if (even_step(nest, s)) ++even;
    }
  }
  EXPECT_GT(even, 1000);
}

TEST(LoopNest, AStreamThatOverflowsDoesNotGoOn) {
  const NestLoop inner{4, {std::int64_t{1} << 62}};
  EXPECT_FALSE(goes_on({2, {0}}, inner, 0));
  EXPECT_TRUE(goes_on({2, {12}}, {4, {3}}, 0));
}

}  // namespace
}  // namespace windrow::internal
