#ifndef WINDROW_DISTRIBUTED_H_
#define WINDROW_DISTRIBUTED_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "windrow/array_attributes.h"
#include "windrow/export.h"
#include "windrow/options.h"
#include "windrow/row_store.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

// Tables whose rows are distributed over ranks: the processes of an MPI program, or whatever else
// an Exchange connects. In the library windrow::distributed.
namespace windrow {

namespace internal {
struct BegunTake;
struct RouteState;
struct ShardedState;
class Turns;
}  // namespace internal

// How ranks exchange bytes. All functions but rank() and ranks() are collective: every rank calls
// them in the same order, and each one waits for the others. After an error of one of them the
// exchange must not be used any more. Used by one thread at a time: a program that calls them
// itself lets takes that are under way end before that.
class Exchange {
 public:
  Exchange() = default;
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  virtual ~Exchange() = default;

  // This rank, from 0 on, and the number of ranks, at least 1.
  virtual int rank() const noexcept = 0;
  virtual int ranks() const noexcept = 0;

  // Sends the r-th of ranks() equal parts of `to` to rank r; the r-th part of `from` becomes what
  // rank r sent. The parts have the same length, at least 1, on all ranks, and this rank sends to
  // itself, too. Errors: kIo.
  virtual Status exchange_numbers(std::span<const std::int64_t> to,
                                  std::span<std::int64_t> from) = 0;

  // Sends the bytes to[r] to rank r, and from[r] becomes what rank r sent; both sides give the same
  // length, which may be 0 and above 2^31. Entries of this rank itself are ignored. Errors: kIo.
  virtual Status exchange_bytes(std::span<const std::span<const std::byte>> to,
                                std::span<const std::span<std::byte>> from) = 0;

  // exchange_bytes() and exchange_numbers(), which do not depend on each other: an engine may make
  // both at the same time. One after the other where a class does not say so. Errors: kIo.
  virtual Status exchange_both(std::span<const std::span<const std::byte>> to,
                               std::span<const std::span<std::byte>> from,
                               std::span<const std::int64_t> numbers_to,
                               std::span<std::int64_t> numbers_from) {
    Status status = exchange_bytes(to, from);
    return status ? exchange_numbers(numbers_to, numbers_from) : status;
  }

  // Returns when all ranks have called it. Errors: kIo.
  WINDROW_EXPORT Status barrier();

  // Returns true if another thread may make calls, one at a time, while the program goes on and
  // uses its engine itself. Asked once, on all ranks, by the first ShardedTable::take_async(): an
  // engine may make here what it needs for that. False, as for a class that does not say so: the
  // calls are then made in the caller's thread.
  virtual bool use_threads() noexcept { return false; }

 private:
  friend class internal::Turns;
  std::shared_ptr<internal::Turns> turns_;  // the calls that were begun; null before the first one
};

// Returns true if this library was built with MPI, which make_mpi_exchange() needs.
WINDROW_EXPORT bool has_mpi() noexcept;

struct MpiOptions {
  // The communicator, as MPI_Comm_c2f() gives it. Absent: MPI_COMM_WORLD.
  std::optional<int> communicator = std::nullopt;
  // How long a call waits for the other ranks before it ends the whole program by MPI_Abort, after
  // a message on standard error, at least 1 s. A rank that is still computing keeps the others
  // waiting, too. Absent: calls wait for ever.
  std::optional<std::chrono::seconds> timeout = std::nullopt;
  // Longer messages are sent in pieces of this number of bytes, 1 to 2^31-1.
  std::int64_t piece_bytes = std::int64_t{1} << 30;
};

// An exchange by MPI over a duplicate of the communicator, which the destructor frees. MPI must
// have been initialised, and must be finalised after the exchange is destroyed. Collective. Errors:
// kUnsupported (built without MPI), kInvalidArgument (MPI is not initialised or was finalised; an
// option out of range), kIo.
WINDROW_EXPORT Result<std::unique_ptr<Exchange>> make_mpi_exchange(const MpiOptions& options = {});

// How the rows of a table are distributed.
enum class ShardBy : std::uint8_t {
  kContiguous,  // rank 0 has the first rows, rank 1 the next ones, and so on
  kHash,        // neighbouring rows are on different ranks, and each rank has as many as any other
};

// Where a row stands: as row `row` of the shard of rank `rank`.
struct ShardPlace {
  int rank = 0;
  std::int64_t row = 0;
  friend bool operator==(const ShardPlace&, const ShardPlace&) noexcept = default;
};

// The distribution of the rows of a table. The same on every rank.
class WINDROW_EXPORT ShardMap {
 public:
  // Rank r has rows_of_ranks[r] successive rows. Errors: kInvalidArgument (no rank, a negative
  // number, more than 2^62 rows).
  static Result<ShardMap> contiguous(std::span<const std::int64_t> rows_of_ranks);
  // `rows` rows in an order that depends on nothing but their number, dealt to the ranks in turn:
  // no rank has more than one row more than another. Errors: kInvalidArgument as above.
  static Result<ShardMap> hashed(std::int64_t rows, int ranks);

  ShardBy by() const noexcept { return by_; }
  int ranks() const noexcept { return static_cast<int>(firsts_.size()) - 1; }
  std::int64_t rows() const noexcept { return firsts_.back(); }
  // The number of rows of a rank.
  std::int64_t rows_of(int rank) const noexcept;
  // Where row `row` of the table, in [0, rows()), stands.
  ShardPlace place(std::int64_t row) const noexcept;
  // The row of the table that stands there: the inverse of place().
  std::int64_t row_at(const ShardPlace& place) const noexcept;

 private:
  ShardMap(ShardBy by, std::vector<std::int64_t> firsts) noexcept;
  // A permutation of [0, rows()) and its inverse.
  std::uint64_t scatter(std::uint64_t row) const noexcept;
  std::uint64_t unscatter(std::uint64_t place) const noexcept;

  ShardBy by_;
  // The number of rows before those of each rank, then rows(); by hash, in the permuted order.
  std::vector<std::int64_t> firsts_;
  int bits_ = 0;  // by hash: the fewest that hold every row's number
};

// What this rank has sent to other ranks, and received from them, since the table was made.
struct ShardedStatistics {
  std::int64_t calls = 0;
  std::int64_t sent_id_bytes = 0;   // numbers of rows
  std::int64_t sent_row_bytes = 0;  // rows and updates
  std::int64_t received_id_bytes = 0;
  std::int64_t received_row_bytes = 0;
  // Exchanges, each with at most one message to every other rank; two of them may be made at once.
  std::int64_t rounds = 0;
  std::int64_t messages = 0;  // messages that were sent
  // Sum over this rank's look-ups, but for takes along routes: the different rows of other ranks
  // that each had.
  std::int64_t remote_rows = 0;
  std::int64_t cached_rows = 0;  // of these rows, how many ShardedOptions::remote_cache_bytes kept
};

// Which rows of a table every rank wants, for ShardedTable::take(). Made by
// ShardedTable::plan_take(). Cheap to copy: a copy is the same route. A route that was moved from
// may only be destroyed or assigned to.
class WINDROW_EXPORT TakeRoute {
 public:
  // The shape of the rows that a take along it gives this rank.
  const Shape& shape() const noexcept;

 private:
  friend class ShardedTable;
  explicit TakeRoute(std::shared_ptr<const internal::RouteState> state) noexcept;
  std::shared_ptr<const internal::RouteState> state_;
};

// A take that goes on while the caller computes, by ShardedTable::take_async(). One that was moved
// from may only be destroyed or assigned to. The destructor does not wait: the take is made all the
// same, since other ranks make it, too.
class WINDROW_EXPORT PendingTake {
 public:
  PendingTake(PendingTake&&) noexcept;
  PendingTake& operator=(PendingTake&&) noexcept;
  ~PendingTake();

  // Returns true once the take has ended.
  bool is_ready() const noexcept;
  // Returns when the take has ended.
  void wait() const noexcept;
  // Waits, and gives what ShardedTable::take() gives: once. Errors besides: kInvalidArgument (a
  // second call).
  Result<Tensor> get();

 private:
  friend class ShardedTable;
  // `begun` is null if memory for the take could not be allocated.
  explicit PendingTake(std::unique_ptr<internal::BegunTake> begun) noexcept;
  std::unique_ptr<internal::BegunTake> begun_;
};

struct ShardedOptions {
  ShardBy by = ShardBy::kContiguous;
  // true: shards whose call numbers differ are taken as they are, if all ranks say so; the next
  // call that writes gives all of them one number.
  bool accept_torn = false;
  // The most bytes of memory in which this rank keeps rows of other ranks that its look-ups had, so
  // that they need not travel again: at least kLeastRemoteCache, or 0: none are kept. Ranks may
  // differ in it. Results have the same bits. A call that writes forgets the rows that are kept, on
  // all ranks. Rows that change in another way, in memory that the program shares with its shard,
  // are not seen by ranks that keep them. Takes along a route ask for all rows.
  std::int64_t remote_cache_bytes = 0;
  // The bytes of memory that each rank allocates at its first look-up, and keeps, for the rows that
  // other ranks ask it for: at least 0, and the same on all ranks. Each other rank has an equal
  // share. If no rank asks for more than its share, a look-up needs one exchange less, because the
  // ranks need not agree that they have memory for it.
  std::int64_t reserve_bytes = std::int64_t{1} << 20;
};

// The least memory for rows of other ranks.
inline constexpr std::int64_t kLeastRemoteCache = 64 << 10;

// A table whose rows are distributed over the ranks of an exchange, the shard of each in memory or
// in a store of the rank, such as files.
// All functions without `const` are collective: every rank calls them in the same order with the
// same options, and its own ids, of which there may be none. A call gives every rank the same
// error, if any: that of the lowest rank that has one, with the words "rank 2: " before its
// message; a bad index has its position in that rank's own tensor. After an error of the exchange
// the table answers every further call with that error. Calls, and statistics() and call_numbers(),
// wait for the takes of any table of the exchange that were begun before them, and so does the end
// of a table for its own.
class WINDROW_EXPORT ShardedTable {
 public:
  // Takes this rank's shard, [rows of the rank] ++ row shape, into which writes go; `exchange` must
  // outlive the table. By hash, row i of the shard of rank r is row ShardMap::row_at({r, i}).
  // Collective. Errors, the same on all ranks: kShape and kType (the shards do not fit together),
  // kUnsupported (strings; rows that end within a byte), kInvalidArgument (the ranks give different
  // `by` or are of different versions of this library; by hash, a shard has not the rows of its
  // rank; too little memory for rows of other ranks), kIo, kOutOfMemory.
  static Result<ShardedTable> create(Exchange& exchange, Tensor shard,
                                     const ShardedOptions& options = {});

  // Takes this rank's shard from a store, such as open_shard() in windrow/table.h opens, or the
  // error why there is none, which becomes that of all ranks. Rows are read when they are taken. A
  // call that writes reads the rows that it changes, folds the updates into them in memory, and
  // gives them to the store when every rank has done so: a process that ends leaves each shard as
  // it was before the call or as it is after it. If a store then refuses them, that is the error of
  // all ranks, and of every further call of this table. Each such call has a number, the same on
  // all ranks, which a store keeps with the rows. Some ranks may call create() meanwhile, for a
  // shard in memory. Collective. Errors, the same on all ranks: those of create(); kIo (the call
  // numbers of shards differ: a call was made by some ranks only).
  static Result<ShardedTable> open(Exchange& exchange, Result<std::unique_ptr<RowStore>> shard,
                                   const ShardedOptions& options = {});

  ShardedTable(ShardedTable&&) noexcept;
  ShardedTable& operator=(ShardedTable&&) noexcept;
  ~ShardedTable();

  DType dtype() const noexcept;
  // The shape of the whole table.
  const Shape& shape() const noexcept;
  // Type and shape of the whole table.
  TensorSpec spec() const;
  const ShardMap& map() const noexcept;
  // This rank's rows; absent if they are in a store. Valid until the table is destroyed.
  TensorView shard() const noexcept;
  // Of each rank the number of the last call that wrote to its shard, 0 if there was none, -1 if
  // the shard keeps none, as in memory.
  std::span<const std::int64_t> call_numbers() const noexcept;

  // The rows of this rank's ids: ids.shape ++ shape()[1:], what array::take() gives of the whole
  // table, with its policies and errors. Each row that a rank asks for travels to it once, however
  // often its ids name the row, and not at all if the rank has kept it
  // (ShardedOptions::remote_cache_bytes). Ids are read once. Errors besides: kIo.
  Result<Tensor> take(const TensorView& ids, const CallOptions& options = {},
                      Threads* threads = nullptr);

  // Begins take(): the caller goes on, and get() of what is returned waits for the rows. A take has
  // its place in the order of calls when it is begun, so it gives the rows as they are before a
  // later call that writes. The memory of `ids` must stay as it is until the take has ended, and
  // `threads` must not be used meanwhile unless it allows that. Where the exchange knows no other
  // threads (Exchange::use_threads()), the rows are there when this returns.
  PendingTake take_async(const TensorView& ids, const CallOptions& options = {},
                         Threads* threads = nullptr);

  // Checks ids and exchanges them, once for any number of takes: all that take(ids, options) does
  // before rows travel, with its errors. The route keeps two numbers for each different row, and
  // one for each id.
  Result<TakeRoute> plan_take(const TensorView& ids, const CallOptions& options = {});
  // The rows as they are now of the ids of which the route was made, the same route on every rank:
  // what take() gives, in two exchanges instead of four or five. Errors: kInvalidArgument (a route
  // of another table), kIo, kOutOfMemory.
  Result<Tensor> take(const TakeRoute& route, Threads* threads = nullptr);

  // Rows pooled by bags of this rank's ids, what array::embedding_bag() gives of the whole table,
  // with its bits and errors: ids [n] with offsets [bags], or ids [bags, n] with a default view,
  // weights of the shape of ids or a default view -> [bags] ++ shape()[1:]. Rows travel as for
  // take() and are pooled where they are wanted. Inputs are read once. Errors besides: kIo.
  Result<Tensor> embedding_bag(const TensorView& ids, const TensorView& offsets,
                               const TensorView& weights, const array::EmbeddingBag& op = {},
                               const CallOptions& options = {}, Threads* threads = nullptr);

  // array::index_add() on the whole table in place, with the updates of rank 0, then those of rank
  // 1, and so on, each in row-major order: the same bits as that call, for any number of ranks and
  // threads. ids [n], updates [n] ++ shape()[1:] of dtype(). All ids of all ranks are checked
  // before a shard changes. Of the updates of a row on one rank only their sum travels where it has
  // the same bits in any order: integers and bools. Errors besides those of that operator:
  // kUnsupported (duplicates that are refused; a store that was opened for reading), kIo.
  Status index_add(const TensorView& ids, const TensorView& updates,
                   const CallOptions& options = {}, Threads* threads = nullptr);
  // array::index_reduce(), in the same way; op.axis must be 0 (kInvalidArgument). What travels is
  // combined on its rank for products of integers and bools, and for minima and maxima of any type.
  Status index_reduce(const TensorView& ids, const TensorView& updates,
                      const array::IndexReduce& op, const CallOptions& options = {},
                      Threads* threads = nullptr);
  // Row ids[i] becomes rows[i]; of equal ids the last one of the highest rank wins. Shapes and
  // errors as for index_add().
  Status assign(const TensorView& ids, const TensorView& rows, const CallOptions& options = {},
                Threads* threads = nullptr);

  // Returns true if any rank says so: for loops of collective calls, of which ranks have different
  // numbers. Collective.
  Result<bool> any(bool own);

  // Takes part in whatever call the other ranks make with an error of this rank, which must not be
  // ok: for a caller that cannot give its arguments, so that the others need not wait for it.
  // Returns the error that all of them get.
  Status fail(const Status& own);

  ShardedStatistics statistics() const noexcept;

 private:
  explicit ShardedTable(std::unique_ptr<internal::ShardedState> state) noexcept;
  // Waits for what was begun and counts a call.
  internal::ShardedState& begin_call() noexcept;
  std::unique_ptr<internal::ShardedState> state_;
};

}  // namespace windrow

#endif  // WINDROW_DISTRIBUTED_H_
