#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "src/operators/bags.h"
#include "src/operators/checked_indices.h"
#include "src/operators/distinct_rows.h"
#include "src/tables/in_memory.h"
#include "windrow/array.h"
#include "windrow/table.h"

namespace windrow {
namespace internal {
namespace {

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
  BagReader(const Table& table, const array::EmbeddingBag& op, const BagInputs& inputs,
            const CallOptions& options, const RunOptions& run)
      : table_(table), op_(op), inputs_(inputs), options_(options), run_(run) {
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
    return pool_rows(op_, {*rows, distinct->places, *offsets, weights}, options_, run_, out);
  }

 private:
  const Table& table_;
  const array::EmbeddingBag& op_;
  const BagInputs& inputs_;
  const CallOptions& options_;
  RunOptions run_;
};

// Bags of `out` in groups whose rows have kTableBagBytes.
Status pool_all(const Table& table, const array::EmbeddingBag& op, const BagInputs& inputs,
                const CallOptions& options, const RunOptions& run, const MutableTensorView& out) {
  const BagReader reader(table, op, inputs, options, run);
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

Result<Plan> plan_of_bags(const Table& table, const array::EmbeddingBag& op,
                          const std::array<TensorView, 4>& given, const CallOptions& options) {
  return compile(op, {table.spec(), given[1].spec(), given[2].spec(), given[3].spec()}, options);
}

// A run of the plan on the table, from the first check on.
Status pool_by_plan(const Plan& plan, const Table& table, const array::EmbeddingBag& op,
                    const std::array<TensorView, 4>& given, const CallOptions& options,
                    const RunOptions& run, const MutableTensorView& out) {
  const auto inputs = read_bags(plan, given, run);
  if (!inputs) return inputs.error();
  return pool_all(table, op, *inputs, options, run, out);
}

}  // namespace
}  // namespace internal

Status Table::embedding_bag(const TensorView& ids, const TensorView& offsets,
                            const TensorView& weights, const MutableTensorView& out,
                            const array::EmbeddingBag& op, const CallOptions& options,
                            const RunOptions& run) const {
  return internal::in_memory([&]() -> Status {
    const std::array<TensorView, 4> given = {TensorView(), ids, offsets, weights};
    const auto plan = internal::plan_of_bags(*this, op, given, options);
    if (!plan) return plan.error();
    if (Status status = internal::check_output_of(*plan, out); !status) return status;
    return internal::pool_by_plan(*plan, *this, op, given, options, run, out);
  });
}

Result<Tensor> Table::embedding_bag(const TensorView& ids, const TensorView& offsets,
                                    const TensorView& weights, const array::EmbeddingBag& op,
                                    const CallOptions& options, const RunOptions& run) const {
  return internal::in_memory([&]() -> Result<Tensor> {
    const std::array<TensorView, 4> given = {TensorView(), ids, offsets, weights};
    const auto plan = internal::plan_of_bags(*this, op, given, options);
    if (!plan) return plan.error();
    auto out = Tensor::allocate(plan->result().dtype, plan->result().shape);
    if (!out) return internal::no_memory();
    const Status status =
        internal::pool_by_plan(*plan, *this, op, given, options, run, out->mutable_view());
    if (!status) return status;
    return out;
  });
}

}  // namespace windrow
