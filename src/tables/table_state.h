#ifndef WINDROW_TABLES_TABLE_STATE_H_
#define WINDROW_TABLES_TABLE_STATE_H_

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "src/row_cache/row_cache.h"
#include "src/tables/block_file.h"
#include "src/tables/reads.h"
#include "src/tables/row_fetch.h"
#include "src/tables/table_writer.h"
#include "windrow/table.h"

namespace windrow::internal {

// Engines that no call uses now. Without locks, so that a fork leaves none closed; what a process
// put here its children throw away.
class IdleEngines {
 public:
  IdleEngines() noexcept = default;
  IdleEngines(const IdleEngines&) = delete;
  IdleEngines& operator=(const IdleEngines&) = delete;
  ~IdleEngines();

  // Null if there is none.
  std::unique_ptr<ReadEngine> take();
  // Throws the engine away where there is no place or no memory for it.
  void put(std::unique_ptr<ReadEngine> engine) noexcept;

 private:
  struct Idle {
    std::unique_ptr<ReadEngine> engine;
    pid_t process;
  };
  std::array<std::atomic<Idle*>, 8> places_ = {};
};

struct TableCounters {
  std::atomic<std::int64_t> rows{0};
  std::atomic<std::int64_t> row_bytes{0};
  std::atomic<std::int64_t> cached{0};
  std::atomic<std::int64_t> reads{0};
  std::atomic<std::int64_t> read_bytes{0};
};

// An open table.
class TableState {
 public:
  // `cache` may be null. `is_shard`: calls that write have numbers (call_number.h).
  static Result<std::shared_ptr<const TableState>> open(std::span<const TablePart> parts,
                                                        const TableOptions& options,
                                                        std::shared_ptr<RowCache> cache,
                                                        bool is_shard = false);

  DType dtype() const noexcept { return dtype_; }
  const Shape& shape() const noexcept { return shape_; }
  std::span<const TablePiece> pieces() const noexcept { return pieces_; }
  // The piece that holds a byte of the table.
  const TablePiece& piece_of(std::int64_t byte) const { return internal::piece_of(pieces_, byte); }
  // By which the cache knows the table: no other one of this process has or had it.
  std::uint64_t number() const noexcept { return number_; }
  // Null if there is none, or if it is another process's.
  RowCache* cache() const noexcept;
  TableCounters& counters() const noexcept { return counters_; }
  // Null if the table is not writable.
  TableWriter* writer() const noexcept { return writer_.get(); }
  // Whether the cache may have a row of these bytes: of a writable table only whole rows, which a
  // write finds.
  bool may_keep(std::int64_t row_bytes) const noexcept {
    return writer_ == nullptr || row_bytes == layout().row_bytes();
  }
  TableLayout layout() const noexcept { return {dtype_, shape_, pieces_}; }
  TableDescription describe() const;
  // The number of the last call that wrote; 0 if no number was ever kept. Errors: kIo, kFormat.
  Result<std::int64_t> read_call_number() const;

  // TableWriter::write() of the rows' values. The caller has the right to write.
  Status write(const Tensor& rows, const TensorView& values,
               std::optional<std::int64_t> call_number) const;

  // Reads what `fetch` wants, with an engine that no other call uses meanwhile.
  Status read(RowFetch& fetch) const;

 private:
  TableState() = default;
  Status add(const TablePart& part, std::optional<bool> direct);
  Status hold_files(const TableOptions& options, bool is_shard);
  Status choose_reads(const TableOptions& options);
  // An engine of reads_, or of spare_reads_ where there is none, such as a ring for which the
  // process has no file number left.
  Engine make_engine() const;
  Engine make_engine_of(TableReads reads) const;

  DType dtype_ = DType::kAbsent;
  Shape shape_;
  std::vector<std::unique_ptr<BlockFile>> files_;
  std::vector<TablePiece> pieces_;
  TableReads reads_ = TableReads::kBest;
  TableReads spare_reads_ = TableReads::kBest;  // reads_ itself where the caller chose it
  int depth_ = 0;
  std::uint64_t number_ = 0;
  std::shared_ptr<RowCache> cache_;
  pid_t process_ = 0;
  std::unique_ptr<TableWriter> writer_;
  mutable IdleEngines engines_;
  mutable TableCounters counters_;
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_TABLE_STATE_H_
