#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "src/operators/checked_indices.h"
#include "src/tables/distinct_rows.h"
#include "src/tables/in_memory.h"
#include "windrow/array.h"
#include "windrow/table.h"

namespace windrow {
namespace internal {
namespace {

// What a pooled look-up reads, all of it checked.
struct BagInputs {
  Tensor ids;      // n, a copy
  Tensor starts;   // int64 [bags + 1]: the id with which each bag begins
  Tensor weights;  // n, a copy, or absent
  array::EmbeddingBag op;
};

// Bags that follow each other, by number.
struct BagGroup {
  std::int64_t first = 0;
  std::int64_t end = 0;
};

// As many bags as have `most` ids together, at least one.
BagGroup group_from(std::span<const std::int64_t> starts, std::int64_t first, std::int64_t most) {
  const auto begin = starts.begin() + first;
  const auto past = std::upper_bound(begin + 1, starts.end(), *begin + most);
  return {first, std::max(first + 1, past - starts.begin() - 1)};
}

// Elements [first, first + count), in row-major order, as a tensor of rank 1.
TensorView elements_of(const Tensor& tensor, std::int64_t first, std::int64_t count) {
  const std::int64_t width = dtype_bits(tensor.dtype()) / 8;
  return {tensor.dtype(), {count}, static_cast<const std::byte*>(tensor.data()) + first * width};
}

// The offsets of a group in its own ids, int64 [bags + 1].
Result<Tensor> offsets_of(std::span<const std::int64_t> starts, const BagGroup& group) {
  auto offsets = Tensor::allocate(DType::kInt64, {group.end - group.first + 1});
  if (!offsets) return offsets;
  auto* const numbers = static_cast<std::int64_t*>(offsets->data());
  for (std::int64_t bag = group.first; bag <= group.end; ++bag)
    numbers[bag - group.first] = starts[bag] - starts[group.first];
  return offsets;
}

class BagReader {
 public:
  BagReader(const Table& table, const BagInputs& inputs, const CallOptions& options,
            const RunOptions& run)
      : table_(table), inputs_(inputs), options_(options), run_(run) {
    run_.fresh_output = false;
  }

  // Reads the rows of a group once each and folds them into their rows of `out`.
  Status pool(const BagGroup& group, const MutableTensorView& out) const {
    const std::span<const std::int64_t> starts = inputs_.starts.values<std::int64_t>();
    const std::int64_t first = starts[group.first];
    const std::int64_t count = starts[group.end] - first;
    const auto distinct =
        distinct_rows(table_.shape()[0], elements_of(inputs_.ids, first, count), options_, run_);
    if (!distinct) return distinct.error();
    const auto rows = table_.take(distinct->rows, {}, {}, run_);
    if (!rows) return rows.error();
    const auto offsets = offsets_of(starts, group);
    if (!offsets) return offsets.error();
    const TensorView weights = inputs_.weights.dtype() == DType::kAbsent
                                   ? TensorView()
                                   : elements_of(inputs_.weights, first, count);
    return fold({*rows, distinct->places, *offsets, weights}, out);
  }

 private:
  // An id that is left out has the place -1.
  Status fold(const std::array<TensorView, 4>& inputs, const MutableTensorView& out) const {
    array::EmbeddingBag op = inputs_.op;
    op.include_last_offset = true;
    CallOptions local;
    local.out_of_range = OutOfRange::kSkip;
    local.negative = NegativeIndex::kOutOfRange;
    local.kernels = options_.kernels;
    const auto plan = compile(
        op, {inputs[0].spec(), inputs[1].spec(), inputs[2].spec(), inputs[3].spec()}, local);
    if (!plan) return plan.error();
    return plan->run(inputs, out, run_);
  }

  const Table& table_;
  const BagInputs& inputs_;
  const CallOptions& options_;
  RunOptions run_;
};

// Offsets are checked first, as in memory.
Result<BagInputs> read_inputs(const Plan& plan, const array::EmbeddingBag& op,
                              const std::array<TensorView, 4>& given, const RunOptions& run) {
  BagInputs inputs;
  inputs.op = op;
  auto starts = bag_starts(plan, given, run);
  if (!starts) return starts.error();
  inputs.starts = *std::move(starts);
  auto ids = copy_of_input(plan, 1, given[1]);
  if (!ids) return ids.error();
  inputs.ids = *std::move(ids);
  auto weights = copy_of_input(plan, 3, given[3]);
  if (!weights) return weights.error();
  inputs.weights = *std::move(weights);
  const std::array<TensorView, 4> own = {TensorView(), inputs.ids, given[2], inputs.weights};
  if (Status status = check_indices(plan, own, run); !status) return status;
  return inputs;
}

// Bags of `out` in groups whose rows have kTableBagBytes.
Status pool_all(const Table& table, const BagInputs& inputs, const CallOptions& options,
                const RunOptions& run, const MutableTensorView& out) {
  const BagReader reader(table, inputs, options, run);
  Shape row = table.shape();
  row[0] = 1;
  const std::int64_t row_bytes = dense_byte_count(table.dtype(), row).value_or(0);
  const std::int64_t most = kTableBagBytes / std::max<std::int64_t>(row_bytes, 1);
  const std::span<const std::int64_t> starts = inputs.starts.values<std::int64_t>();
  const std::int64_t bags = out.shape[0];
  for (BagGroup group; group.end < bags;) {
    group = group_from(starts, group.end, most);
    MutableTensorView part = out;
    part.shape[0] = group.end - group.first;
    part.data = static_cast<std::byte*>(out.data) + group.first * out.strides[0];
    if (Status status = reader.pool(group, part); !status) return status;
  }
  return {};
}

}  // namespace
}  // namespace internal

Status Table::embedding_bag(const TensorView& ids, const TensorView& offsets,
                            const TensorView& weights, const MutableTensorView& out,
                            const array::EmbeddingBag& op, const CallOptions& options,
                            const RunOptions& run) const {
  return internal::in_memory([&]() -> Status {
    const auto plan = compile(op, {spec(), ids.spec(), offsets.spec(), weights.spec()}, options);
    if (!plan) return plan.error();
    if (Status status = internal::check_output_of(*plan, out); !status) return status;
    const auto inputs =
        internal::read_inputs(*plan, op, {TensorView(), ids, offsets, weights}, run);
    if (!inputs) return inputs.error();
    return internal::pool_all(*this, *inputs, options, run, out);
  });
}

Result<Tensor> Table::embedding_bag(const TensorView& ids, const TensorView& offsets,
                                    const TensorView& weights, const array::EmbeddingBag& op,
                                    const CallOptions& options, const RunOptions& run) const {
  return internal::in_memory([&]() -> Result<Tensor> {
    const auto plan = compile(op, {spec(), ids.spec(), offsets.spec(), weights.spec()}, options);
    if (!plan) return plan.error();
    auto out = Tensor::allocate(plan->result().dtype, plan->result().shape);
    if (!out) return internal::no_memory();
    const Status status =
        embedding_bag(ids, offsets, weights, out->mutable_view(), op, options, run);
    if (!status) return status;
    return out;
  });
}

}  // namespace windrow
