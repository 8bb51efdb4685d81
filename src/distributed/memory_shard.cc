#include <utility>

#include "src/distributed/shard.h"
#include "src/distributed/sharded_state.h"

// Rows in memory: updates are folded into them in place.
namespace windrow::internal {
namespace {

class MemoryWrite final : public ShardWrite {
 public:
  MemoryWrite(Tensor& rows, const ShardUpdates& updates) : rows_(rows), updates_(updates) {}

  Status prepare() override { return run_.allocate(updates_, rows_.spec(), updates_.ids); }
  Status fold() override { return {}; }
  Status commit(std::int64_t) override {
    if (updates_.ids.shape[0] == 0) return {};
    return run_.run(rows_.mutable_view());
  }

 private:
  Tensor& rows_;
  ShardUpdates updates_;
  FoldRun run_;
};

class MemoryShard final : public Shard {
 public:
  explicit MemoryShard(Tensor rows) : rows_(std::move(rows)) {}

  TensorSpec spec() const override { return rows_.spec(); }
  TensorView view() const override { return rows_.view(); }
  std::optional<std::int64_t> call_number() const override { return std::nullopt; }
  Status check_writable() const override { return {}; }
  Status take(const TensorView& ids, const MutableTensorView& to, const CallOptions& options,
              Threads* threads) override {
    return take_rows(rows_, ids.dtype, static_cast<const std::byte*>(ids.data), ids.shape[0],
                     static_cast<std::byte*>(to.data), options, threads);
  }
  std::unique_ptr<ShardWrite> write(const ShardUpdates& updates) override {
    return std::make_unique<MemoryWrite>(rows_, updates);
  }

 private:
  Tensor rows_;
};

}  // namespace

std::unique_ptr<Shard> make_memory_shard(Tensor rows) {
  return std::make_unique<MemoryShard>(std::move(rows));
}

}  // namespace windrow::internal
