#include "src/operators/check_run.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "src/access/evaluate.h"
#include "src/base/integers.h"
#include "src/dialects/rules.h"
#include "src/execute/outcome.h"
#include "src/execute/run_plan.h"
#include "src/execute/scan_indices.h"
#include "src/operators/left_out.h"
#include "src/operators/operator_row.h"
#include "src/operators/packed.h"
#include "src/operators/plan_state.h"
#include "src/pooling/bag_bounds.h"
#include "src/pooling/walk_beams.h"
#include "windrow/counted.h"
#include "windrow/tensor.h"

namespace windrow::internal {
namespace {

std::string type_names(TypeSet types) {
  std::string names;
  for (const DType type : types)
    names += (names.empty() ? "" : ", ") + std::string(dtype_name(type));
  return names;
}

std::string_view type_rule(InputGroup group) {
  if (is_fixed(group)) return "T4";
  return group == InputGroup::kIndex ? "T2" : "T1";
}

Status wrong_type(const OperatorRow& row, std::size_t input, std::string_view type) {
  const InputSchema& schema = row.inputs[input];
  return row.broken(ErrorCode::kType, type_rule(schema.group),
                    std::string(schema.name) + " has type " + std::string(type) +
                        ", must be one of: " + type_names(row.types(schema.group)));
}

Status other_type_than(const OperatorRow& row, std::size_t input, std::string_view type,
                       std::size_t first, DType type_of_first) {
  return row.broken(ErrorCode::kType, "T3",
                    std::string(row.inputs[input].name) + " has type " + std::string(type) +
                        ", must have the type of " + std::string(row.inputs[first].name) + ", " +
                        std::string(dtype_name(type_of_first)));
}

bool has_type(const OperatorRow& row, InputGroup group, DType dtype) {
  const TypeSet types = row.types(group);
  return std::find(types.begin(), types.end(), dtype) != types.end();
}

// T1 and T3: the first input of the group has a type that this version takes; the others have the
// same type.
Status check_group_types(const OperatorRow& row, std::span<const DType> types, InputGroup group,
                         bool others) {
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < types.size(); ++i) {
    if (types[i] == DType::kAbsent || row.inputs[i].group != group) continue;
    if (!first) {
      first = i;
      if (!has_type(row, group, types[i])) return wrong_type(row, i, dtype_name(types[i]));
    } else if (others && !row.inputs[i].may_differ && types[i] != types[*first]) {
      return other_type_than(row, i, dtype_name(types[i]), *first, types[*first]);
    }
  }
  return {};
}

Status check_data_types(const OperatorRow& row, std::span<const DType> types, bool others) {
  if (Status status = check_group_types(row, types, InputGroup::kCodes, others); !status)
    return status;
  return check_group_types(row, types, InputGroup::kData, others);
}

bool is_index(InputGroup group) {
  return group != InputGroup::kData && group != InputGroup::kCodes;
}

// T2 (indices) or T4 (inputs that a plan is compiled for).
Status check_index_types(const OperatorRow& row, std::span<const DType> types, bool fixed) {
  for (std::size_t i = 0; i < types.size(); ++i) {
    const InputGroup group = row.inputs[i].group;
    if (types[i] == DType::kAbsent || !is_index(group) || is_fixed(group) != fixed) continue;
    if (!has_type(row, group, types[i])) return wrong_type(row, i, dtype_name(types[i]));
  }
  return {};
}

Result<Tuning> check_options(const OperatorRow& row, const CallOptions& options,
                             std::string_view kernels) {
  const OutOfRange refused = row.scatter ? OutOfRange::kZero : OutOfRange::kSkip;
  if (options.out_of_range == refused)
    return row.broken(ErrorCode::kInvalidArgument, "CALL-O1",
                      "out_of_range is '" + std::string(out_of_range_name(refused)) +
                          "', which a " +
                          (row.scatter ? "scatter does not take: it takes error, skip"
                                       : "gather does not take: it takes error, zero") +
                          ", clamp and modulo");
  Result<Tuning> tuning = parse_known_tuning(kernels);
  if (!tuning) return row.broken(ErrorCode::kUnsupported, "CALL-O2", tuning.error().message());
  return tuning;
}

// Checks what Plan::run also checks of views: lowering reads a stride for every axis.
Status check_strides(const OperatorRow& row, std::span<const TensorSpec> inputs) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const TensorSpec& spec = inputs[i];
    if (spec.is_absent() || !spec.strides || spec.strides->rank() == spec.shape.rank()) continue;
    ErrorInfo info;
    info.code = ErrorCode::kInvalidArgument;
    info.operator_name = row.operator_name();
    info.message = info.operator_name + ": " + std::string(row.inputs[i].name) + " has " +
                   std::to_string(spec.strides->rank()) + " strides for rank " +
                   std::to_string(spec.shape.rank());
    return Status(std::move(info));
  }
  return {};
}

}  // namespace

Status check_types(const OperatorRow& row, std::span<const DType> types) {
  if (Status status = check_data_types(row, types, false); !status) return status;
  if (Status status = check_index_types(row, types, false); !status) return status;
  if (Status status = check_data_types(row, types, true); !status) return status;
  return check_index_types(row, types, true);
}

Status check_other_types(const OperatorRow& row, std::span<const DType> types,
                         std::span<const std::string> names) {
  std::array<std::optional<std::size_t>, 2> first;  // of the data, of the codes
  for (std::size_t i = 0; i < names.size(); ++i) {
    const InputGroup group = row.inputs[i].group;
    std::optional<std::size_t>& other = first[group == InputGroup::kCodes ? 1 : 0];
    if (!names[i].empty())
      return !is_index(group) && other ? other_type_than(row, i, names[i], *other, types[*other])
                                       : wrong_type(row, i, names[i]);
    if (!is_index(group) && !other && types[i] != DType::kAbsent) other = i;
  }
  return {};
}

Status wrong_input_count(const OperatorRow& row, std::size_t given, std::string_view missing) {
  return row.broken(ErrorCode::kInvalidArgument, "CALL-I1",
                    missing.empty() ? counted(given, "input") + " given, takes " +
                                          std::to_string(row.inputs.size())
                                    : "input " + std::string(missing) + " is missing");
}

Status not_one_input(const OperatorRow& row, std::size_t first, std::size_t second, bool both) {
  const std::string one = std::string(row.inputs[first].name);
  const std::string other = std::string(row.inputs[second].name);
  return row.broken(
      ErrorCode::kInvalidArgument, "CALL-I1",
      both ? "inputs " + one + " and " + other + " are given, takes one of them"
           : "input " + one + " is missing, and so is " + other + ", which may stand in its place");
}

Result<Tuning> check_call(const OperatorRow& row, std::span<const TensorSpec> inputs,
                          const CallOptions& options, std::string_view kernels) {
  std::array<DType, KnownInputs::kMost> types{};
  std::transform(inputs.begin(), inputs.end(), types.begin(),
                 [](const TensorSpec& input) { return input.dtype; });
  if (Status status = check_types(row, std::span(types).first(inputs.size())); !status)
    return status;
  Result<Tuning> tuning = check_options(row, options, kernels);
  if (!tuning) return tuning;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (!inputs[i].is_absent() && !dense_byte_count(inputs[i].dtype, inputs[i].shape))
      return row.broken(ErrorCode::kShape, "CALL-I2",
                        std::string(row.inputs[i].name) + " has shape " +
                            to_string(inputs[i].shape) +
                            ": a negative extent or more than 2^63-1 bytes");
  if (Status status = check_strides(row, inputs); !status) return status;
  return tuning;
}

namespace {

Status refuse(const PlanState& state, ErrorCode code, const std::string& text) {
  ErrorInfo info;
  info.code = code;
  info.operator_name = state.operation.operator_name;
  info.message = info.operator_name + ": " + text;
  return Status(std::move(info));
}

// The memory of a tensor's elements: addresses [low, high). Empty for a tensor without elements.
struct Extent {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;
};

// The extent of the bytes [low, high) after `data`.
Extent extent_from(const void* data, std::int64_t low, std::int64_t high) {
  const auto first = reinterpret_cast<std::uintptr_t>(data);
  return {first + static_cast<std::uintptr_t>(low), first + static_cast<std::uintptr_t>(high)};
}

// The distance in bytes of a tensor's elements before and after its first element.
struct Reach {
  std::int64_t before = 0;  // not positive
  std::int64_t after = 0;
};

// The reach of a tensor with elements. Returns nothing if it spans more than 2^63-1 bytes.
std::optional<Reach> reach_of(const Shape& shape, const Strides& strides) {
  Reach reach;
  std::int64_t span = 0;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    const auto step = checked_mul(shape[axis] - 1, strides[axis]);
    const auto sum = step && *step != INT64_MIN ? checked_add(span, std::abs(*step)) : std::nullopt;
    if (!sum) return std::nullopt;
    span = *sum;
    (*step < 0 ? reach.before : reach.after) += *step;
  }
  return reach;
}

// The extent of a tensor that has passed check_tensor().
Extent extent_of(const TensorView& view) {
  if (element_count(view.shape).value_or(0) == 0) return {};
  if (is_packed(view.dtype))
    return extent_from(view.data, 0, *dense_byte_count(view.dtype, view.shape));
  const Reach reach = reach_of(view.shape, view.strides).value_or(Reach{});
  return extent_from(view.data, reach.before, reach.after + dtype_bits(view.dtype) / 8);
}

bool overlap(const Extent& a, const Extent& b) { return a.low < b.high && b.low < a.high; }

std::string input_name(const PlanState& state, std::size_t input) {
  return state.operation.input_names[input];
}

Status check_tensor(const PlanState& state, const std::string& name, const TensorSpec& spec,
                    const TensorView& view) {
  if (view.dtype != spec.dtype)
    return refuse(state, ErrorCode::kType,
                  name + " has type " + std::string(dtype_name(view.dtype)) +
                      ", the plan was compiled for " + std::string(dtype_name(spec.dtype)));
  if (!(view.shape == spec.shape))
    return refuse(state, ErrorCode::kShape,
                  name + " has shape " + to_string(view.shape) + ", the plan was compiled for " +
                      to_string(spec.shape));
  if (view.is_absent() || element_count(view.shape).value_or(0) == 0) return {};
  if (view.data == nullptr)
    return refuse(state, ErrorCode::kInvalidArgument, name + " has elements but no memory");
  if (is_packed(view.dtype)) return {};
  if (view.strides.rank() != view.shape.rank())
    return refuse(state, ErrorCode::kInvalidArgument,
                  name + " has " + std::to_string(view.strides.rank()) + " strides for rank " +
                      std::to_string(view.shape.rank()));
  if (!reach_of(view.shape, view.strides))
    return refuse(state, ErrorCode::kInvalidArgument,
                  name + " has strides " + to_string(view.strides) + " that exceed 2^63-1 bytes");
  if (view.dtype != DType::kString) return {};
  auto misaligned = reinterpret_cast<std::uintptr_t>(view.data) % alignof(std::string);
  for (int axis = 0; axis < view.shape.rank(); ++axis)
    if (view.shape[axis] > 1)
      misaligned |= static_cast<std::uintptr_t>(view.strides[axis]) % alignof(std::string);
  if (misaligned == 0) return {};
  return refuse(state, ErrorCode::kInvalidArgument, name + " has strings that are not aligned");
}

// Checks that no two elements of an output share a byte. The condition is sufficient, and necessary
// for all views that slices and permutations of a dense tensor make: in the order of ascending
// strides, each axis steps over everything that the axes before it reach.
Status check_disjoint(const PlanState& state, const MutableTensorView& out) {
  if (is_packed(out.dtype) || element_count(out.shape).value_or(0) == 0) return {};
  std::array<std::pair<std::int64_t, std::int64_t>, kMaxRank> axes;  // |stride|, extent
  std::size_t count = 0;
  for (int axis = 0; axis < out.shape.rank(); ++axis)
    if (out.shape[axis] > 1) axes[count++] = {std::abs(out.strides[axis]), out.shape[axis]};
  std::sort(axes.begin(), axes.begin() + count);
  std::int64_t span = dtype_bits(out.dtype) / 8;
  for (std::size_t i = 0; i < count; ++i) {
    const auto [stride, extent] = axes[i];
    if (stride < span)
      return refuse(state, ErrorCode::kInvalidArgument,
                    "the output has strides " + to_string(out.strides) + " for shape " +
                        to_string(out.shape) + ": its elements overlap");
    span += stride * (extent - 1);
  }
  return {};
}

bool is_same_view(const TensorView& a, const MutableTensorView& b) {
  if (a.data != b.data || !(a.shape == b.shape)) return false;
  if (is_packed(a.dtype)) return true;
  for (int axis = 0; axis < a.shape.rank(); ++axis)
    if (a.shape[axis] > 1 && a.strides[axis] != b.strides[axis]) return false;
  return true;
}

// Checks that an input on which the addresses depend has the values of compile.
Status check_fixed(const PlanState& state, std::size_t input, const TensorView& view) {
  const TensorSpec& spec = state.inputs[input];
  const std::int64_t count = element_count(spec.shape).value_or(0);
  if (count == 0) return {};
  const TensorView compiled = spec.value->view();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t wanted = read_index_at(compiled, i);
    const std::int64_t found = read_index_at(view, i);
    if (found == wanted) continue;
    const std::string element = count == 1 ? "" : "[" + std::to_string(i) + "]";
    return refuse(state, ErrorCode::kInvalidArgument,
                  input_name(state, input) + element + " is " + std::to_string(found) +
                      ", the plan was compiled for " + std::to_string(wanted));
  }
  return {};
}

// The same of a number of segments that the call leaves out, so that the ids have to give it.
Status check_left_out(const PlanState& state, std::size_t input,
                      std::span<const TensorView> inputs) {
  const std::int64_t wanted = read_index_at(state.inputs[input].value->view(), 0);
  const int ids = state.operation.ascending_input;
  const std::optional<std::int64_t> found = count_by_last_id(inputs, ids);
  if (found == wanted) return {};
  return refuse(state, ErrorCode::kInvalidArgument,
                input_name(state, input) + " is left out and the last of " +
                    input_name(state, static_cast<std::size_t>(ids)) + " makes it " +
                    (found ? std::to_string(*found) : "more than 2^63-1") +
                    ", the plan was compiled for " + std::to_string(wanted));
}

Status check_inputs(const PlanState& state, std::span<const TensorView> inputs) {
  const std::size_t count = state.inputs.size();
  if (inputs.size() > count)
    return refuse(state, ErrorCode::kInvalidArgument,
                  counted(inputs.size(), "input") + " given, takes " + std::to_string(count));
  for (std::size_t i = 0; i < count; ++i) {
    const TensorView absent = {};
    const TensorView& view = i < inputs.size() ? inputs[i] : absent;
    if (Status status = check_input(state, i, view); !status) return status;
  }
  return {};
}

bool is_in_place(const PlanState& state, std::span<const TensorView> inputs,
                 const MutableTensorView& out) {
  return starts_as_data(state.operation) &&
         is_same_view(inputs[static_cast<std::size_t>(state.operation.data_input)], out);
}

UsualTensor usual_tensor(const TensorSpec& spec) {
  UsualTensor usual;
  usual.dtype = spec.dtype;
  usual.shape = spec.shape;
  if (spec.is_absent()) {
    usual.known = spec.shape.empty();
    return usual;
  }
  const bool moved_as_is = !is_packed(spec.dtype) && spec.dtype != DType::kString;
  if (!moved_as_is || element_count(spec.shape).value_or(0) == 0) return usual;
  const int element_bytes = dtype_bits(spec.dtype) / 8;
  usual.strides = spec.strides ? *spec.strides : row_major_strides(spec.shape, element_bytes);
  if (usual.strides.rank() != usual.shape.rank()) return usual;
  const auto reach = reach_of(usual.shape, usual.strides);
  if (!reach) return usual;
  usual.low = reach->before;
  usual.high = reach->after + element_bytes;
  usual.known = true;
  return usual;
}

// For both kinds of view, because converting one to the other would copy it.
template <class View>
bool is_usual(const UsualTensor& usual, const View& view) {
  const int rank = usual.shape.rank();
  if (!usual.known || view.dtype != usual.dtype || view.shape.rank() != rank ||
      view.strides.rank() != usual.strides.rank())
    return false;
  if (view.data == nullptr) return view.dtype == DType::kAbsent;
  for (int axis = 0; axis < rank; ++axis) {
    if (view.shape[axis] != usual.shape[axis]) return false;
    // The step of an axis of one element leads nowhere: `x[:, None]` has any.
    if (view.strides[axis] != usual.strides[axis] && usual.shape[axis] != 1) return false;
  }
  return true;
}

bool are_usual(const PlanState& state, std::span<const TensorView> inputs,
               const MutableTensorView& out) {
  if (inputs.size() > state.usual_inputs.size()) return false;
  for (std::size_t i = 0; i < state.usual_inputs.size(); ++i) {
    const UsualTensor& usual = state.usual_inputs[i];
    if (i < inputs.size() ? !is_usual(usual, inputs[i]) : usual.dtype != DType::kAbsent)
      return false;
  }
  return is_usual(state.usual_result, out);
}

// For usual tensors: whether check_overlap() would find nothing.
bool are_apart(const PlanState& state, std::span<const TensorView> inputs,
               const MutableTensorView& out, bool in_place) {
  const auto data = static_cast<std::size_t>(state.operation.data_input);
  const auto extent = [](const UsualTensor& usual, const void* first) {
    return extent_from(first, usual.low, usual.high);
  };
  const Extent written = extent(state.usual_result, out.data);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (in_place && i == data) continue;
    if (overlap(extent(state.usual_inputs[i], inputs[i].data), written)) return false;
  }
  return true;
}

// Checks that the output shares no byte with an input, except with the data in an in-place run.
Status check_overlap(const PlanState& state, std::span<const TensorView> inputs,
                     const MutableTensorView& out, bool in_place) {
  const auto data = static_cast<std::size_t>(state.operation.data_input);
  const Extent written = extent_of(out);
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].is_absent() || (in_place && i == data)) continue;
    if (overlap(extent_of(inputs[i]), written))
      return refuse(state, ErrorCode::kInvalidArgument,
                    "the output overlaps " + input_name(state, i) + " in memory");
  }
  return {};
}

}  // namespace

Status check_input(const PlanState& state, std::size_t input, const TensorView& view) {
  return check_tensor(state, input_name(state, input), state.inputs[input], view);
}

Status check_output(const PlanState& state, const MutableTensorView& out) {
  if (Status status = check_tensor(state, "the output", state.result, out); !status) return status;
  return check_disjoint(state, out);
}

void note_usual_tensors(PlanState& state) {
  for (const TensorSpec& input : state.inputs) state.usual_inputs.push_back(usual_tensor(input));
  state.usual_result = usual_tensor(state.result);
}

Status check_run(const PlanState& state, std::span<const TensorView> inputs,
                 const MutableTensorView& out, RunFacts& facts) {
  facts.usual = are_usual(state, inputs, out);
  if (!facts.usual)
    if (Status status = check_inputs(state, inputs); !status) return status;
  for (const int fixed : state.operation.fixed_inputs) {
    const auto input = static_cast<std::size_t>(fixed);
    const bool is_left_out = state.inputs[input].is_absent();
    Status status = is_left_out ? check_left_out(state, input, inputs)
                                : check_fixed(state, input, inputs[input]);
    if (!status) return status;
  }
  // A usual output is row-major: no two of its elements share a byte.
  if (!facts.usual)
    if (Status status = check_output(state, out); !status) return status;
  facts.in_place = is_in_place(state, inputs, out);
  if (facts.usual && are_apart(state, inputs, out, facts.in_place)) return {};
  return check_overlap(state, inputs, out, facts.in_place);
}

namespace {

std::array<bool, kMostInputs> inputs_with_indices(const Operation& operation) {
  std::array<bool, kMostInputs> has_indices{};
  // Which parents are read depends on all other inputs.
  if (operation.beams) has_indices.fill(true);
  if (operation.segments) {
    has_indices[static_cast<std::size_t>(operation.segments->bounds_input)] = true;
    return has_indices;
  }
  if (operation.bags)
    for (const int input : {operation.bags->bounds_input, operation.bags->default_input})
      if (input >= 0) has_indices[static_cast<std::size_t>(input)] = true;
  for (const AxisMap& axis : operation.map.axes)
    for (const IndexTerm& term : axis.terms)
      has_indices[static_cast<std::size_t>(term.input)] = true;
  return has_indices;
}

}  // namespace

Result<BadIndices> list_bad_indices(const PlanState& state, std::span<const TensorView> inputs,
                                    const RunOptions& options) {
  const Operation& operation = state.byte_operation();
  const std::array<bool, kMostInputs> has_indices = inputs_with_indices(operation);
  std::array<TensorView, kMostInputs> views;
  std::array<Tensor, kMostInputs> unpacked;
  for (std::size_t i = 0; i < state.inputs.size(); ++i) {
    if (!has_indices[i]) continue;
    views[i] = i < inputs.size() ? inputs[i] : TensorView();
    if (Status status = check_input(state, i, views[i]); !status) return status;
    if (!is_packed(views[i].dtype)) continue;
    auto bytes = unpack(views[i]);
    if (!bytes) return out_of_memory(state);
    unpacked[i] = *std::move(bytes);
    views[i] = unpacked[i].view();
  }
  std::optional<Interruption> interruption;
  if (options.interrupt != nullptr) interruption.emplace(*options.interrupt);
  const std::span<const TensorView> read(views.data(), state.inputs.size());
  if (operation.bags || operation.segments) {
    const auto bounds = BagBounds::read(operation, read, options.listed_indices);
    if (!bounds)
      return bounds.error().index_fault() ? bounds.error().index_fault()->listed : BadIndices{};
    if (operation.segments) return BadIndices{};
  }
  const auto describe = operation.beams ? &describe_illegal_parents : &describe_illegal_indices;
  const Status status =
      describe(operation, read, interruption ? &*interruption : nullptr, options.listed_indices);
  if (interruption && interruption->was_requested()) return interrupted(state);
  return status ? BadIndices{} : status.index_fault()->listed;
}

namespace {

Status failure(const PlanState& state, ErrorCode code, const char* what) {
  const std::string& name = state.operation.operator_name;
  return Status(ErrorInfo{code, name + ": " + what, name, {}, nullptr});
}

}  // namespace

Status out_of_memory(const PlanState& state) {
  return failure(state, ErrorCode::kOutOfMemory, "out of memory");
}

Status interrupted(const PlanState& state) {
  return failure(state, ErrorCode::kInterrupted, "interrupted by the caller");
}

Status indices_changed(const PlanState& state) {
  return failure(state, ErrorCode::kIndexOutOfRange, "the indices changed during the call");
}

Status no_way(const PlanState& state) {
  return failure(state, ErrorCode::kInternal,
                 "no way to run that the plan holds serves this call, so that nothing was written");
}

}  // namespace windrow::internal
