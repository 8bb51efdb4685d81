#include "src/base/cache_sizes.h"

#include <gtest/gtest.h>

namespace windrow::internal {
namespace {

TEST(CacheSizes, AreWithinTheirLimitsAndStayTheSame) {
  const std::int64_t bytes = second_level_cache();
  EXPECT_GE(bytes, std::int64_t{256} << 10);
  EXPECT_LE(bytes, std::int64_t{16} << 20);
  EXPECT_EQ(second_level_cache(), bytes);
}

}  // namespace
}  // namespace windrow::internal
