#include "src/operators/distinct_rows.h"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "src/operators/row_numbers.h"
#include "src/operators/taken_rows.h"

namespace windrow::internal {
namespace {

std::span<std::int64_t> numbers_of(Tensor& tensor) {
  return {static_cast<std::int64_t*>(tensor.data()),
          static_cast<std::size_t>(tensor.element_count())};
}

}  // namespace

Result<DistinctRows> distinct_rows(std::int64_t table_rows, const TensorView& ids,
                                   const CallOptions& options, const RunOptions& run) {
  auto numbers = row_numbers(table_rows, ids, options, run);
  if (!numbers) return numbers.error();
  const std::span<std::int64_t> places = numbers_of(*numbers);
  std::vector<std::int64_t> sorted(places.begin(), places.end());
  std::erase(sorted, kZeroRow);
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  for (std::int64_t& place : places) {
    if (place == kZeroRow) continue;
    place = std::lower_bound(sorted.begin(), sorted.end(), place) - sorted.begin();
  }
  auto rows = Tensor::allocate(DType::kInt64, {static_cast<std::int64_t>(sorted.size())});
  if (!rows) return rows.error();
  std::copy(sorted.begin(), sorted.end(), numbers_of(*rows).begin());
  return DistinctRows{*std::move(rows), *std::move(numbers)};
}

Result<Tensor> last_updates(const DistinctRows& written) {
  auto last = Tensor::allocate(DType::kInt64, written.rows.shape());
  if (!last) return last;
  const std::span<std::int64_t> places = numbers_of(*last);
  const std::span<const std::int64_t> updates = written.places.values<std::int64_t>();
  for (std::size_t i = 0; i < updates.size(); ++i)
    if (updates[i] != kZeroRow)
      places[static_cast<std::size_t>(updates[i])] = static_cast<std::int64_t>(i);
  return last;
}

}  // namespace windrow::internal
