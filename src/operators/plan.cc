#include "src/operators/plan.h"

#include <cstring>

#include "src/access/access_map.h"
#include "src/access/evaluate.h"
#include "src/execute/run_plan.h"
#include "src/operators/check_run.h"
#include "src/operators/dense_copies.h"
#include "src/operators/known_run.h"
#include "src/operators/plan_state.h"
#include "src/pooling/fold_bags.h"
#include "src/pooling/take_quantised.h"
#include "src/pooling/walk_beams.h"
#include "windrow/plan.h"

namespace windrow {

Status internal::run_known(const Plan& plan, std::span<const TensorView> inputs,
                           const MutableTensorView& out, const RunKnowledge& knowledge,
                           const RunOptions& options) {
  return run_checked(PlanAccess::state(plan), inputs, out, knowledge, options);
}

std::optional<std::size_t> internal::in_place_input(const Plan& plan) noexcept {
  const Operation& operation = PlanAccess::state(plan).operation;
  if (!starts_as_data(operation)) return std::nullopt;
  return static_cast<std::size_t>(operation.data_input);
}

Status Plan::run(std::span<const TensorView> inputs, const MutableTensorView& out,
                 const RunOptions& options) const {
  return internal::run_checked(*state_, inputs, out, {}, options);
}

Result<Tensor> Plan::run(std::span<const TensorView> inputs, const RunOptions& options) const {
  Result<Tensor> out = Tensor::allocate(state_->result.dtype, state_->result.shape);
  if (!out) {
    out = out.error().with_context(operator_name());
    return out;
  }
  RunOptions into_new = options;
  into_new.fresh_output = out->byte_count() >= kFreshBytes && !out->is_recycled();
  if (Status status = internal::run_checked(*state_, inputs, out->mutable_view(), {}, into_new);
      !status)
    out = status;
  return out;
}

Result<BadIndices> Plan::bad_indices(std::span<const TensorView> inputs,
                                     const RunOptions& options) const {
  return internal::list_bad_indices(*state_, inputs, options);
}

const TensorSpec& Plan::result() const noexcept { return state_->result; }

std::size_t Plan::scratch_bytes(int threads) const noexcept {
  const auto copies = static_cast<std::size_t>(internal::dense_copy_bytes(state_->lowered));
  if (internal::is_outside_equation(state_->operation)) return copies;
  return internal::scratch_bytes(state_->lowered.main, threads) + copies;
}

namespace {

void describe_copies(const internal::PlanState& state, PlanDescription& description) {
  const auto add = [&](std::size_t input, std::string& names) {
    names += (names.empty() ? "" : ", ") + state.operation.input_names[input];
  };
  for (const internal::DenseCopy& copy : state.lowered.dense_copies) {
    add(copy.input, description.copied_first);
    description.copied_first_bytes += copy.bytes;
  }
  for (const internal::CandidateTime& candidate : state.lowered.candidates) {
    DescribedEstimate& estimate = description.estimates.emplace_back();
    for (const std::size_t input : candidate.copied) add(input, estimate.copied_first);
    estimate.microseconds = candidate.nanoseconds / 1000;
  }
}

}  // namespace

PlanDescription Plan::description() const {
  const internal::PlanState& state = *state_;
  const internal::Operation& operation = state.operation;
  PlanDescription description;
  description.operator_name = operation.operator_name;
  description.dtype = state.result.dtype;
  description.shape = state.result.shape;
  description.kernel_set = state.kernels->name;
  description.equation = internal::equation(operation);
  description.unpacks = state.unpacks;
  if (operation.data_input < 0 || operation.data_element >= 0) {
    description.starts_with = "one value";
  } else if (operation.scatter) {
    description.starts_with = "data";
  }
  description.writes_neutral = state.lowered.fill.has_value();
  description.divides = state.lowered.count.has_value() ||
                        (operation.bags && operation.combine == internal::Combine::kMean);
  describe_copies(state, description);
  if (operation.bags) {
    internal::describe_bags(state.byte_operation(), state.lowered.main, description);
  } else if (operation.dequantise) {
    internal::describe_quantised(operation, state.lowered.main, description);
  } else if (operation.beams) {
    internal::describe_beams(operation, description);
  } else {
    internal::describe(state.lowered.main, description);
    if (!description.empty) internal::describe_ways(state.lowered.main, description);
  }
  return description;
}

std::string Plan::describe() const { return to_string(description()); }

std::span<const std::string> Plan::notes() const noexcept { return state_->operation.notes; }

std::string_view Plan::operator_name() const noexcept { return state_->operation.operator_name; }

std::string_view Plan::kernel_set() const noexcept { return state_->kernels->name; }

}  // namespace windrow

namespace windrow::internal {
namespace {

// Packs small numbers into one word.
template <class... Numbers>
std::uint64_t packed(Numbers... numbers) noexcept {
  std::uint64_t word = 0;
  ((word = word << 8U | static_cast<std::uint8_t>(numbers)), ...);
  return word;
}

}  // namespace

KnownBytes read_value(const TensorView& view) noexcept {
  KnownBytes value;
  if (view.is_absent() || view.data == nullptr || view.dtype == DType::kString) return value;
  const std::optional<std::int64_t> count = element_count(view.shape);
  if (!count || *count < 1 || *count > kMostFixed) return value;
  const auto size = static_cast<std::size_t>(*count * dtype_bits(view.dtype) + 7) / 8;
  if (size > value.bytes.size()) return value;
  value.size = size;
  if (*count == 1 || view.is_dense()) {
    std::memcpy(value.bytes.data(), view.data, size);
    return value;
  }
  const std::size_t element = size / static_cast<std::size_t>(*count);
  for (std::int64_t i = 0; i < *count; ++i)
    std::memcpy(value.bytes.data() + static_cast<std::size_t>(i) * element,
                static_cast<const std::byte*>(view.data) + element_offset(view, i), element);
  return value;
}

PlanKey::PlanKey(const OperatorCall& call, const CallOptions& options,
                 std::string_view kernels) noexcept {
  add(reinterpret_cast<std::uintptr_t>(&call.row));
  add(packed(options.out_of_range.has_value(), options.out_of_range.value_or(OutOfRange::kError),
             options.negative.has_value(), options.negative.value_or(NegativeIndex::kError),
             options.strict, options.duplicates, kernels.empty(),
             options.padding_index.has_value()));
  if (options.padding_index) add(static_cast<std::uint64_t>(*options.padding_index));
  if (!kernels.empty()) add(kernels);
  call.row.add_to_key(call.op, *this);
}

void PlanKey::add_layout(DType dtype, const Shape& shape, const Strides* strides,
                         bool has_value) noexcept {
  add(packed(dtype, shape.rank(), strides == nullptr ? 0 : strides->rank() + 1, has_value));
  add(shape);
  if (strides != nullptr) add(*strides);
}

void PlanKey::add_value(DType dtype, const Shape& shape, std::string_view bytes) noexcept {
  add(packed(dtype, shape.rank()));
  add(shape);
  add(bytes);
}

void PlanKey::add_input(const TensorSpec& spec) noexcept {
  const Tensor* value = spec.value.get();
  add_layout(spec.dtype, spec.shape, spec.strides ? &*spec.strides : nullptr, value != nullptr);
  if (value == nullptr) return;
  if (value->dtype() == DType::kString) return refuse();  // no operator is compiled for a string
  add_value(
      value->dtype(), value->shape(),
      {static_cast<const char*>(value->data()), static_cast<std::size_t>(value->byte_count())});
}

void PlanKey::add_input(const TensorView& view, const KnownBytes& value) noexcept {
  const bool has_value = value.size != 0;
  add_layout(view.dtype, view.shape, view.is_dense() ? nullptr : &view.strides, has_value);
  if (has_value)
    add_value(view.is_absent() ? DType::kInt64 : view.dtype, view.shape,
              {reinterpret_cast<const char*>(value.bytes.data()), value.size});
}

}  // namespace windrow::internal
