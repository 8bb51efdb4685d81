#include "src/distributed/sharded_state.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "windrow/array.h"

namespace windrow::internal {

std::int64_t call_tag(std::string_view call, const CallOptions& options) {
  std::string text(call);
  const auto add = [&](std::int64_t number) { text += " " + std::to_string(number); };
  add(options.out_of_range ? static_cast<std::int64_t>(*options.out_of_range) : -1);
  add(options.negative ? static_cast<std::int64_t>(*options.negative) : -1);
  add(options.padding_index ? 1 : 0);
  add(options.padding_index.value_or(0));
  add(options.strict ? 1 : 0);
  add(static_cast<std::int64_t>(options.duplicates));
  // FNV-1a: the same on every machine.
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char letter : text)
    hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3u;
  return static_cast<std::int64_t>(hash);
}

Status no_memory_to_agree() {
  return Status(ErrorCode::kOutOfMemory,
                "a distributed table: not enough memory to tell other ranks that there is none");
}

Status ShardedState::allocate_reserve() {
  if (reserve.ids_at != nullptr) return {};
  const std::int64_t others = std::max(link.ranks() - 1, 1);
  const std::int64_t rows = reserve.bytes / others / (id_bytes() + row_bytes);
  Reserve made;
  made.bytes = reserve.bytes;
  made.rows_of_pair = rows;
  if (Status status = keep(Tensor::allocate(id_type, {rows * others}), made.ids); !status)
    return status;
  if (Status status = keep(Tensor::allocate(dtype, rows_shape(rows * others)), made.rows); !status)
    return status;
  made.ids_at = made.ids.data();
  made.rows_at = made.rows.data();
  reserve = std::move(made);
  return {};
}

Status take_rows(const TensorView& data, DType id_type, const std::byte* ids, std::int64_t count,
                 std::byte* to, const CallOptions& options, Threads* threads) {
  if (count == 0) return {};
  Shape shape = data.shape;
  shape[0] = count;
  const TensorView indices(id_type, {count}, ids);
  CallOptions local;
  local.kernels = options.kernels;
  const auto plan = compile(array::Take{}, {data.spec(), indices.spec()}, local);
  if (!plan) return plan.error();
  RunOptions run;
  run.threads = threads;
  return plan->run({data, indices}, {data.dtype, shape, to}, run);
}

std::int64_t sum_of(std::span<const std::int64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::int64_t{0});
}

Status check_memory(const TensorView& view, std::string_view what) {
  if (view.data != nullptr || element_count(view.shape).value_or(0) == 0) return {};
  return Status(ErrorCode::kInvalidArgument,
                "a distributed table: " + std::string(what) + " have no memory");
}

}  // namespace windrow::internal
