#include "src/base/memory.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

TEST(CacheSizes, AreWithinTheirLimitsAndStayTheSame) {
  const std::int64_t bytes = second_level_cache();
  EXPECT_GE(bytes, std::int64_t{256} << 10);
  EXPECT_LE(bytes, std::int64_t{16} << 20);
  EXPECT_EQ(second_level_cache(), bytes);
}

TEST(NearLines, LinesThatWereUsedAreNear) {
  NearLines lines;
  const auto few = [](std::int64_t j) { return j % 8; };
  EXPECT_FALSE(lines.sample(few));  // the first access to each of eight lines is far
  EXPECT_TRUE(lines.sample(few));
}

TEST(NearLines, NewLinesAreFar) {
  NearLines lines;
  for (std::int64_t first = 0; first < 4096; first += NearLines::kSampled)
    EXPECT_FALSE(lines.sample([&](std::int64_t j) { return first + j; }));
}

TEST(NearLines, AWalkIsNear) {
  NearLines lines;
  for (std::int64_t first = 0; first < 4096; first += NearLines::kSampled)
    EXPECT_TRUE(lines.sample([&](std::int64_t j) { return (first + j) / 16; }));
}

TEST(NearLines, MoreLinesThanACacheKeepsAreFar) {
  NearLines lines;
  for (int pass = 0; pass < 2; ++pass)
    for (std::int64_t first = 0; first < 4096; first += NearLines::kSampled)
      EXPECT_FALSE(lines.sample([&](std::int64_t j) { return first + j; }));
}

}  // namespace
}  // namespace windrow::internal
