#include "src/tables/row_writes.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>
#include <vector>

#include "src/operators/taken_rows.h"
#include "windrow/array.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kLeftOut = -1;
static_assert(kLeftOut == kZeroRow);

// Notes for each index of a gather from bytes, one to a row of the table, which row it takes.
class RowNumbers final : public RowVisitor {
 public:
  RowNumbers(const std::byte* first, std::span<std::int64_t> numbers)
      : first_(first), numbers_(numbers) {}

  bool visit(const TakenRows& rows) override {
    std::int64_t place = rows.to - first_;
    for (const std::int64_t from : rows.from) {
      numbers_[static_cast<std::size_t>(place)] = from;
      place += rows.step;
    }
    return true;
  }

 private:
  const std::byte* first_;
  std::span<std::int64_t> numbers_;
};

std::span<std::int64_t> numbers_of(Tensor& tensor) {
  return {static_cast<std::int64_t*>(tensor.data()),
          static_cast<std::size_t>(tensor.element_count())};
}

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
  RowNumbers visitor(static_cast<const std::byte*>(out->data()), numbers_of(*numbers));
  const std::array<TensorView, 2> inputs = {TensorView(), ids};
  RunOptions options_of_run;
  options_of_run.interrupt = run.interrupt;
  if (Status status = visit_rows(*plan, inputs, out->mutable_view(), options_of_run, visitor);
      !status)
    return status;
  return numbers;
}

}  // namespace

Result<WrittenRows> written_rows(std::int64_t table_rows, const TensorView& ids,
                                 const CallOptions& options, const RunOptions& run) {
  auto numbers = row_numbers(table_rows, ids, options, run);
  if (!numbers) return numbers.error();
  const std::span<std::int64_t> updates = numbers_of(*numbers);
  std::vector<std::int64_t> sorted(updates.begin(), updates.end());
  std::erase(sorted, kLeftOut);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::int64_t& update : updates) {
    if (update == kLeftOut) continue;
    update = std::lower_bound(sorted.begin(), sorted.end(), update) - sorted.begin();
  }
  auto rows = Tensor::allocate(DType::kInt64, {static_cast<std::int64_t>(sorted.size())});
  if (!rows) return rows.error();
  std::copy(sorted.begin(), sorted.end(), numbers_of(*rows).begin());
  return WrittenRows{*std::move(rows), *std::move(numbers)};
}

Result<Tensor> last_updates(const WrittenRows& written) {
  auto last = Tensor::allocate(DType::kInt64, written.rows.shape());
  if (!last) return last;
  const std::span<std::int64_t> places = numbers_of(*last);
  const std::span<const std::int64_t> updates = written.updates.values<std::int64_t>();
  for (std::size_t i = 0; i < updates.size(); ++i)
    if (updates[i] != kLeftOut)
      places[static_cast<std::size_t>(updates[i])] = static_cast<std::int64_t>(i);
  return last;
}

}  // namespace windrow::internal
