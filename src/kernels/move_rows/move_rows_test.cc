#include <cstring>

#include "src/kernels/block_fixture.h"

namespace windrow::internal {
namespace {

TEST(CopyRows, EveryRowOfEverySetMovesWhatTheBlockSays) {
  check_moving_family(Family::kCopyRows, false, [](TestBlock& block, std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    block.for_each_row(
        [&](std::byte* direct, std::byte* indirect) { std::memcpy(direct, indirect, size); },
        [&](std::byte* direct) { std::memset(direct, 0, size); });
  });
}

TEST(TakeElements, EveryRowOfEverySetMovesWhatTheBlockSays) {
  check_moving_family(Family::kTakeElements, false, [](TestBlock& block, std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    block.for_each_row(
        [&](std::byte* direct, std::byte* indirect) { std::memcpy(direct, indirect, size); },
        [&](std::byte* direct) { std::memset(direct, 0, size); });
  });
}

TEST(Assign, EveryRowOfEverySetWritesInOrder) {
  check_moving_family(Family::kAssign, true, [](TestBlock& block, std::int64_t bytes) {
    const auto size = static_cast<std::size_t>(bytes);
    block.for_each_row(
        [&](std::byte* direct, std::byte* indirect) { std::memcpy(indirect, direct, size); },
        [](std::byte*) {});
  });
}

}  // namespace
}  // namespace windrow::internal
