#include "src/operators/left_out.h"

#include <algorithm>
#include <vector>

#include "src/access/evaluate.h"
#include "src/base/integers.h"

namespace windrow::internal {
namespace {

std::optional<std::int64_t> count_to(std::int64_t last) noexcept {
  return checked_add(std::max<std::int64_t>(last, -1), 1);
}

}  // namespace

std::optional<std::int64_t> count_by_last_id(std::span<const TensorView> inputs,
                                             int ids_input) noexcept {
  if (ids_input < 0 || static_cast<std::size_t>(ids_input) >= inputs.size()) return std::nullopt;
  const TensorView& ids = inputs[static_cast<std::size_t>(ids_input)];
  const bool are_ids = ids.dtype == DType::kInt32 || ids.dtype == DType::kInt64;
  if (!are_ids || ids.shape.rank() != 1) return std::nullopt;
  const std::int64_t count = ids.shape[0];
  if (count == 0) return 0;
  if (count < 0 || ids.data == nullptr || ids.strides.rank() != 1) return std::nullopt;
  if (!checked_mul(count - 1, ids.strides[0])) return std::nullopt;
  return count_to(read_index_at(ids, count - 1));
}

KnownValue count_by_last_id(const SymbolicShape& dims, const KnownValue& ids) {
  if (!dims || dims->size() != 1) return std::nullopt;
  std::optional<std::int64_t> count;
  if (dims->front().value == 0) count = 0;
  if (ids && !ids->empty()) count = count_to(ids->back());
  return count ? KnownValue(std::vector<std::int64_t>{*count}) : std::nullopt;
}

}  // namespace windrow::internal
