#include "windrow/explain.h"

#include <algorithm>
#include <new>
#include <optional>
#include <set>
#include <utility>

#include "src/access/access_map.h"
#include "src/explain/explain_code.h"
#include "src/explain/explain_outside.h"
#include "src/explain/explain_point.h"
#include "src/explain/explain_writes.h"
#include "src/explain/to_text.h"
#include "src/explain/translate_call.h"
#include "src/operators/operator_call.h"
#include "src/operators/plan_state.h"
#include "src/pooling/bag_bounds.h"
#include "src/reference/element.h"

namespace windrow {
namespace internal {
namespace {

Status invalid(const OperatorRow& row, const std::string& text) {
  const std::string name = row.operator_name();
  return Status(ErrorInfo{ErrorCode::kInvalidArgument, name + ": " + text, name, {}, nullptr});
}

// The specs of the inputs, with the values that shapes and addresses depend on.
Result<std::vector<TensorSpec>> known_specs(const OperatorRow& row,
                                            std::span<const TensorView> inputs) {
  for (std::size_t i = 0; i < row.inputs.size(); ++i) {
    const InputSchema& input = row.inputs[i];
    const bool is_given = i < inputs.size() && !inputs[i].is_absent();
    if (is_given && is_fixed(input.group) && !has_values(inputs[i]))
      return invalid(
          row, std::string(input.name) + " has no known value, on which the addresses depend");
    if (is_given || input.counted_input < 0) continue;
    const auto ids = static_cast<std::size_t>(input.counted_input);
    if (ids < inputs.size() && !has_values(inputs[ids]))
      return invalid(row, std::string(input.name) + " is left out and " +
                              std::string(row.inputs[ids].name) +
                              ", whose last element then decides it, has no known values");
  }
  return specs_of(row, inputs);
}

Status check_options(const OperatorRow& row, const Shape& output, const ExplainOptions& options) {
  if (options.most_points < 1 || options.most_searched < 1)
    return invalid(row, "most_points and most_searched must be at least 1");
  for (const Dims& element : options.elements) {
    bool inside = element.rank() == output.rank();
    for (int axis = 0; inside && axis < output.rank(); ++axis)
      inside = element[axis] >= 0 && element[axis] < output[axis];
    if (!inside)
      return invalid(row, "element " + to_string(element) +
                              " is not in the output, whose shape is " + to_string(output));
  }
  return {};
}

// The texts of a tensor's elements, unless there are more than `most`.
std::vector<std::string> value_texts(const TensorView& view, std::int64_t most) {
  std::vector<std::string> texts;
  if (view.is_absent() || view.data == nullptr || element_count(view.shape).value_or(0) > most)
    return texts;
  reference::for_each_position(view.shape, [&](const Dims& position) {
    texts.push_back(element_text(reference::read_element(view, position)));
    return true;
  });
  return texts;
}

ExplainedTensor explain_tensor(std::string_view name, const TensorView& view,
                               const ExplainOptions& options) {
  return {std::string(name), view.dtype, view.shape, has_values(view),
          value_texts(view, options.most_values)};
}

// The output by the reference; none if the call fails, an input's values are not known, or the
// output is too large for what is to be said of it.
std::optional<Tensor> compute_output(const OperatorId& id, const Attributes& attributes,
                                     std::span<const TensorView> inputs,
                                     const CallOptions& call_options, const ExplainOptions& options,
                                     const Operation& operation, const Explanation& explanation) {
  const bool shown = element_count(explanation.output.shape).value_or(0) <= options.most_values;
  const bool wanted =
      explanation.points <= options.most_searched && (shown || operation.dequantise) &&
      std::all_of(inputs.begin(), inputs.end(), [](const TensorView& i) { return has_values(i); });
  if (!wanted) return std::nullopt;
  Result<Tensor> output = call_reference(id, attributes, inputs, call_options);
  if (!output) return std::nullopt;
  return *std::move(output);
}

// The inputs whose values say which elements a run reads.
std::set<int> index_inputs(const Operation& operation) {
  std::set<int> inputs;
  if (has_own_walks(operation))
    for (const int input : deciding_inputs(operation)) inputs.insert(input);
  for (const AxisMap& axis : operation.map.axes)
    for (const IndexTerm& term : axis.terms) inputs.insert(term.input);
  return inputs;
}

// The numbers of the output's elements whose walks are shown.
std::vector<std::int64_t> shown_points(const Operation& operation, const ExplainOptions& options,
                                       std::int64_t points) {
  std::vector<std::int64_t> numbers;
  if (options.elements.empty() && options.corner) {
    const Shape block = corner_block(operation.map.loops, std::min(points, options.most_points));
    reference::for_each_position(block, [&](const Dims& counters) {
      if (points > 0) numbers.push_back(reference::flat_index(operation.map.loops, counters));
      return true;
    });
    return numbers;
  }
  if (options.elements.empty()) {
    for (std::int64_t i = 0; i < std::min(points, options.most_points); ++i) numbers.push_back(i);
    return numbers;
  }
  for (const Dims& element : options.elements) {
    if (std::ssize(numbers) == options.most_points) break;
    numbers.push_back(reference::flat_index(operation.result_shape, element));
  }
  return numbers;
}

// computed: the output, if it is known.
void explain_walks(const Operation& operation, std::span<const TensorView> inputs,
                   const std::optional<Tensor>& computed, const ExplainOptions& options,
                   Explanation& explanation) {
  const TensorView& data = inputs[static_cast<std::size_t>(operation.data_input)];
  for (const std::int64_t number : shown_points(operation, options, explanation.points)) {
    ExplainedPoint point = explain_point(operation, inputs, number);
    const bool illegal = is_illegal(point);
    if (illegal) ++explanation.illegal;
    if (operation.dequantise) {
      if (!illegal && computed)
        point.value = element_text(reference::read_element(*computed, point.direct));
      explain_code(*operation.dequantise, inputs, data, point);
    } else if (!illegal && has_values(data)) {
      point.value = element_text(point.cell ? reference::read_element(data, *point.cell)
                                            : reference::zero_element(operation.dtype));
    }
    explanation.walks.push_back(std::move(point));
  }
  explanation.searched = std::ssize(explanation.walks);
}

Explanation describe_call(const OperatorRow& row, const Operation& operation,
                          const Attributes& attributes, std::span<const TensorView> inputs,
                          const ExplainOptions& options) {
  Explanation explanation;
  explanation.operator_name = operation.operator_name;
  explanation.attributes = attributes;
  explanation.scatter = operation.scatter;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    explanation.inputs.push_back(explain_tensor(row.inputs[i].name, inputs[i], options));
  explanation.output = {
      std::string(row.output), operation.dtype, operation.result_shape, false, {}};
  explanation.indirect_input = operation.data_input;
  if (operation.scatter) explanation.updates_input = operation.updates_input;
  if (operation.bags) explanation.weights_input = operation.bags->weights_input;
  if (operation.dequantise) {
    const auto data = static_cast<std::size_t>(operation.data_input);
    explanation.counted_data = count_values(*operation.dequantise, inputs[data],
                                            explanation.inputs[data], options.most_values);
  }
  explanation.equation = equation(operation);
  explanation.axes = explain_loops(operation);
  explanation.output_axes = has_own_walks(operation)
                                ? explain_outside_axes(operation)
                                : explain_output_axes(operation, inputs, explanation.axes);
  if (!is_outside_equation(operation) && !operation.segments)
    explanation.numpy = numpy_line(operation, inputs, explanation.axes);
  explanation.folds = operation.combine != Combine::kAssign;
  explanation.refuses_duplicates = operation.refuse_duplicates;
  explanation.points = element_count(operation.map.loops).value_or(0);
  return explanation;
}

// Sets the input of segment ids that the call leaves out to those that its offsets make, of unknown
// values if theirs are unknown or illegal. Returns the memory of the values, or what is illegal.
Result<Tensor> show_segments(const Operation& operation, std::vector<TensorView>& inputs) {
  if (!operation.segments) return Tensor();
  const auto made = static_cast<std::size_t>(operation.map.axes.front().terms.front().input);
  inputs[made] = TensorView(DType::kInt64, {operation.map.loops[0]}, nullptr);
  if (!has_values(inputs[static_cast<std::size_t>(operation.segments->bounds_input)]))
    return Tensor();
  Result<Tensor> ids = segments_by_offsets(operation, inputs);
  if (ids) inputs[made] = ids->view();
  return ids;
}

Result<Explanation> explain_row(const OperatorRow& row, const OperatorId& id,
                                const Attributes& attributes, std::span<const TensorView> inputs,
                                const CallOptions& call_options, const ExplainOptions& options) {
  const Result<std::vector<TensorSpec>> specs = known_specs(row, inputs);
  if (!specs) return specs.error();
  const Result<Plan> plan = compile(id, attributes, *specs, call_options);
  if (!plan) return plan.error();
  const PlanState& state = PlanAccess::state(*plan);
  const Operation& operation = state.operation;
  if (Status status = check_options(row, operation.result_shape, options); !status) return status;
  std::vector<TensorView> all(inputs.begin(), inputs.end());
  all.resize(row.inputs.size());
  const Result<Tensor> segments = show_segments(operation, all);
  Explanation explanation = describe_call(row, operation, attributes, all, options);
  const std::optional<Tensor> computed =
      compute_output(id, attributes, inputs, call_options, options, operation, explanation);
  if (computed) explanation.output.values = value_texts(*computed, options.most_values);
  explanation.output.has_values = !explanation.output.values.empty();
  const std::set<int> index_tensors = index_inputs(operation);
  const bool knows_indices =
      std::all_of(index_tensors.begin(), index_tensors.end(),
                  [&](int input) { return has_values(all[static_cast<std::size_t>(input)]); });
  if (!segments) explanation.failure = segments.error().message();
  if (!segments || !knows_indices) return explanation;
  if (has_own_walks(operation)) {
    explain_outside(operation, all, options, explanation);
    return explanation;
  }
  explanation.failure = find_failure(operation, all, options.most_searched);
  if (operation.scatter)
    explain_writes(operation, all, options, explanation);
  else
    explain_walks(operation, all, computed, options, explanation);
  return explanation;
}

}  // namespace
}  // namespace internal

Result<Explanation> explain(const OperatorId& id, const Attributes& attributes,
                            std::span<const TensorView> inputs, const CallOptions& call_options,
                            const ExplainOptions& options) {
  const auto row = internal::find_row(id.dialect, id.name, id.version);
  if (!row) return row.error();
  try {
    return internal::explain_row(**row, id, attributes, inputs, call_options, options);
  } catch (const std::bad_alloc&) {
    return Status(ErrorCode::kOutOfMemory, (*row)->operator_name() + ": out of memory");
  }
}

}  // namespace windrow
