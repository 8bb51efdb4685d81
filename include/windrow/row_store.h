#ifndef WINDROW_ROW_STORE_H_
#define WINDROW_ROW_STORE_H_

#include <cstdint>
#include <optional>

#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow {

// Rows that are not in memory: what a rank can give as its shard (ShardedTable::open() in
// windrow/distributed.h). open_shard() in windrow/table.h makes one of files. Used by one thread at
// a time.
class RowStore {
 public:
  RowStore() = default;
  RowStore(const RowStore&) = delete;
  RowStore& operator=(const RowStore&) = delete;
  virtual ~RowStore() = default;

  // Type and shape, [rows] ++ the shape of a row.
  virtual TensorSpec spec() const = 0;
  // The number of the last call that wrote, 0 if there was none. Absent: the store keeps none.
  virtual std::optional<std::int64_t> call_number() const = 0;
  // Returns ok if write() can be called. Errors: kUnsupported (opened for reading).
  virtual Status check_writable() const = 0;

  // Row ids[i] becomes row i of `to`, which is row-major. `ids`, int32 or int64 [n], are rows, and
  // may repeat. Errors: kIo, kFormat, kOutOfMemory.
  virtual Status take(const TensorView& ids, const MutableTensorView& to,
                      const CallOptions& options) = 0;
  // Row rows[i] becomes row i of `values`, and call_number() becomes `number`, at least 1: all of
  // it or nothing, whenever the process ends. `rows`, int64 [n], ascend without repeats. After an
  // error nothing was written, or the error says when the call will be completed.
  virtual Status write(const Tensor& rows, const TensorView& values, std::int64_t number) = 0;
};

}  // namespace windrow

#endif  // WINDROW_ROW_STORE_H_
