#include "src/operators/row_numbers.h"

#include <array>
#include <cstddef>
#include <span>

#include "src/operators/taken_rows.h"
#include "windrow/array.h"

namespace windrow::internal {
namespace {

// Notes for each index of a gather from bytes, one to a row of the table, which row it takes.
class RowNumbers final : public RowVisitor {
 public:
  RowNumbers(const std::byte* first, std::int64_t* numbers) : first_(first), numbers_(numbers) {}

  bool visit(const TakenRows& rows) override {
    std::int64_t place = rows.to - first_;
    for (const std::int64_t from : rows.from) {
      numbers_[place] = from;
      place += rows.step;
    }
    return true;
  }

 private:
  const std::byte* first_;
  std::int64_t* numbers_;
};

}  // namespace

Result<Tensor> row_numbers(std::int64_t table_rows, const TensorView& ids,
                           const CallOptions& options, const RunOptions& run) {
  CallOptions gather;
  gather.out_of_range = options.out_of_range;
  gather.negative = options.negative;
  gather.padding_index = options.padding_index;
  if (gather.out_of_range == OutOfRange::kSkip) gather.out_of_range = OutOfRange::kZero;
  const std::array<TensorSpec, 2> specs = {TensorSpec{DType::kUint8, {table_rows}, {}, {}},
                                           ids.spec()};
  const auto plan = compile(array::Take{}, specs, gather);
  if (!plan) return plan.error();
  auto out = Tensor::allocate(DType::kUint8, ids.shape);
  if (!out) return out;
  auto numbers = Tensor::allocate(DType::kInt64, ids.shape);
  if (!numbers) return numbers;
  RowNumbers visitor(static_cast<const std::byte*>(out->data()),
                     static_cast<std::int64_t*>(numbers->data()));
  const std::array<TensorView, 2> inputs = {TensorView(), ids};
  RunOptions options_of_run;
  options_of_run.interrupt = run.interrupt;
  if (Status status = visit_rows(*plan, inputs, out->mutable_view(), options_of_run, visitor);
      !status)
    return status;
  return numbers;
}

}  // namespace windrow::internal
