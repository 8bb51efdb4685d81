#include <utility>

#include "src/distributed/shard.h"
#include "src/distributed/sharded_state.h"
#include "src/operators/distinct_rows.h"

// Rows in a store, such as files: the rows that a call writes come into memory, updates are folded
// into them there, and the store gets them back at once.
namespace windrow::internal {
namespace {

class StoredWrite final : public ShardWrite {
 public:
  StoredWrite(RowStore& store, const ShardUpdates& updates) : store_(store), updates_(updates) {}

  Status prepare() override { return {}; }
  Status fold() override {
    const TensorSpec shard = store_.spec();
    if (Status status = keep(distinct_rows(shard.shape[0], updates_.ids, {}, {}), written_);
        !status)
      return status;
    Shape shape = shard.shape;
    shape[0] = written_.rows.shape()[0];
    if (Status status = keep(Tensor::allocate(shard.dtype, shape), values_); !status) return status;
    if (shape[0] == 0) return {};
    if (!updates_.fold->overwrites)
      if (Status status = store_.take(written_.rows, values_.mutable_view(), updates_.options);
          !status)
        return status;
    FoldRun run;
    if (Status status = run.allocate(updates_, values_.spec(), written_.places); !status)
      return status;
    return run.run(values_.mutable_view());
  }
  Status commit(std::int64_t number) override {
    return store_.write(written_.rows, values_, number);
  }

 private:
  RowStore& store_;
  ShardUpdates updates_;
  DistinctRows written_;
  Tensor values_;  // of the rows, after the call
};

class StoredShard final : public Shard {
 public:
  explicit StoredShard(std::unique_ptr<RowStore> store) : store_(std::move(store)) {}

  TensorSpec spec() const override { return store_->spec(); }
  TensorView view() const override { return {}; }
  std::optional<std::int64_t> call_number() const override { return store_->call_number(); }
  Status check_writable() const override { return store_->check_writable(); }
  Status take(const TensorView& ids, const MutableTensorView& to, const CallOptions& options,
              Threads*) override {
    return ids.shape[0] == 0 ? Status() : store_->take(ids, to, options);
  }
  std::unique_ptr<ShardWrite> write(const ShardUpdates& updates) override {
    return std::make_unique<StoredWrite>(*store_, updates);
  }

 private:
  std::unique_ptr<RowStore> store_;
};

}  // namespace

std::unique_ptr<Shard> make_stored_shard(std::unique_ptr<RowStore> store) {
  return std::make_unique<StoredShard>(std::move(store));
}

}  // namespace windrow::internal
