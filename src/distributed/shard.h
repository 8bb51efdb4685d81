#ifndef WINDROW_DISTRIBUTED_SHARD_H_
#define WINDROW_DISTRIBUTED_SHARD_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "windrow/options.h"
#include "windrow/plan.h"
#include "windrow/row_store.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/threads.h"

// The rows of one rank, wherever they are. Twins: memory_shard.cc, stored_shard.cc.
namespace windrow::internal {

// What a call that writes does with updates.
struct UpdateFold {
  // The operator on `data`, of which `ids`, [n], are rows. If `has_columns`, its ids have the rank
  // of `data`, with extents of 1 behind the first axis.
  std::function<Result<Plan>(const TensorSpec& data, const TensorSpec& ids,
                             const TensorSpec& updates, const CallOptions& options)>
      compile;
  bool has_columns = false;
  bool overwrites = false;  // what a row was before does not matter
};

// The updates that one call has for a shard. All of it must stay until the call has ended.
struct ShardUpdates {
  const UpdateFold* fold = nullptr;
  TensorView ids;       // [n]: rows of the shard
  TensorView updates;   // [n] ++ the shape of a row
  CallOptions options;  // how kernels are chosen
  Threads* threads = nullptr;
};

// A fold with all the memory that it uses.
class FoldRun {
 public:
  // Compiles `given.fold` for `data` and `ids`, which replace the ids of `given`. Errors: those of
  // compile(), kOutOfMemory.
  Status allocate(const ShardUpdates& given, const TensorSpec& data, const TensorView& ids);
  // Folds the updates into `data`.
  Status run(const MutableTensorView& data);

 private:
  std::optional<Plan> plan_;
  TensorView ids_;
  TensorView updates_;
  Threads* threads_ = nullptr;
  Tensor scratch_;
};

// A call that writes to a shard, in three steps. The last one alone changes the shard.
class ShardWrite {
 public:
  ShardWrite() = default;
  ShardWrite(const ShardWrite&) = delete;
  ShardWrite& operator=(const ShardWrite&) = delete;
  virtual ~ShardWrite() = default;

  // Makes all that can be made before the ids and the updates are in their memory.
  virtual Status prepare() = 0;
  // Makes the rest, when they are.
  virtual Status fold() = 0;
  // Changes the shard; `number`: of the call.
  virtual Status commit(std::int64_t number) = 0;
};

class Shard {
 public:
  Shard() = default;
  Shard(const Shard&) = delete;
  Shard& operator=(const Shard&) = delete;
  virtual ~Shard() = default;

  // Type and shape, [rows] ++ the shape of a row.
  virtual TensorSpec spec() const = 0;
  // The rows; absent if they are not in memory.
  virtual TensorView view() const = 0;
  // RowStore::call_number(); absent for rows in memory.
  virtual std::optional<std::int64_t> call_number() const = 0;
  // RowStore::check_writable()
  virtual Status check_writable() const = 0;
  // Row ids[i] becomes row i of `to`, which is row-major; `ids` [n] are rows.
  virtual Status take(const TensorView& ids, const MutableTensorView& to,
                      const CallOptions& options, Threads* threads) = 0;
  virtual std::unique_ptr<ShardWrite> write(const ShardUpdates& updates) = 0;
};

std::unique_ptr<Shard> make_memory_shard(Tensor rows);
// `store` must not be null.
std::unique_ptr<Shard> make_stored_shard(std::unique_ptr<RowStore> store);

}  // namespace windrow::internal

#endif  // WINDROW_DISTRIBUTED_SHARD_H_
