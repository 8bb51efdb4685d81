#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "src/operators/checked_indices.h"
#include "src/operators/distinct_rows.h"
#include "src/operators/taken_rows.h"
#include "src/tables/in_memory.h"
#include "src/tables/table_state.h"
#include "windrow/array.h"
#include "windrow/table.h"

namespace windrow {
namespace internal {
namespace {

constexpr std::array<std::string_view, 2> kDurabilityNames = {"power", "process"};

Status check_writable(const TableState& state) {
  if (state.writer() != nullptr) return {};
  return Status(ErrorCode::kUnsupported,
                "a table on disk that was opened for reading is not written to: open it as "
                "writable");
}

// The types and shapes of assign(), which has no operator of its own.
Status check_assigned(const TensorSpec& table, const TensorView& ids, const TensorView& rows) {
  if (ids.shape.rank() != 1)
    return Status(ErrorCode::kShape, "assign to a table on disk: ids have shape " +
                                         to_string(ids.shape) + ", must have one axis");
  if (rows.dtype != table.dtype)
    return Status(ErrorCode::kType, "assign to a table on disk: rows have type " +
                                        std::string(dtype_name(rows.dtype)) + ", the table has " +
                                        std::string(dtype_name(table.dtype)));
  Shape expected = table.shape;
  expected[0] = ids.shape[0];
  if (rows.shape == expected) return {};
  return Status(ErrorCode::kShape, "assign to a table on disk: rows have shape " +
                                       to_string(rows.shape) + ", must have " +
                                       to_string(expected));
}

// The operator whose indices a call checks. For assign() a row stands for its first byte.
Result<Plan> plan_of_assign(const TensorSpec& table, const TensorView& ids, const TensorView& rows,
                            const CallOptions& options) {
  if (Status status = check_assigned(table, ids, rows); !status) return status;
  const std::array<TensorSpec, 3> specs = {TensorSpec{DType::kUint8, {table.shape[0]}, {}, {}},
                                           ids.spec(),
                                           TensorSpec{DType::kUint8, ids.shape, {}, {}}};
  return compile(array::PutAlongAxis{.axis = 0}, specs, options);
}

Result<Plan> plan_of_add(const TensorSpec& table, const TensorView& ids, const TensorView& rows,
                         const CallOptions& options) {
  const std::array<TensorSpec, 3> specs = {table, ids.spec(), rows.spec()};
  return compile(array::IndexAdd{}, specs, options);
}

Result<DistinctRows> rows_to_write(const Plan& plan, const TensorSpec& table, const TensorView& ids,
                                   const CallOptions& options, const RunOptions& run) {
  const auto own = copy_of_input(plan, 1, ids);
  if (!own) return own.error();
  const std::array<TensorView, 3> inputs = {TensorView(), own->view(), TensorView()};
  if (Status status = check_indices(plan, inputs, run); !status) return status;
  return distinct_rows(table.shape[0], own->view(), options, run);
}

// The rows as they are after the call of add().
Result<Tensor> added_rows(const Table& table, const Plan& take, const DistinctRows& written,
                          const TensorView& rows, const CallOptions& options,
                          const RunOptions& run) {
  RunOptions reading;
  reading.interrupt = run.interrupt;
  const std::array<TensorView, 2> taken = {TensorView(), written.rows};
  auto sums = table.run(take, taken, reading);
  if (!sums) return sums;
  CallOptions local;
  local.out_of_range = OutOfRange::kSkip;
  local.negative = NegativeIndex::kOutOfRange;
  local.kernels = options.kernels;
  const std::array<TensorSpec, 3> specs = {sums->spec(), written.places.spec(), rows.spec()};
  const auto plan = compile(array::IndexAdd{}, specs, local);
  if (!plan) return plan.error();
  RunOptions adding = reading;
  adding.threads = run.threads;
  const std::array<TensorView, 3> inputs = {*sums, written.places, rows};
  if (Status status = plan->run(inputs, sums->mutable_view(), adding); !status) return status;
  return sums;
}

Result<Tensor> assigned_rows(const DistinctRows& written, const TensorView& rows,
                             const RunOptions& run) {
  const auto last = last_updates(written);
  if (!last) return last.error();
  RunOptions taking;
  taking.threads = run.threads;
  taking.interrupt = run.interrupt;
  return array::take(rows, *last, {}, {}, taking);
}

enum class Writes : std::uint8_t { kAssign, kAdd };

Status write_rows(const Table& table, const TableState& state, Writes writes, const TensorView& ids,
                  const TensorView& rows, const CallOptions& options, const RunOptions& run) {
  const TensorSpec spec = table.spec();
  const auto plan = writes == Writes::kAdd ? plan_of_add(spec, ids, rows, options)
                                           : plan_of_assign(spec, ids, rows, options);
  if (!plan) return plan.error();
  if (Status status = check_writable(state); !status) return status;
  const auto written = rows_to_write(*plan, spec, ids, options, run);
  if (!written) return written.error();
  const std::array<TensorSpec, 2> specs = {spec, written->rows.spec()};
  const auto take = compile(array::Take{}, specs);
  if (!take) return take.error();
  if (Status status = check_takes_rows(*take); !status) return status;

  // From here on nobody else writes: the sums are of the rows as they are.
  const auto lock = state.writer()->begin();
  if (!lock) return lock.error();
  const auto made = writes == Writes::kAdd ? added_rows(table, *take, *written, rows, options, run)
                                           : assigned_rows(*written, rows, run);
  if (!made) return made.error();
  return state.write(written->rows, *made, std::nullopt);
}

}  // namespace
}  // namespace internal

std::string_view table_durability_name(TableDurability durability) noexcept {
  return internal::kDurabilityNames[static_cast<std::size_t>(durability)];
}

std::optional<TableDurability> parse_table_durability(std::string_view name) noexcept {
  const auto& names = internal::kDurabilityNames;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<TableDurability>(found - names.begin());
}

Status Table::assign(const TensorView& ids, const TensorView& rows, const CallOptions& options,
                     const RunOptions& run) {
  return internal::in_memory([&] {
    return internal::write_rows(*this, *state_, internal::Writes::kAssign, ids, rows, options, run);
  });
}

Status Table::add(const TensorView& ids, const TensorView& rows, const CallOptions& options,
                  const RunOptions& run) {
  return internal::in_memory([&] {
    return internal::write_rows(*this, *state_, internal::Writes::kAdd, ids, rows, options, run);
  });
}

}  // namespace windrow
