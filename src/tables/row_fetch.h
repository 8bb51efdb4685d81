#ifndef WINDROW_TABLES_ROW_FETCH_H_
#define WINDROW_TABLES_ROW_FETCH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "src/tables/block_file.h"
#include "src/tables/reads.h"

namespace windrow::internal {

// A run of a table's bytes that stands in one file.
struct TablePiece {
  const BlockFile* file = nullptr;
  std::int64_t low = 0;         // the first byte of the table that stands here
  std::int64_t high = 0;        // the byte behind the last one
  std::int64_t first_byte = 0;  // where the first one stands in the file
};

// The piece that holds a byte of the table.
const TablePiece& piece_of(std::span<const TablePiece> pieces, std::int64_t byte);

// Bytes of a table that are to be copied to a place in memory.
struct Want {
  std::int64_t from = 0;
  std::int64_t bytes = 0;
  std::byte* to = nullptr;
};

// What a fetch has read.
struct FetchCounts {
  std::int64_t reads = 0;
  std::int64_t bytes = 0;
};

// The longest read: bytes that stand closer together than kLargestBlock are read at once up to it.
inline constexpr std::int64_t kMostReadBytes = std::int64_t{128} << 10;

// Reads the blocks that hold wanted bytes, in the order in which they stand in the files, each
// once, and copies the bytes.
class RowFetch final : public ReadSource {
 public:
  // `pieces`: in the table's order, without gaps. Both outlive the fetch. No want crosses from one
  // piece to the next or is longer than kMostWantBytes. Sorts `wants`.
  RowFetch(std::span<const TablePiece> pieces, std::span<Want> wants);

  // Wants that a read satisfies fit into it wherever its first block begins.
  static constexpr std::int64_t kMostWantBytes = kMostReadBytes - 2 * kLargestBlock;

  // Called with each run of bytes that was wanted, once, before it is forgotten.
  std::function<void(const Want& want, const std::byte* bytes)> seen = nullptr;
  // Asked between reads; true ends the fetch.
  std::function<bool()> ended = nullptr;

  bool next(BlockRead& read) override;
  void deliver(const BlockRead& read, const std::byte* bytes) override;
  bool is_ended() override { return ended && ended(); }

  const FetchCounts& counts() const { return counts_; }

 private:
  std::span<const TablePiece> pieces_;
  std::span<Want> wants_;
  std::size_t next_ = 0;  // the first want that no read has
  FetchCounts counts_;
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_ROW_FETCH_H_
