#include "src/execute/copy_start.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "src/execute/add_fixture.h"
#include "src/plan/thresholds.h"

namespace windrow::internal {
namespace {

// Whether a start of `bytes` bytes is copied with non-temporal stores before updates of these
// cells.
bool streams(const LoweredPlan& plan, const std::vector<std::int64_t>& indices, std::int64_t bytes,
             bool fresh = false) {
  const std::byte* inputs[] = {nullptr, reinterpret_cast<const std::byte*>(indices.data()),
                               nullptr};
  RunMemory memory{nullptr, nullptr, inputs};
  memory.start_bytes = bytes;
  memory.fresh = fresh;
  Outcome outcome;
  return streams_start({plan, find_kernel_set("")->table, memory, nullptr, outcome});
}

std::vector<std::int64_t> ascending_indices() {
  std::vector<std::int64_t> indices(kUpdates);
  for (std::size_t i = 0; i < indices.size(); ++i)
    indices[i] = static_cast<std::int64_t>(i) * kCells / kUpdates;
  return indices;
}

TEST(CopyStart, IsInTheCachesForUpdatesInAnyOrder) {
  const LoweredPlan plan = lower_add(1, OutOfRange::kError);
  const std::int64_t touched = kUpdates * 64;
  EXPECT_FALSE(streams(plan, random_indices(), kStreamStartBytes));
  EXPECT_FALSE(streams(plan, random_indices(), kStreamStartBytes + touched - 1));
  EXPECT_TRUE(streams(plan, random_indices(), kStreamStartBytes + touched));
}

TEST(CopyStart, IsPastTheCachesForUpdatesInOrder) {
  const LoweredPlan plan = lower_add(1, OutOfRange::kError);
  EXPECT_FALSE(streams(plan, ascending_indices(), kStreamStartBytes - 1));
  EXPECT_TRUE(streams(plan, ascending_indices(), kStreamStartBytes));
  EXPECT_FALSE(streams(plan, ascending_indices(), kStreamStartBytes, true));
}

TEST(CopyStart, IsPastTheCachesWhereTheyCannotHoldIt) {
  const LoweredPlan plan = lower_add(1000, OutOfRange::kError);
  EXPECT_FALSE(streams(plan, random_indices(), kStreamAnyStartBytes - 1));
  EXPECT_TRUE(streams(plan, random_indices(), kStreamAnyStartBytes));
}

}  // namespace
}  // namespace windrow::internal
