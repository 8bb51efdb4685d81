#include "src/operators/taken_rows.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <string>
#include <utility>

#include "src/execute/offset_block.h"
#include "src/execute/outcome.h"
#include "src/execute/partition.h"
#include "src/execute/run_memory.h"
#include "src/execute/scan_indices.h"
#include "src/operators/check_run.h"
#include "src/operators/known_run.h"
#include "src/operators/packed.h"
#include "src/operators/plan_state.h"

namespace windrow::internal {

static_assert(kMostVisited == kBlockPoints);

namespace {

Status unsupported(const PlanState& state, const std::string& reason) {
  ErrorInfo info;
  info.code = ErrorCode::kUnsupported;
  info.operator_name = state.operation.operator_name;
  info.message = info.operator_name + " does not run on a table on disk: " + reason;
  return Status(std::move(info));
}

std::size_t data_input(const PlanState& state) {
  return static_cast<std::size_t>(state.operation.data_input);
}

// The offsets of a block, of 4 or 8 bytes each.
class BlockOffsets {
 public:
  explicit BlockOffsets(bool are_wide) : are_wide_(are_wide) {}

  std::byte* room() { return room_; }
  // Absent: the row is outside.
  std::optional<std::uint64_t> offset(std::int64_t j) const {
    return are_wide_ ? read<std::uint64_t>(j) : read<std::uint32_t>(j);
  }

 private:
  template <class Offset>
  std::optional<std::uint64_t> read(std::int64_t j) const {
    Offset offset;
    std::memcpy(&offset, room_ + j * static_cast<std::int64_t>(sizeof offset), sizeof offset);
    if (offset == kOutside<Offset>) return std::nullopt;
    return offset;
  }

  bool are_wide_;
  alignas(64) std::byte room_[kBlockPoints * sizeof(std::uint64_t)];
};

// A run whose tensors have been checked and whose packed ones are bytes.
class RowWalk {
 public:
  RowWalk(const LoweredPlan& plan, const RunContext& context, std::byte* out, RowVisitor& visitor)
      : plan_(plan), context_(context), out_(out), visitor_(visitor) {}

  // Whether the walk went to its end without a bad index.
  bool walk() const {
    if (plan_.shared.empty()) return walk_addressed(out_, plan_.indirect_first);
    NestCursor shared(plan_.shared, std::int64_t{0});
    return for_each_block(shared, plan_.shared_points, 1, [&](std::int64_t) {
      return walk_addressed(out_ + shared.position(kDirectTrack),
                            plan_.indirect_first + shared.position(kIndirectTrack));
    });
  }

 private:
  // The rows of one shared point, whose direct side begins at `to` and whose offsets count from
  // `first`.
  bool walk_addressed(std::byte* to, std::int64_t first) const {
    const OffsetReader reader(context_);
    BlockOffsets offsets(plan_.wide_offsets);
    std::array<std::int64_t, kBlockPoints> from;
    NestCursor cursor(plan_.addressed, std::int64_t{0});
    return for_each_block(cursor, plan_.points, kBlockPoints, [&](std::int64_t count) {
      if ((reader.read(cursor, count, offsets.room()) & kIndexBad) != 0) {
        context_.outcome.stop(RunOutcome::kBadIndex);
        return false;
      }
      for (std::int64_t j = 0; j < count; ++j) {
        const auto offset = offsets.offset(j);
        from[static_cast<std::size_t>(j)] =
            offset ? first + static_cast<std::int64_t>(*offset) * plan_.unit : kZeroRow;
      }
      const bool goes_on =
          visitor_.visit({plan_.row_bytes, std::span(from.data(), static_cast<std::size_t>(count)),
                          to + cursor.position(kDirectTrack), cursor.step(kDirectTrack)});
      return goes_on && !context_.outcome.stopped_after(count * plan_.row_bytes);
    });
  }

  const LoweredPlan& plan_;
  const RunContext& context_;
  std::byte* out_;
  RowVisitor& visitor_;
};

// The tensors of a run as the byte operation sees them.
struct ByteInputs {
  std::array<TensorView, kMostInputs> views;
  std::array<Tensor, kMostInputs> unpacked;

  bool add(std::size_t input, const TensorView& view) {
    views[input] = view;
    if (!is_packed(view.dtype)) return true;
    auto bytes = unpack(view);
    if (!bytes) return false;
    unpacked[input] = *std::move(bytes);
    views[input] = unpacked[input].view();
    return true;
  }
};

Status walk_checked(const PlanState& state, std::span<const TensorView> inputs,
                    const MutableTensorView& out, const RunOptions& options, RowVisitor& visitor) {
  const Operation& operation = state.byte_operation();
  std::optional<Interruption> interruption;
  if (options.interrupt != nullptr) interruption.emplace(*options.interrupt);
  Interruption* const asked = interruption ? &*interruption : nullptr;
  const auto bad_index = [&] {
    return describe_illegal_indices(operation, inputs, asked, options.listed_indices);
  };
  std::array<TensorSpec, kMostInputs> specs;
  for (std::size_t i = 0; i < inputs.size(); ++i) specs[i] = inputs[i].spec();
  const auto data = static_cast<std::size_t>(operation.data_input);
  specs[data] = byte_spec(state, data);
  specs[data].strides.reset();
  const auto lowered = lower_as_laid_out(operation, std::span(specs.data(), inputs.size()),
                                         out.strides, state.tuning);
  if (!lowered) return lowered.error();
  // Without points nobody sees the indices.
  if (lowered->main.points == 0) return bad_index();
  std::array<const std::byte*, kMostInputs> indices{};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    indices[i] = static_cast<const std::byte*>(inputs[i].data);
  RunMemory memory{nullptr, nullptr, {indices.data(), inputs.size()}};
  memory.interruption = asked;
  Outcome outcome(asked);
  const RunContext context{lowered->main, state.kernels->table, memory, nullptr, outcome};
  const bool done =
      RowWalk(lowered->main, context, static_cast<std::byte*>(out.data), visitor).walk();
  if (interruption && interruption->was_requested()) return interrupted(state);
  if (done || outcome.get() != RunOutcome::kBadIndex) return {};
  if (Status status = bad_index(); !status) return status;
  return indices_changed(state);
}

// A view of data for the checks of a run. Nobody reads it: its elements lie upon each other, or,
// where packed ones cannot, behind the output.
TensorView stand_in(const PlanState& state, const MutableTensorView& out) {
  static constexpr std::array<std::byte, 64> kNothing = {};
  const TensorSpec& spec = state.inputs[data_input(state)];
  TensorView view(spec.dtype, spec.shape, kNothing.data());
  if (is_packed(spec.dtype)) {
    view.data = static_cast<const std::byte*>(out.data) +
                dense_byte_count(out.dtype, out.shape).value_or(0);
    return view;
  }
  for (int axis = 0; axis < spec.shape.rank(); ++axis) view.strides[axis] = 0;
  return view;
}

}  // namespace

Status check_takes_rows(const Plan& plan) {
  const PlanState& state = PlanAccess::state(plan);
  if (state.operation.scatter) return unsupported(state, "it is a scatter");
  if (is_outside_equation(state.operation))
    return unsupported(state, "it computes with what it gathers");
  if (state.operation.dtype == DType::kString) return unsupported(state, "its data is text");
  if (state.unpacks) return unsupported(state, "its rows are not whole bytes");
  return {};
}

Status check_data_spec(const Plan& plan, const TensorSpec& spec) {
  if (Status status = check_takes_rows(plan); !status) return status;
  const PlanState& state = PlanAccess::state(plan);
  const TensorSpec& data = state.inputs[data_input(state)];
  if (data.dtype == spec.dtype && data.shape == spec.shape) return {};
  ErrorInfo info;
  info.code = ErrorCode::kInvalidArgument;
  info.operator_name = state.operation.operator_name;
  info.message = info.operator_name + ": compiled for " + std::string(dtype_name(data.dtype)) +
                 " " + to_string(data.shape) + ", the table is " +
                 std::string(dtype_name(spec.dtype)) + " " + to_string(spec.shape);
  return Status(std::move(info));
}

Status visit_rows(const Plan& plan, std::span<const TensorView> inputs,
                  const MutableTensorView& out, const RunOptions& options, RowVisitor& visitor) {
  const PlanState& state = PlanAccess::state(plan);
  if (Status status = check_takes_rows(plan); !status) return status;
  std::array<TensorView, kMostInputs> given;
  const std::size_t count = state.inputs.size();
  if (inputs.size() > count)
    return Status(ErrorCode::kInvalidArgument, "more inputs given than the operator takes");
  std::copy(inputs.begin(), inputs.end(), given.begin());
  given[data_input(state)] = stand_in(state, out);
  const std::span<const TensorView> checked(given.data(), count);
  RunFacts facts;
  if (Status status = check_run(state, checked, out, facts); !status) return status;
  ByteInputs bytes;
  for (std::size_t i = 0; i < count; ++i) {
    if (i == data_input(state)) continue;
    if (!bytes.add(i, given[i])) return out_of_memory(state);
  }
  MutableTensorView byte_out = out;
  if (is_packed(out.dtype))
    byte_out = MutableTensorView(DType::kUint8, state.byte_operation().result_shape, out.data);
  return walk_checked(state, std::span(bytes.views.data(), count), byte_out, options, visitor);
}

}  // namespace windrow::internal
