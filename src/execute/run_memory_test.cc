#include "src/execute/run_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "src/execute/pairs_fixture.h"
#include "src/plan/tuning.h"

namespace windrow::internal {
namespace {

TEST(RunMemory, FreshMemoryIsWrittenThroughTheCachesUnlessThatIsForced) {
  LoweredPlan plan;
  RunMemory memory;
  EXPECT_TRUE(memory.streams(plan, true));
  EXPECT_FALSE(memory.streams(plan, false));
  memory.fresh = true;
  EXPECT_FALSE(memory.streams(plan, true));
  plan.stream_fresh = true;
  EXPECT_TRUE(memory.streams(plan, true));
}

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

// Writes `bytes` bytes to each of two places, in pieces, and compares with a plain copy.
void check(std::int64_t place, std::int64_t bytes, std::int64_t piece) {
  const KernelSetEntry* set = find_kernel_set("");
  constexpr std::int64_t kSecond = 9000;
  std::vector<std::byte> written(2 * kSecond + 128, std::byte{0xee});
  std::vector<std::byte> expected = written;
  StagedRows rows(set->table);
  std::uint8_t next = 0;
  for (const std::int64_t first : {place, kSecond + place}) {
    for (std::int64_t done = 0; done < bytes; done += piece) {
      const std::int64_t now = std::min(piece, bytes - done);
      rows.begin(written.data() + first + done);
      for (std::int64_t at = 0; at < now; ++at) {
        rows.room()[at] = std::byte{++next};
        expected[static_cast<std::size_t>(first + done + at)] = std::byte{next};
      }
      rows.add(now);
    }
  }
  rows.finish();
  flush_streams();
  EXPECT_EQ(written, expected) << place << ", " << bytes << " bytes by " << piece;
}

TEST(StagedRows, WritesWhatWasAddedAndNothingElse) {
  for (const std::int64_t place : {0, 1, 16, 63})
    for (const std::int64_t bytes : {0, 1, 40, 64, 100, 4096, 8800})
      for (const std::int64_t piece : {1, 4, 24, 2048}) check(place, bytes, piece);
}

TEST(StagedRows, RoomIsForRowsOfTheLongestKind) {
  EXPECT_GE(StagedRows::rows_at_once(kMostStagedRowBytes), 1);
  EXPECT_GE(StagedRows::rows_at_once(1), 1024);
}

}  // namespace
}  // namespace windrow::internal
