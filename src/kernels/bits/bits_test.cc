#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

bool bit_of(const std::vector<std::byte>& bits, std::int64_t at) {
  return ((static_cast<unsigned>(bits[static_cast<std::size_t>(at / 8)]) >> (at % 8)) & 1U) != 0;
}

// Takes from a bitmap of exactly the bytes that its rows need, so that a sanitizer sees any other
// that is read; compares every bit and what is behind the last one.
void check(const KernelSetEntry& set, std::int64_t rows, std::int64_t first, std::int64_t count,
           bool gathers, std::mt19937& random) {
  std::vector<std::byte> bits(static_cast<std::size_t>((first + rows + 7) / 8));
  for (std::byte& byte : bits) byte = static_cast<std::byte>(random());
  std::vector<std::int32_t> taken;
  for (std::int64_t j = 0; j < count; ++j) {
    const auto row = static_cast<std::int32_t>(random() % static_cast<unsigned>(rows));
    taken.push_back(random() % 5 == 0 ? -1 - static_cast<std::int32_t>(random() % 2) : row);
  }
  if (count > 0) taken.back() = static_cast<std::int32_t>(rows - 1);
  BitRun run;
  run.bits = bits.data();
  run.first = first;
  run.bytes = static_cast<std::int64_t>(bits.size());
  run.rows = taken.data();
  run.other = random() % 2 == 0;
  run.count = count;
  std::vector<std::byte> to(static_cast<std::size_t>((count + 7) / 8), std::byte{0xff});
  run.to = to.data();
  run.gathers = gathers;
  set.table.get<Family::kTakeBits>(Kernel::take_bits)(run);
  const std::string what = std::string(set.name) + ", " + std::to_string(count) + " of " +
                           std::to_string(rows) + " from " + std::to_string(first);
  for (std::int64_t j = 0; j < count; ++j) {
    const std::int32_t row = taken[static_cast<std::size_t>(j)];
    const bool expected = row >= 0 ? bit_of(bits, first + row) : row == -2 && run.other;
    ASSERT_EQ(bit_of(to, j), expected) << what << ", at " << j;
  }
  for (std::int64_t j = count; j % 8 != 0; ++j) ASSERT_FALSE(bit_of(to, j)) << what;
}

TEST(TakeBits, OfEverySetFromEveryPlace) {
  std::mt19937 random(5);
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    for (const bool gathers : {false, true})
      for (const std::int64_t rows : {1, 7, 8, 24, 25, 33, 1000})
        for (const std::int64_t first : {0, 1, 7, 8, 77})
          for (const std::int64_t count : {0, 1, 8, 15, 16, 17, 100})
            check(set, rows, first, count, gathers, random);
  }
}

}  // namespace
}  // namespace windrow::internal
