#ifndef WINDROW_KERNELS_BLOCK_FIXTURE_H_
#define WINDROW_KERNELS_BLOCK_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "src/kernels/registry.h"

// Random blocks for every kernel row and set, and the plain definition of a block.
namespace windrow::internal {

struct BlockCase {
  std::int64_t row_bytes = 1;
  std::int64_t gap = 0;  // bytes between rows of the direct side
  bool wide = false;
  bool masked = false;
  bool positions = false;
  std::int64_t ahead = 0;
  bool stream = false;
  std::int64_t place = 1;     // of the first direct row, in bytes from the start of its cache line
  std::int64_t cell_gap = 0;  // bytes between rows of the indirect side
  std::int64_t run = 1;       // rows in turn with the same offset, or one that is outside
};

inline std::string to_string(const BlockCase& c) {
  return "rows of " + std::to_string(c.row_bytes) + " bytes, gap " + std::to_string(c.gap) +
         (c.wide ? ", wide" : "") + (c.masked ? ", masked" : "") +
         (c.positions ? ", positions" : "") +
         (c.ahead > 0 ? ", ahead " + std::to_string(c.ahead) : "") +
         (c.stream ? ", stream at " + std::to_string(c.place) : "") +
         (c.cell_gap > 0 ? ", cells apart" : "") +
         (c.run > 1 ? ", runs of " + std::to_string(c.run) : "");
}

// A block of 200 rows over 50 cells, with its own memory. Nothing is aligned except the direct rows
// as the case asks for. The last offsets are those of rows that are only prefetched.
class TestBlock {
 public:
  TestBlock(const BlockCase& c, std::uint32_t seed) {
    constexpr std::int64_t kCount = 200;
    constexpr std::int64_t kKnown = 240;
    constexpr std::int64_t kCells = 50;
    std::mt19937 random(seed);
    block_.count = kCount;
    block_.row_bytes = c.row_bytes;
    block_.direct_step = c.row_bytes + c.gap;
    block_.unit = c.row_bytes + c.cell_gap;
    block_.wide_offsets = c.wide;
    block_.any_outside = c.masked;
    block_.ahead = c.ahead;
    block_.known = kKnown;
    block_.fetch_direct = c.ahead > 0;
    block_.near_cells = !c.wide;
    block_.stream = c.stream;
    // One cache line before the rows, and the rows after them, must not be written.
    const auto size = kLine + static_cast<std::size_t>(2 * kCount * block_.direct_step);
    direct_memory_.resize(size + 2 * kLine);
    const auto address = reinterpret_cast<std::uintptr_t>(direct_memory_.data());
    const std::size_t first = (kLine - address % kLine) % kLine + static_cast<std::size_t>(c.place);
    direct_ = std::span(direct_memory_).subspan(first, size);
    indirect_.resize(static_cast<std::size_t>(kCells * block_.unit) + 1);
    for (std::byte& b : direct_) b = static_cast<std::byte>(random());
    for (std::byte& b : indirect_) b = static_cast<std::byte>(random());
    std::uint64_t last = 0;
    for (std::int64_t j = 0; j < kKnown; ++j) {
      const bool outside = c.masked && random() % 4 == 0;
      const bool repeats = j % c.run != 0;
      const std::uint64_t cell = repeats ? last : random() % kCells;
      wide_.push_back(outside ? ~std::uint64_t{0} : cell);
      last = cell;
      narrow_.push_back(static_cast<std::uint32_t>(wide_.back()));
      positions_.push_back(static_cast<std::uint32_t>(c.run > 1 ? j + j / 7 : 2 * j));
    }
    use_positions_ = c.positions;
  }

  Block block() {
    Block block = block_;
    block.direct = direct_.data() + kLine;
    block.indirect = indirect_.data() + 1;
    block.offsets = block.wide_offsets ? static_cast<const void*>(wide_.data()) : narrow_.data();
    if (use_positions_) block.positions = positions_.data();
    return block;
  }

  // Runs row after row, as the block is defined. `move` receives (direct row, indirect row).
  template <class Move, class Outside>
  void for_each_row(const Move& move, const Outside& outside) {
    const Block b = block();
    for (std::int64_t j = 0; j < b.count; ++j) {
      const std::int64_t at = use_positions_ ? positions_[static_cast<std::size_t>(j)] : j;
      std::byte* direct = b.direct + at * b.direct_step;
      const std::uint64_t offset = wide_[static_cast<std::size_t>(j)];
      if (offset == ~std::uint64_t{0}) {
        outside(direct);
      } else {
        move(direct, b.indirect + static_cast<std::int64_t>(offset) * b.unit);
      }
    }
  }

  std::vector<std::byte> direct() const { return {direct_.begin(), direct_.end()}; }
  const std::vector<std::byte>& indirect() const { return indirect_; }

 private:
  static constexpr std::size_t kLine = 64;

  Block block_;
  std::vector<std::byte> direct_memory_;
  std::span<std::byte> direct_;
  std::vector<std::byte> indirect_;
  std::vector<std::uint64_t> wide_;
  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint32_t> positions_;
  bool use_positions_ = false;
};

// Every combination of modes for rows of this length. Positions are for scatters and never masked.
inline std::vector<BlockCase> block_cases(std::int64_t row_bytes, bool scatter) {
  std::vector<BlockCase> cases;
  for (const std::int64_t gap : {std::int64_t{0}, std::int64_t{3}})
    for (const bool wide : {false, true})
      for (const std::int64_t ahead : {0, 7}) {
        for (const bool masked : {false, true})
          for (const std::int64_t cell_gap : {0, 5})
            cases.push_back({row_bytes, gap, wide, masked, false, ahead, false, 1, cell_gap});
        if (scatter) cases.push_back({row_bytes, gap, wide, false, true, ahead});
        for (const std::int64_t run : {20, 90}) {
          cases.push_back({row_bytes, gap, wide, false, false, ahead, false, 1, gap, run});
          cases.push_back({row_bytes, gap, wide, true, false, ahead, false, 1, 0, run});
          if (scatter)
            cases.push_back({row_bytes, gap, wide, false, true, ahead, false, 1, 0, run});
        }
      }
  if (scatter) return cases;
  for (const std::int64_t gap : {0, 3, 16})
    for (const bool masked : {false, true})
      for (const std::int64_t place : {0, 1, 16, 32, 48})
        cases.push_back({row_bytes, gap, false, masked, false, 7, true, place});
  return cases;
}

// Row lengths that a kernel row takes: both ends, unless it takes rows of any length, and some in
// between.
inline std::vector<std::int64_t> row_lengths(const KernelRow& row) {
  std::set<std::int64_t> lengths = {row.low};
  if (row.high != INT64_MAX) lengths.insert(row.high);
  for (const std::int64_t bytes :
       {1,  2,  3,  4,   5,   7,   8,   9,   12,  15,  16,  17,  31,  32,  33,  48,   63,   64,
        65, 80, 96, 100, 112, 127, 128, 129, 144, 176, 191, 192, 200, 256, 500, 2047, 2048, 2100})
    if (row.low <= bytes && bytes <= row.high) lengths.insert(bytes);
  return {lengths.begin(), lengths.end()};
}

// Runs every supported set's kernel of every row of a family that moves bytes, on every case, and
// compares with `expect`, which gives a TestBlock its plain result.
template <class Expect>
void check_moving_family(Family family, bool scatter, const Expect& expect) {
  std::size_t checked = 0;
  for (std::size_t r = 0; r < std::size(kKernelRows); ++r) {
    const KernelRow& row = kKernelRows[r];
    if (row.family != family) continue;
    for (const std::int64_t bytes : row_lengths(row)) {
      for (const BlockCase& c : block_cases(bytes, scatter)) {
        TestBlock expected(c, 7);
        expect(expected, bytes);
        for (const KernelSetEntry& set : kernel_sets()) {
          if (!set.supported) continue;
          TestBlock actual(c, 7);
          set.table.block(static_cast<Kernel>(r))(actual.block());
          ASSERT_EQ(actual.direct(), expected.direct())
              << row.name << " " << set.name << " " << to_string(c);
          ASSERT_EQ(actual.indirect(), expected.indirect())
              << row.name << " " << set.name << " " << to_string(c);
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 0U);
}

}  // namespace windrow::internal

#endif  // WINDROW_KERNELS_BLOCK_FIXTURE_H_
