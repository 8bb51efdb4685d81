#include "src/tables/row_fetch.h"

#include <algorithm>
#include <cstring>

namespace windrow::internal {
namespace {

// A tag holds the first want of a read and their number.
constexpr int kCountBits = 32;

std::int64_t round_down(std::int64_t value, std::int64_t block) { return value & -block; }
std::int64_t round_up(std::int64_t value, std::int64_t block) {
  return (value + block - 1) & -block;
}

}  // namespace

const TablePiece& piece_of(std::span<const TablePiece> pieces, std::int64_t byte) {
  return *std::upper_bound(
      pieces.begin(), pieces.end(), byte,
      [](std::int64_t value, const TablePiece& piece) { return value < piece.high; });
}

RowFetch::RowFetch(std::span<const TablePiece> pieces, std::span<Want> wants)
    : pieces_(pieces), wants_(wants) {
  std::sort(wants.begin(), wants.end(), [](const Want& a, const Want& b) {
    return a.from != b.from ? a.from < b.from : a.bytes < b.bytes;
  });
}

bool RowFetch::next(BlockRead& read) {
  if (next_ == wants_.size()) return false;
  const std::size_t first = next_;
  const TablePiece& piece = piece_of(pieces_, wants_[first].from);
  const std::int64_t shift = piece.first_byte - piece.low;
  const std::int64_t block = piece.file->block();
  const std::int64_t low = round_down(wants_[first].from + shift, block);
  std::int64_t end = low;  // of what is wanted, in the file
  for (; next_ < wants_.size(); ++next_) {
    const Want& want = wants_[next_];
    const std::int64_t begins = want.from + shift;
    const std::int64_t ends = begins + want.bytes;
    if (want.from >= piece.high || round_up(std::max(end, ends), block) - low > kMostReadBytes)
      break;
    if (next_ > first && begins > round_up(end, block) + kLargestBlock) break;
    end = std::max(end, ends);
  }
  read.file = piece.file;
  read.offset = low;
  read.bytes = round_up(end, block) - low;
  read.least = end - low;
  read.tag = first << kCountBits | (next_ - first);
  counts_.reads += 1;
  counts_.bytes += read.bytes;
  return true;
}

void RowFetch::deliver(const BlockRead& read, const std::byte* bytes) {
  const std::size_t first = read.tag >> kCountBits;
  const std::size_t count = read.tag & ((std::uint64_t{1} << kCountBits) - 1);
  const TablePiece& piece = piece_of(pieces_, wants_[first].from);
  const std::int64_t shift = piece.first_byte - piece.low - read.offset;
  for (std::size_t i = first; i < first + count; ++i) {
    const Want& want = wants_[i];
    const bool is_repeated =
        i > first && wants_[i - 1].from == want.from && wants_[i - 1].bytes == want.bytes;
    const std::byte* const from = bytes + (want.from + shift);
    std::memcpy(want.to, from, static_cast<std::size_t>(want.bytes));
    if (seen && !is_repeated) seen(want, from);
  }
}

}  // namespace windrow::internal
