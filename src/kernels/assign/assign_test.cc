#include <cstring>

#include "src/kernels/block_fixture.h"

namespace windrow::internal {
namespace {

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
