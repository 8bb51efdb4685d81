#ifndef WINDROW_TABLES_TABLE_WRITER_H_
#define WINDROW_TABLES_TABLE_WRITER_H_

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/tables/redo_log.h"
#include "src/tables/row_fetch.h"
#include "src/tables/write_file.h"
#include "windrow/table.h"

namespace windrow::internal {

// What a table is, and where its bytes are.
struct TableLayout {
  DType dtype = DType::kAbsent;
  Shape shape;
  std::span<const TablePiece> pieces;

  // 0 if a row has no bytes.
  std::int64_t row_bytes() const;
};

// Locks the files of a table for reading. A call that another process did not end is completed
// first, for which the files are opened for writing. The locks are those of the pieces' files.
// Errors: those of lock_file(), and of TableWriter::open() where a call must be completed.
Status lock_for_reading(const TableLayout& layout);

// Writes rows into the files of a table, which it holds alone.
class TableWriter {
 public:
  // Locks the files, completes a call that was ended in between, and makes the log's file beside
  // the first of them. `layout.pieces` must outlive the writer. Errors: kIo, kUnsupported (no
  // locks; pieces that overlap; a log of other files), kFormat (of the call number), kOutOfMemory.
  // `is_shard`: makes the file of the call number (call_number.h), which belongs to the table's
  // calls wherever it is there.
  static Result<std::unique_ptr<TableWriter>> open(const TableLayout& layout,
                                                   TableDurability durability, bool is_shard);

  TableWriter(const TableWriter&) = delete;
  TableWriter& operator=(const TableWriter&) = delete;
  ~TableWriter();

  // The right to write, one call at a time. Errors: kUnsupported (a process that was forked since
  // the writer was opened), and what stops a call that stands in the log from being completed.
  Result<std::unique_lock<std::mutex>> begin();

  // Writes whole rows, of ascending numbers without repeats, which stand one after another in
  // `bytes`; all or none. `written` is called with the byte of the table at which each row begins,
  // when it has been written, or was in part. `call_number`, where there is a file for it, is
  // written with them. Must be called between begin() and the end of the lock.
  template <class Written>
  Status write(std::span<const std::int64_t> rows, std::span<const std::byte> bytes,
               std::optional<std::int64_t> call_number, const Written& written) {
    writes_.fetch_add(1);
    Status status = log_rows(rows, bytes, call_number);
    for (const std::int64_t row : rows) written(row * row_bytes_);
    writes_.fetch_add(1);
    return status;
  }

  // Odd while rows are written, and never the same before and after a write: what was read between
  // two equal even numbers is what the table holds at the second one.
  const std::atomic<std::uint64_t>& writes() const noexcept { return writes_; }

  // Errors: kIo if a call was written in part and could not be completed.
  Status check_whole() const;

 private:
  struct Target;

  explicit TableWriter(const TableLayout& layout);
  Status open_files();
  Status open_file(const TablePiece& piece);
  Status check_overlaps() const;
  Status open_call_number_file(bool is_shard);
  Status open_log(TableDurability durability);
  Result<std::string> identity() const;
  Status log_rows(std::span<const std::int64_t> rows, std::span<const std::byte> bytes,
                  std::optional<std::int64_t> call_number);

  TableLayout layout_;
  std::int64_t row_bytes_;
  pid_t process_;
  std::vector<Target> targets_;
  std::vector<std::size_t> target_of_piece_;
  std::unique_ptr<SystemFile> call_number_file_;  // null if there is none
  std::unique_ptr<SystemFile> log_file_;
  std::optional<RedoLog> log_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> writes_ = 0;
  std::atomic<bool> is_torn_ = false;
};

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_TABLE_WRITER_H_
