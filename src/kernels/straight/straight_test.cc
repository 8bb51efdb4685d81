#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kExtent = 50;
constexpr std::int64_t kMostCount = 200;

using Bytes = std::vector<std::byte>;

Bytes random_bytes(std::int64_t count, std::uint32_t seed) {
  std::mt19937 generator(seed);
  Bytes bytes(static_cast<std::size_t>(count));
  for (std::byte& one : bytes) one = static_cast<std::byte>(generator());
  return bytes;
}

// A run of one row's cells, with any bits for cells and updates.
struct TestRun {
  TestRun(const KernelRow& row, std::int64_t cells_apart, std::int64_t tables_apart)
      : cell_bytes(row.low),
        cells(random_bytes(row.low * (kExtent * cells_apart + kMostCount * tables_apart), 1)),
        updates(random_bytes(row.low * kMostCount, 2)) {
    run.index_step = row.low * cells_apart;
    run.lane_step = row.low * tables_apart;
    run.extent = kExtent;
    run.updates = updates.data();
  }

  StraightEnd end(const KernelSetEntry& set, Kernel kernel,
                  const std::vector<std::int64_t>& indices, bool wide) {
    Bytes given;
    for (const std::int64_t index : indices) {
      const auto narrow = static_cast<std::int32_t>(index);
      const auto* from = wide ? reinterpret_cast<const std::byte*>(&index)
                              : reinterpret_cast<const std::byte*>(&narrow);
      given.insert(given.end(), from, from + (wide ? 8 : 4));
    }
    run.cells = cells.data();
    run.indices = given.data();
    run.wide_indices = wide;
    run.count = static_cast<std::int64_t>(indices.size());
    return set.table.get<Family::kScatterStraight>(kernel)(run);
  }

  // The cells after the first `count` updates, one by one by the slowest set's kernel for blocks.
  Bytes expected(const KernelRow& row, const std::vector<std::int64_t>& indices,
                 std::size_t count) const {
    Bytes result = cells;
    const Family family = row.fold == Fold::kNone ? Family::kAssign : Family::kReduce;
    const Kernel one = find_kernel({family, row.low, row.dtype, row.fold});
    for (std::size_t j = 0; j < count; ++j) {
      const std::int64_t coordinate = indices[j] < 0 ? indices[j] + kExtent : indices[j];
      const std::uint32_t offset = 0;
      Block block;
      block.direct =
          const_cast<std::byte*>(updates.data()) + static_cast<std::int64_t>(j) * cell_bytes;
      block.indirect = result.data() + coordinate * run.index_step +
                       static_cast<std::int64_t>(j) * run.lane_step;
      block.count = 1;
      block.direct_step = block.row_bytes = block.unit = cell_bytes;
      block.offsets = &offset;
      kernel_sets().front().table.block(one)(block);
    }
    return result;
  }

  std::int64_t cell_bytes;
  Bytes cells;
  Bytes updates;
  StraightRun run;
};

// Calls check(set, row, kernel, run) for every set and row, for dense cells and for others.
template <class Check>
void for_each_run(const Check& check) {
  for (const KernelSetEntry& set : kernel_sets()) {
    if (!set.supported) continue;
    for (std::size_t r = 0; r < std::size(kKernelRows); ++r) {
      const KernelRow& row = kKernelRows[r];
      if (row.family != Family::kScatterStraight) continue;
      for (const auto& [apart, tables] : {std::pair{1, 0}, {3, 0}, {1, 2}, {200, 1}}) {
        SCOPED_TRACE(std::string(set.name) + " " + std::string(row.name) + " " +
                     std::to_string(apart) + " " + std::to_string(tables));
        check(set, row, static_cast<Kernel>(r), TestRun(row, apart, tables));
      }
    }
  }
}

std::vector<std::int64_t> random_indices(std::size_t count) {
  std::mt19937 generator(3);
  std::vector<std::int64_t> indices(count);
  for (std::int64_t& index : indices) index = static_cast<std::int64_t>(generator() % kExtent);
  return indices;
}

TEST(ScatterStraight, UpdatesAreMadeOneAfterTheOther) {
  for_each_run([](const KernelSetEntry& set, const KernelRow& row, Kernel kernel, TestRun run) {
    for (const std::size_t count :
         {std::size_t{0}, std::size_t{1}, std::size_t{17}, std::size_t{200}}) {
      for (const bool wide : {false, true}) {
        std::vector<std::int64_t> indices = random_indices(count);
        const Bytes before = run.cells;
        Bytes expected = run.expected(row, indices, count);
        EXPECT_EQ(run.end(set, kernel, indices, wide), StraightEnd::kDone);
        EXPECT_EQ(run.cells, expected) << count;
        run.cells = before;
        run.run.wraps = true;
        for (std::size_t j = 0; j < count; j += 5) indices[j] -= kExtent;
        expected = run.expected(row, indices, count);
        EXPECT_EQ(run.end(set, kernel, indices, wide), StraightEnd::kDone);
        EXPECT_EQ(run.cells, expected) << count;
        run.cells = before;
        run.run.wraps = false;
      }
    }
  });
}

TEST(ScatterStraight, AnIndexOutsideEndsTheRun) {
  for_each_run([](const KernelSetEntry& set, const KernelRow& row, Kernel kernel, TestRun run) {
    constexpr std::size_t kPlace = 77;
    std::vector<std::int64_t> indices = random_indices(100);
    const Bytes before = run.cells;
    const Bytes expected = run.expected(row, indices, kPlace);
    const auto ends = [&](std::int64_t bad, bool wraps, bool wide) {
      indices[kPlace] = bad;
      run.run.wraps = wraps;
      run.cells = before;
      EXPECT_EQ(run.end(set, kernel, indices, wide), StraightEnd::kBadIndex) << bad;
      EXPECT_EQ(run.cells, expected) << bad;
    };
    for (const bool wide : {false, true}) {
      for (const bool wraps : {false, true})
        for (const std::int64_t bad :
             {kExtent, INT64_C(0x7fffffff), INT64_C(-0x80000000), -kExtent - 1})
          ends(bad, wraps, wide);
      ends(-1, false, wide);
    }
    ends(INT64_MIN, true, true);
    ends(INT64_MAX, true, true);
    ends(INT64_C(1) << 32, true, true);
  });
}

// What the first seventeen indices say decides; what is not suited is left as it is.
TEST(ScatterStraight, IndicesThatRepeatOrAreNegativeAreLeftToOthers) {
  for_each_run([](const KernelSetEntry& set, const KernelRow& row, Kernel kernel, TestRun run) {
    run.run.wraps = true;
    const Bytes before = run.cells;
    const auto end_of = [&](std::int64_t first, std::int64_t step, std::size_t count) {
      std::vector<std::int64_t> indices = random_indices(count);
      for (std::size_t j = 0; j < std::min<std::size_t>(count, 17); ++j)
        indices[j] = first + static_cast<std::int64_t>(j) * step;
      run.cells = before;
      return run.end(set, kernel, indices, true);
    };
    const bool sums = row.fold != Fold::kNone;
    EXPECT_EQ(end_of(7, 0, 100), sums ? StraightEnd::kUnsuited : StraightEnd::kDone);
    if (sums) {
      EXPECT_EQ(run.cells, before);
    }
    EXPECT_EQ(end_of(7, 0, 16), StraightEnd::kDone);
    std::vector<std::int64_t> indices = random_indices(100);
    for (const std::size_t repeated : {11, 12}) {
      for (std::size_t j = 0; j < 17; ++j)
        indices[j] = static_cast<std::int64_t>(j > repeated ? j : 7);
      run.cells = before;
      EXPECT_EQ(run.end(set, kernel, indices, true),
                sums && repeated > 11 ? StraightEnd::kUnsuited : StraightEnd::kDone);
    }
    EXPECT_EQ(end_of(7, 1, 100), StraightEnd::kDone);
    EXPECT_EQ(end_of(-40, 1, 100), StraightEnd::kUnsuited);
    EXPECT_EQ(run.cells, before);
    EXPECT_EQ(end_of(-4, 1, 100), StraightEnd::kDone);
    EXPECT_EQ(end_of(-40, 1, 16), StraightEnd::kDone);
  });
}

}  // namespace
}  // namespace windrow::internal
