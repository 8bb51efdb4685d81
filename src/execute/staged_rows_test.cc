#include "src/execute/staged_rows.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace windrow::internal {
namespace {

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
