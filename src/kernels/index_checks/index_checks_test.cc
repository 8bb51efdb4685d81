#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

template <class Index>
const std::byte* bytes_of(const std::vector<Index>& indices) {
  return reinterpret_cast<const std::byte*>(indices.data());
}

template <class Index>
void check_within(const KernelSetEntry& set, DType dtype) {
  const WithinFunction within = set.table.of_type<Family::kAllWithin>(dtype);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{77}}) {
    std::vector<Index> indices(count, -3);
    const auto size = static_cast<std::int64_t>(count);
    EXPECT_TRUE(within(bytes_of(indices), size, {-3, 5, {}})) << set.name;
    if (count == 0) continue;
    for (const Index bad : {Index{-4}, Index{6}, std::numeric_limits<Index>::min()}) {
      indices.back() = bad;
      EXPECT_FALSE(within(bytes_of(indices), size, {-3, 5, {}})) << set.name << " " << bad;
      EXPECT_FALSE(within(bytes_of(indices), size, {-3, 5, 7})) << set.name << " " << bad;
      EXPECT_FALSE(within(bytes_of(indices), size, {-3, 5, -3})) << set.name << " " << bad;
      EXPECT_TRUE(within(bytes_of(indices), size, {-3, 5, bad})) << set.name << " " << bad;
      EXPECT_EQ(within(bytes_of(indices), size, {6, -3, bad}), count == 1)
          << set.name << " " << bad;
    }
  }
}

TEST(AllWithin, FindsOneIndexBesideTheRange) {
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    check_within<std::int32_t>(set, DType::kInt32);
    check_within<std::int64_t>(set, DType::kInt64);
  }
}

template <class Index>
void check_constant(const KernelSetEntry& set, DType dtype) {
  constexpr std::int64_t kCount = 40;
  std::vector<Index> indices(2 * kCount, 7);
  for (std::size_t j = kCount; j < indices.size(); ++j) indices[j] = -2;
  std::array<Index, 2> values{};
  ConstantRuns look;
  look.indices = bytes_of(indices);
  look.count = kCount;
  look.runs = 2;
  look.run_step = kCount * static_cast<std::int64_t>(sizeof(Index));
  look.values = reinterpret_cast<std::byte*>(values.data());
  EXPECT_TRUE(set.table.of_type<Family::kConstantRuns>(dtype)(look)) << set.name;
  EXPECT_EQ(values, (std::array<Index, 2>{7, -2})) << set.name;
  indices.back() = 7;
  EXPECT_FALSE(set.table.of_type<Family::kConstantRuns>(dtype)(look)) << set.name;
}

TEST(ConstantRuns, GivesTheIndexOfEachRun) {
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    check_constant<std::int32_t>(set, DType::kInt32);
    check_constant<std::int64_t>(set, DType::kInt64);
  }
}

TEST(SelectOwned, KeepsARangeInOrder) {
  const std::vector<std::uint32_t> offsets = {5, 9, 0, 10, 5, 0xffffffffU, 7};
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    std::uint32_t kept[7];
    std::uint32_t positions[7];
    const std::int64_t count = set.table.get<Family::kSelectOwned>(Kernel::select_owned)(
        offsets.data(), false, 7, 5, 10, kept, positions);
    ASSERT_EQ(count, 4);
    EXPECT_EQ(std::vector<std::uint32_t>(kept, kept + 4), (std::vector<std::uint32_t>{5, 9, 5, 7}));
    EXPECT_EQ(std::vector<std::uint32_t>(positions, positions + 4),
              (std::vector<std::uint32_t>{0, 1, 4, 6}));
  }
}

TEST(SelectOwned, KeepsTheSameAsASimpleLoop) {
  std::mt19937 random(1);
  for (const std::int64_t count : {1, 15, 16, 17, 100, 1024}) {
    std::vector<std::uint32_t> offsets(static_cast<std::size_t>(count));
    for (std::uint32_t& offset : offsets)
      offset = random() % 8 == 0 ? ~0U : static_cast<std::uint32_t>(random() % 100);
    const std::vector<std::uint64_t> wide(offsets.begin(), offsets.end());
    for (const auto& [low, high] : {std::pair{0U, 100U}, {30U, 60U}, {99U, 100U}, {50U, 50U}}) {
      std::vector<std::uint32_t> kept;
      std::vector<std::uint32_t> positions;
      for (std::uint32_t j = 0; j < count; ++j) {
        if (offsets[j] < low || offsets[j] >= high) continue;
        kept.push_back(offsets[j]);
        positions.push_back(j);
      }
      for (const KernelSetEntry& set : kernel_sets()) {
        if (!set.supported) continue;
        std::vector<std::uint32_t> out(static_cast<std::size_t>(count));
        std::vector<std::uint64_t> wide_out(out.size());
        std::vector<std::uint32_t> where(out.size());
        out.resize(
            static_cast<std::size_t>(set.table.get<Family::kSelectOwned>(Kernel::select_owned)(
                offsets.data(), false, count, low, high, out.data(), where.data())));
        EXPECT_EQ(out, kept) << set.name;
        where.resize(out.size());
        EXPECT_EQ(where, positions) << set.name;
        where.resize(wide.size());
        wide_out.resize(
            static_cast<std::size_t>(set.table.get<Family::kSelectOwned>(Kernel::select_owned)(
                wide.data(), true, count, low, high, wide_out.data(), where.data())));
        EXPECT_EQ(wide_out, std::vector<std::uint64_t>(kept.begin(), kept.end())) << set.name;
      }
    }
  }
}

}  // namespace
}  // namespace windrow::internal
