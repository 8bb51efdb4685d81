#include "src/arrow/bits.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace windrow::arrow {
namespace {

std::vector<std::uint8_t> draw_bits(std::int64_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bits(static_cast<std::size_t>(count));
  for (std::uint8_t& bit : bits) bit = static_cast<std::uint8_t>(random() % 2);
  return bits;
}

TEST(Bits, UnpackIsTheInverseOfPack) {
  for (std::int64_t count = 0; count < 70; ++count) {
    const std::vector<std::uint8_t> bits = draw_bits(count, static_cast<std::uint32_t>(count));
    std::vector<std::byte> packed(static_cast<std::size_t>(bitmap_bytes(count)));
    pack_bits(bits.data(), count, packed.data());
    for (std::int64_t first = 0; first <= count; ++first) {
      std::vector<std::uint8_t> back(static_cast<std::size_t>(count - first), 9);
      unpack_bits(packed.data(), first, count - first, back.data());
      EXPECT_EQ(back, std::vector<std::uint8_t>(bits.begin() + first, bits.end()));
    }
  }
}

TEST(Bits, PackClearsTheRestOfTheLastByte) {
  const std::uint8_t bits[] = {1, 0, 1};
  std::byte packed{0xff};
  pack_bits(bits, 3, &packed);
  EXPECT_EQ(packed, std::byte{5});
}

TEST(Bits, CountZeros) {
  for (const std::int64_t count : {0, 1, 63, 64, 65, 200}) {
    const std::vector<std::uint8_t> bits = draw_bits(count, 7);
    std::vector<std::byte> packed(static_cast<std::size_t>(bitmap_bytes(count)));
    pack_bits(bits.data(), count, packed.data());
    EXPECT_EQ(count_zeros(packed.data(), count), std::count(bits.begin(), bits.end(), 0));
  }
}

TEST(Bits, SetBit) {
  std::byte bits[2] = {};
  set_bit(bits, 9, true);
  set_bit(bits, 0, true);
  set_bit(bits, 0, false);
  EXPECT_EQ(bits[0], std::byte{0});
  EXPECT_EQ(bits[1], std::byte{2});
}

// A selection of these cells, of one chunk or of the given ones.
Selection selection_of(const std::vector<std::int32_t>& cells,
                       const std::vector<std::int32_t>& chunk_of = {}) {
  Selection selection;
  selection.count = static_cast<std::int64_t>(cells.size());
  selection.cells = new_buffer(selection.count * 4).value();
  std::copy(cells.begin(), cells.end(), reinterpret_cast<std::int32_t*>(selection.cells.data));
  if (chunk_of.empty()) return selection;
  selection.chunk_of = new_buffer(selection.count * 4).value();
  std::copy(chunk_of.begin(), chunk_of.end(),
            reinterpret_cast<std::int32_t*>(selection.chunk_of.data));
  return selection;
}

std::vector<std::uint8_t> gathered(const std::vector<BitRows>& chunks, const Selection& selection,
                                   std::int64_t per_row, bool zero_bit) {
  const ChosenKernels kernels = choose_kernels({}).value();
  const NewBuffer bits = gather_bits(chunks, selection, per_row, zero_bit, kernels, {}).value();
  std::vector<std::uint8_t> back(static_cast<std::size_t>(selection.count * per_row));
  unpack_bits(bits.data, 0, selection.count * per_row, back.data());
  return back;
}

using Bits = std::vector<std::uint8_t>;

TEST(GatherBits, OffsetsNullsAndZeros) {
  const std::byte bits{0b0101'1000};
  const Selection selection = selection_of({0, 1, kNullRow, kZeroRow, 3});
  EXPECT_EQ(gathered({{&bits, 3, 5}}, selection, 1, true), (Bits{1, 1, 0, 1, 1}));
  EXPECT_EQ(gathered({{&bits, 3, 5}}, selection, 1, false), (Bits{1, 1, 0, 0, 1}));
}

TEST(GatherBits, SeveralBitsPerRow) {
  const std::byte bits{0b0101'1001};
  EXPECT_EQ(gathered({{&bits, 0, 8}}, selection_of({1, 0, kNullRow}), 3, false),
            (Bits{1, 1, 0, 1, 0, 0, 0, 0, 0}));
}

TEST(GatherBits, AChunkWithoutBitmapHasOnes) {
  const std::byte bits{0};
  EXPECT_EQ(
      gathered({{&bits, 0, 8}, {nullptr, 0, 8}}, selection_of({0, 5, 1}, {0, 1, 0}), 1, false),
      (Bits{0, 1, 0}));
}

TEST(GatherBits, MoreRowsThanAPiece) {
  const std::int64_t count = 100'003;
  const std::vector<std::uint8_t> bits = draw_bits(count, 1);
  std::vector<std::byte> packed(static_cast<std::size_t>(bitmap_bytes(count)));
  pack_bits(bits.data(), count, packed.data());
  std::vector<std::int32_t> cells(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i)
    cells[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(count - 1 - i);
  EXPECT_EQ(gathered({{packed.data(), 0, count}}, selection_of(cells), 1, false),
            Bits(bits.rbegin(), bits.rend()));
}

}  // namespace
}  // namespace windrow::arrow
