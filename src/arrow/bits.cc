#include "src/arrow/bits.h"

#include <bit>
#include <cstring>

#include "src/arrow/ranges.h"
#include "src/base/integers.h"

namespace windrow::arrow {
namespace {

using windrow::internal::checked_mul;
using windrow::internal::read_once;

// What a gather of bits reads and writes.
template <class Cell>
struct BitGather {
  std::span<const BitRows> chunks;
  const Cell* cells;
  const std::int32_t* chunk_of;  // null: there is one chunk
  std::int64_t per_row;
  std::uint8_t zero_bit;
  std::byte* to;

  std::uint8_t bit(std::int64_t row, std::int64_t at) const {
    const std::int64_t cell = cells[row];
    if (cell < 0) return cell == kZeroRow ? zero_bit : std::uint8_t{0};
    const BitRows& rows = chunks[chunk_of == nullptr ? 0 : static_cast<std::size_t>(chunk_of[row])];
    return row_bit(rows, cell * per_row + at) ? 1 : 0;
  }

  // Writes the bits of the rows [low, high); low * per_row is a multiple of 8.
  void run(std::int64_t low, std::int64_t high) const {
    std::byte* byte = to + low * per_row / 8;
    unsigned gathered = 0;
    unsigned filled = 0;
    const auto push = [&](std::uint8_t one) {
      gathered |= unsigned{one} << filled;
      if (++filled < 8) return;
      *byte++ = static_cast<std::byte>(gathered);
      gathered = filled = 0;
    };
    for (std::int64_t row = low; row < high; ++row)
      for (std::int64_t at = 0; at < per_row; ++at) push(bit(row, at));
    if (filled > 0) *byte = static_cast<std::byte>(gathered);
  }
};

// Gathers the bits of one chunk by a kernel.
Status run_kernel(const BitRows& chunk, const Selection& selection, bool zero_bit,
                  const ChosenKernels& kernels, std::byte* to, const RunOptions& run) {
  using namespace windrow::internal;
  static_assert(kNullRow == -1 && kZeroRow == -2);
  BitRun all;
  all.bits = chunk.bits;
  all.first = chunk.first;
  all.bytes = bitmap_bytes(chunk.first + chunk.count);
  all.other = zero_bit;
  all.gathers = kernels.gathers;
  const BitFunction take = kernels.table->get<Family::kTakeBits>(Kernel::take_bits);
  const auto* const rows = reinterpret_cast<const std::int32_t*>(selection.cells.data);
  return for_pieces(selection.count, run, [&](std::int64_t, std::int64_t low, std::int64_t high) {
    BitRun piece = all;
    piece.rows = rows + low;
    piece.count = high - low;
    piece.to = to + low / 8;
    take(piece);
  });
}

}  // namespace

void unpack_bits(const std::byte* bits, std::int64_t first, std::int64_t count, std::uint8_t* to) {
  std::int64_t done = 0;
  while (done < count) {
    const std::int64_t at = first + done;
    const auto byte = static_cast<unsigned>(read_once<std::uint8_t>(bits + at / 8));
    const std::int64_t from = at % 8;
    const std::int64_t here = std::min<std::int64_t>(8 - from, count - done);
    for (std::int64_t j = 0; j < here; ++j)
      to[done + j] = static_cast<std::uint8_t>((byte >> (from + j)) & 1U);
    done += here;
  }
}

void pack_bits(const std::uint8_t* from, std::int64_t count, std::byte* to) {
  // The product gathers the lowest bits of eight bytes in its highest byte.
  constexpr std::uint64_t kGather = 0x0102040810204080U;
  std::int64_t done = 0;
  for (; done + 8 <= count; done += 8) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, from + done, sizeof eight);
    *to++ = static_cast<std::byte>((eight * kGather) >> 56U);
  }
  unsigned last = 0;
  for (std::int64_t j = 0; done + j < count; ++j) last |= unsigned{from[done + j]} << j;
  if (done < count) *to = static_cast<std::byte>(last);
}

std::int64_t count_zeros(const std::byte* bits, std::int64_t count) {
  std::int64_t ones = 0;
  std::int64_t done = 0;
  for (; done + 64 <= count; done += 64) {
    std::uint64_t word = 0;
    std::memcpy(&word, bits + done / 8, sizeof word);
    ones += std::popcount(word);
  }
  for (; done < count; ++done) ones += bit_at(bits, done) ? 1 : 0;
  return count - ones;
}

Result<NewBuffer> gather_bits(std::span<const BitRows> chunks, const Selection& selection,
                              std::int64_t per_row, bool zero_bit, const ChosenKernels& kernels,
                              const RunOptions& run) {
  const auto bits = checked_mul(selection.count, per_row);
  if (!bits) return Status(ErrorCode::kOutOfMemory, "a bitmap of more than 2^63-1 bits");
  Result<NewBuffer> made = new_buffer(bitmap_bytes(*bits));
  if (!made) return made;
  if (per_row == 1 && chunks.size() == 1 && !selection.is_wide && chunks[0].bits != nullptr) {
    if (Status status = run_kernel(chunks[0], selection, zero_bit, kernels, made->data, run);
        !status)
      return status;
    return made;
  }
  const auto* const chunk_of = reinterpret_cast<const std::int32_t*>(selection.chunk_of.data);
  const std::uint8_t zero = zero_bit ? 1 : 0;
  const Status status = visit_cells(selection, [&]<class Cell>(const Cell* cells) {
    const BitGather<Cell> gather{chunks, cells, chunk_of, per_row, zero, made->data};
    return for_pieces(selection.count, run, [&](std::int64_t, std::int64_t low, std::int64_t high) {
      gather.run(low, high);
    });
  });
  if (!status) return status;
  return made;
}

}  // namespace windrow::arrow
