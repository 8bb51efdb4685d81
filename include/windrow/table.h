#ifndef WINDROW_TABLE_H_
#define WINDROW_TABLE_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/array_attributes.h"
#include "windrow/export.h"
#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/row_store.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Tables on disk: tensors that stay in their files, of which a gather reads the rows that it takes.
// In the library windrow::tables.
namespace windrow {

namespace internal {
class TableState;
class TableStore;
class RowCache;
}  // namespace internal

// A tensor in a file: a whole table, or some of its rows.
struct TablePart {
  // A file that says what is in it: .npy, .npz (stored, not deflated), .safetensors, a model of
  // ONNX (.onnx) or OpenVINO (.xml), Arrow's IPC file (.arrow, .feather; columns of fixed width);
  // or any file, if `dtype` is given.
  std::filesystem::path path;
  // The name of the tensor in its file: an entry, an initializer or constant, a column. Empty: the
  // only one there is.
  std::string name = {};
  // For files that do not say what is in them: the elements stand row-major and without gaps from
  // byte `first_byte` on. For the others absent, or the type of elements that the file has no name
  // for, as in load_tensor().
  DType dtype = DType::kAbsent;
  Shape shape = {};
  std::int64_t first_byte = 0;
};

// How blocks of a file come into memory.
enum class TableReads : std::uint8_t {
  kBest,       // the first of these that the machine has
  kUring,      // io_uring
  kThreads,    // threads that wait for a read each
  kReadAhead,  // through the page cache, which is told of the next reads
};

// "best", "io_uring", "threads", "read_ahead", and back.
WINDROW_EXPORT std::string_view table_reads_name(TableReads reads) noexcept;
WINDROW_EXPORT std::optional<TableReads> parse_table_reads(std::string_view name) noexcept;

// Rows that were read, kept in memory for tables that share it. A copy is the same cache. All
// functions may be called from any thread. In a process that was forked after the cache was made,
// its tables read without it.
class WINDROW_EXPORT TableCache {
 public:
  // Never uses more than `bytes` of memory. Errors: kInvalidArgument (fewer than
  // kLeastTableCache), kOutOfMemory.
  static Result<TableCache> create(std::int64_t bytes);

  struct Statistics {
    std::int64_t hits = 0;    // rows that were there
    std::int64_t misses = 0;  // rows that were not
    std::int64_t rows = 0;    // rows that are there now
    std::int64_t bytes = 0;   // their bytes
  };
  Statistics statistics() const;

 private:
  friend class Table;
  friend class internal::TableStore;
  explicit TableCache(std::shared_ptr<internal::RowCache> cache) noexcept;
  std::shared_ptr<internal::RowCache> cache_;
};

// The smallest cache.
inline constexpr std::int64_t kLeastTableCache = 64 << 10;

// What a call that writes survives once it has returned; whenever it is ended in between, it is
// made as a whole or not at all.
enum class TableDurability : std::uint8_t {
  kPower,    // a loss of power: the call waits until the disk has everything
  kProcess,  // the end of the process
};

// "power", "process", and back.
WINDROW_EXPORT std::string_view table_durability_name(TableDurability durability) noexcept;
WINDROW_EXPORT std::optional<TableDurability> parse_table_durability(
    std::string_view name) noexcept;

struct TableOptions {
  TableReads reads = TableReads::kBest;
  // true: reads leave the page cache alone (O_DIRECT). false: what was read stays in the page
  // cache, which is faster for a table that fits into memory. Absent: true where the file system
  // allows it, but false if `reads` is kReadAhead.
  std::optional<bool> direct = std::nullopt;
  int depth = 128;  // reads under way at a time, 1 to 1024
  // Absent: no row is kept.
  std::optional<TableCache> cache = std::nullopt;
  // true: assign() and add() may write rows. The table then locks its files until its last copy is
  // destroyed: until then no process, this one included, can open any of them as a table again. The
  // file `<first file>.windrow-log` stands beside them during this time, and beside each further
  // file one of such a name that leads to it.
  bool writable = false;
  TableDurability durability = TableDurability::kPower;
};

// What a table has done since it was opened; of a call that is under way what it has read so far.
struct TableStatistics {
  std::int64_t rows = 0;        // that were asked for, without those that are zeros
  std::int64_t row_bytes = 0;   // their bytes
  std::int64_t cached = 0;      // of these rows, how many the cache had
  std::int64_t reads = 0;       // of the files
  std::int64_t read_bytes = 0;  // their bytes
};

// How a table reads.
struct TableDescription {
  DType dtype = DType::kAbsent;
  Shape shape;
  std::vector<std::string> files;
  std::string reads;       // "io_uring", "threads" or "read_ahead"
  bool is_direct = false;  // past the page cache, all files
  std::int64_t block = 1;  // reads begin and end at multiples of this number of bytes
  int depth = 0;
};

// "float32 [4000000, 128] in 'table.npy'; io_uring, 128 reads at a time, past the page cache in
// blocks of 512 bytes"
WINDROW_EXPORT std::string to_string(const TableDescription& description);

// A tensor in files. Cheap to copy: a copy is the same table. Many threads may read one table, and
// one may write to it, at the same time; a call that reads a row while it is written gets the old
// or the new bytes of it, or some of each.
// Beside what the cache was given, a call uses at most kTableCallBytes of memory, and the table as
// much for each of at most eight calls that have ended.
class WINDROW_EXPORT Table {
 public:
  // One table of the rows of all parts, in their order: types and shapes behind the first axis must
  // be the same. Reads headers, and no row. Errors: kInvalidArgument (no part, no such name, an
  // option out of range), kShape, kType, kFormat, kUnsupported (a type of strings, a compressed
  // member, reads that the machine or the file system does not have; of writable tables: .npz,
  // no locks, files that overlap, the log of other files), kIo (also: another table has a file
  // open, and one of the two is writable), kOutOfMemory. A call that wrote to the files and was
  // ended in between is completed first, also if the table is not writable.
  static Result<Table> open(std::span<const TablePart> parts, const TableOptions& options = {});
  static Result<Table> open(const std::filesystem::path& path, const TableOptions& options = {});

  DType dtype() const noexcept;
  const Shape& shape() const noexcept;
  // Type and shape, for compile().
  TensorSpec spec() const;

  // Runs a gather of any dialect whose data is this table: `plan` was compiled for spec(), and in
  // `inputs` the data is absent. Only operators that take elements as they are (Gather,
  // GatherElements, GatherND, Take and their like); rows of packed types must be whole bytes. The
  // result, the indices' rules and their errors are those of Plan::run() on the tensor in memory;
  // threads are not used. Each row that is taken is read once for every kTableBatch of them, and
  // neighbours together. Errors besides: kUnsupported (another operator), kInvalidArgument
  // (compiled for another type or shape), kIo, kFormat (a file was cut meanwhile), which name the
  // file and the byte. After an error the contents of `out` are unspecified.
  Status run(const Plan& plan, std::span<const TensorView> inputs, const MutableTensorView& out,
             const RunOptions& options = {}) const;
  // The same into a new tensor.
  Result<Tensor> run(const Plan& plan, std::span<const TensorView> inputs,
                     const RunOptions& options = {}) const;

  // Rows by number, as array::take() has it: the table's shape with `op.axis` replaced by the shape
  // of `indices`.
  Result<Tensor> take(const TensorView& indices, const array::Take& op = {},
                      const CallOptions& options = {}, const RunOptions& run = {}) const;

  // Rows pooled by bags of ids, as array::embedding_bag() has it, with the same bits: ids [n] with
  // offsets [bags], or ids [bags, n] with a default view, weights of the shape of ids or a default
  // view -> [bags] ++ shape()[1:]. All offsets and ids are checked, by the rules and with the
  // errors of that operator, before a row is read. Bags are read together as long as they have
  // kTableBagBytes of rows; a call uses as much memory besides, or as the rows of its longest bag.
  // Errors besides: those of run(), after which the contents of `out` are unspecified.
  Status embedding_bag(const TensorView& ids, const TensorView& offsets, const TensorView& weights,
                       const MutableTensorView& out, const array::EmbeddingBag& op = {},
                       const CallOptions& options = {}, const RunOptions& run = {}) const;
  // The same into a new tensor.
  Result<Tensor> embedding_bag(const TensorView& ids, const TensorView& offsets,
                               const TensorView& weights, const array::EmbeddingBag& op = {},
                               const CallOptions& options = {}, const RunOptions& run = {}) const;

  // Row ids[i] becomes rows[i]; of equal ids the last one in row-major order wins, as in
  // array::put_along_axis(). `ids` [n], `rows` [n] ++ shape()[1:] of dtype(). All indices are
  // checked before anything is written, by the rules and with the errors of that operator. When
  // the call has returned, every take() gives the new rows. Uses the bytes of `rows` a second time
  // in memory, and on the disk while it writes. Errors besides: kUnsupported (the table is not
  // writable; rows that end within a byte; a process that was forked since the table was opened),
  // kIo, kOutOfMemory, after which nothing has been written; or kIo with the word that the call
  // stands in the log: then it is completed by the next call that writes, or when the table is
  // opened the next time, and reading is an error until then.
  Status assign(const TensorView& ids, const TensorView& rows, const CallOptions& options = {},
                const RunOptions& run = {});
  // rows[i] is added to row ids[i], one after another, rounding after every step: the same bits as
  // array::index_add(). Shapes and errors besides those of that operator as for assign().
  Status add(const TensorView& ids, const TensorView& rows, const CallOptions& options = {},
             const RunOptions& run = {});

  TableStatistics statistics() const;
  TableDescription description() const;
  // to_string(description())
  std::string describe() const;

 private:
  friend class internal::TableStore;
  explicit Table(std::shared_ptr<const internal::TableState> state) noexcept;
  std::shared_ptr<const internal::TableState> state_;
};

// Successive rows of a table.
struct TableRows {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

// A table on disk as the shard of a rank, for ShardedTable::open() in windrow/distributed.h: what
// Table::open() opens, or of a table for reading the given rows alone. Calls that write are made as
// a whole or not at all, as those of Table are. The number of the last one stands beside the first
// file in `<first file>.windrow-calls`, from the first opening for writing on; calls of Table leave
// it as it is. A table without bytes keeps no number. Errors: those of Table::open(),
// kInvalidArgument (rows that the table has not; rows given for a table that is writable), kFormat
// (the number).
WINDROW_EXPORT Result<std::unique_ptr<RowStore>> open_shard(
    std::span<const TablePart> parts, const TableOptions& options = {},
    const std::optional<TableRows>& rows = std::nullopt);

// The largest number of rows that one pass over the files reads.
inline constexpr std::int64_t kTableBatch = 65536;
// The rows that a pooled look-up reads together.
inline constexpr std::int64_t kTableBagBytes = std::int64_t{64} << 20;
// The largest number of bytes of memory that a call uses besides its result: the blocks that are
// under way (at most TableOptions::depth times 128 KiB) and the list of a pass. Of a call that
// pools or writes rows, besides those rows and lists of its ids.
inline constexpr std::int64_t kTableCallBytes = std::int64_t{144} << 20;

}  // namespace windrow

#endif  // WINDROW_TABLE_H_
