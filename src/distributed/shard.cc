#include "src/distributed/shard.h"

#include "src/distributed/sharded_state.h"

namespace windrow::internal {

Status FoldRun::allocate(const ShardUpdates& given, const TensorSpec& data, const TensorView& ids) {
  ids_ = ids;
  if (given.fold->has_columns)
    for (int axis = 1; axis < data.shape.rank(); ++axis) ids_.shape.push_back(1);
  ids_ = TensorView(ids.dtype, ids_.shape, ids.data);
  updates_ = given.updates;
  threads_ = given.threads;
  auto plan = given.fold->compile(data, ids_.spec(), updates_.spec(), given.options);
  if (!plan) return plan.error();
  plan_ = *std::move(plan);
  const int threads = threads_ == nullptr ? 1 : threads_->count();
  const auto bytes = static_cast<std::int64_t>(plan_->scratch_bytes(threads));
  return keep(Tensor::allocate(DType::kUint8, {bytes}), scratch_);
}

Status FoldRun::run(const MutableTensorView& data) {
  RunOptions run;
  run.threads = threads_;
  run.scratch = scratch_.data();
  run.scratch_bytes = static_cast<std::size_t>(scratch_.byte_count());
  return plan_->run({TensorView(data), ids_, updates_}, data, run);
}

}  // namespace windrow::internal
