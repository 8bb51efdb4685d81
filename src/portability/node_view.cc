#include "src/portability/node_view.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>
#include <variant>

#include "src/portability/given_values.h"
#include "src/ranges/extents.h"
#include "src/ranges/value_range.h"

namespace windrow::internal {
namespace {

// The family of the operators of dialects that no model has.
constexpr unsigned kInNoModel = 0;

struct Families {
  std::string_view dialect;
  std::string_view name;
  unsigned families;
};

constexpr Families kFamilies[] = {
#define WINDROW_OPERATOR(dialect, Operator, function, inputs, families) \
  {#dialect, #Operator, families},
#include "src/operators/operators.inc"
};
static_assert(std::all_of(std::begin(kFamilies), std::end(kFamilies),
                          [](const Families& row) {
                            return (row.families == kInNoModel) == (row.dialect == "array") &&
                                   (row.families & ~(kEveryFamily | kOutsideEquation)) == 0;
                          }),
              "check judges every operator that a model may have");

// The attribute's value in the node, else its default; null if the operator has no such attribute,
// or if the node's value has another type.
template <class T>
const T* attribute(const ModelNode& node, const OperatorInfo& info, std::string_view name) {
  for (const OperatorAttribute& declared : info.attributes) {
    if (declared.name != name) continue;
    const auto given = node.attributes.find(name);
    return std::get_if<T>(given == node.attributes.end() ? &declared.default_value
                                                         : &given->second);
  }
  return nullptr;
}

// The families that TensorRT's `mode` chooses.
unsigned families_of_mode(std::string_view mode) {
  if (mode == "DEFAULT") return kGather;
  if (mode == "ELEMENT") return kElementwise;
  return mode == "ND" ? kTupled : 0U;
}

std::optional<OperatorFamily> family_of(const ModelNode& node, const OperatorInfo& info) {
  unsigned families = 0;
  for (const Families& row : kFamilies)
    if (row.dialect == info.dialect && row.name == info.name) families = row.families;
  if (!std::has_single_bit(families)) {
    const auto* const mode = attribute<std::string>(node, info, "mode");
    families &= mode == nullptr ? 0U : families_of_mode(*mode);
  }
  if (families == 0) return std::nullopt;
  return static_cast<OperatorFamily>(families);
}

// The member of the view for an input of that name; null if there is none.
InputView* place_of(NodeView& view, std::string_view name) {
  if (name == "data" || name == "X" || name == "past_cache" || name == "cache" ||
      name == "values" || name == "on_value")
    return &view.data;
  if (name == "indices" || name == "Y" || name == "write_indices" || name == "segment_ids")
    return &view.indices;
  if (name == "updates" || name == "update" || name == "off_value") return &view.updates;
  const bool is_number = name == "axis" || name == "depth" || name == "num_segments";
  return is_number ? &view.axis_input : nullptr;
}

// The same, or a new member of NodeView::slices.
InputView* declared_place(NodeView& view, std::string_view name) {
  const bool slices = name == "start" || name == "stop" || name == "step" || name == "axes";
  return slices ? &view.slices.emplace_back() : place_of(view, name);
}

void set_inputs(const NodeFacts& facts, const ObservedNode* observed, NodeView& view) {
  const std::vector<OperatorInput>& declared = view.op->info.inputs;
  for (std::size_t i = 0; i < facts.inputs.size() && i < declared.size(); ++i) {
    if (facts.place.node.inputs[i].empty()) continue;
    InputView* const input = declared_place(view, declared[i].name);
    if (input != nullptr) *input = input_of(facts, i, declared[i].name, *view.extents, observed);
  }
  view.axis_input.value = single_value(view.axis_input);
  if (view.axis_input.value && !view.axis_input.is_observed)
    view.premises = view.axis_input.fact.range.premises;
}

void set_axis(NodeView& view) {
  const auto rank = view.data.rank();
  if (!rank || (view.family & (kTupled | kOneHot | kSegmentMax | kSliceScatter)) != 0) return;
  std::optional<std::int64_t> axis;
  if (view.axis_input.is_given()) {
    axis = view.axis_input.value;
  } else if (const auto* given = attribute<std::int64_t>(view.place->node, view.op->info, "axis")) {
    axis = *given;
  } else {
    axis = view.family == kTensorScatter ? -2 : -1;
  }
  if (!axis) return;
  view.axis = place_of_axis(*axis, *rank);
}

void set_columns(NodeView& view) {
  const SymbolicShape& data = view.data.fact.dims;
  if (view.family == kOneHot || view.family == kSegmentMax) {
    Dim depth;
    depth.value = std::max<std::int64_t>(view.axis_input.value.value_or(-1), -1);
    view.columns = {IndexColumn{0, depth}};
    return;
  }
  if (!data) return;
  if ((view.family & kTupled) == 0) {
    if (view.axis) view.columns = {IndexColumn{*view.axis, (*data)[*view.axis]}};
    return;
  }
  const SymbolicShape& indices = view.indices.fact.dims;
  if (!indices || indices->empty() || !indices->back().is_known()) return;
  const std::int64_t length = indices->back().value;
  const auto rank = static_cast<std::int64_t>(data->size());
  if (view.batch_dims < 0 || view.batch_dims > rank || length > rank - view.batch_dims) return;
  view.columns.emplace();
  for (std::int64_t i = 0; i < length; ++i) {
    const auto axis = static_cast<std::size_t>(view.batch_dims + i);
    view.columns->push_back({axis, (*data)[axis]});
  }
}

void set_attributes(NodeView& view) {
  const ModelNode& node = view.place->node;
  const OperatorInfo& info = view.op->info;
  for (const char* const name : {"batch_dims", "num_elementwise_dims"}) {
    if (const auto* given = attribute<std::int64_t>(node, info, name)) view.batch_dims = *given;
  }
  if (const auto rank = view.indices.rank(); view.batch_dims < 0 && rank)
    view.batch_dims += static_cast<std::int64_t>(*rank);  // OpenVINO's count from the end
  view.has_reduction_attribute = node.attributes.contains("reduction");
  if (const auto* given = attribute<std::string>(node, info, "reduction")) view.reduction = *given;
  if (view.dialect == kOpenvino && view.reduction == "sum") view.reduction = "add";
  if (view.dialect == kOpenvino && view.reduction == "prod") view.reduction = "mul";
  if (const auto* given = attribute<bool>(node, info, "use_init_val")) view.use_init_val = *given;
  const auto* const mode = attribute<std::string>(node, info, "mode");
  view.is_circular = mode != nullptr && *mode == "circular";
}

}  // namespace

Dialect dialect_named(std::string_view name) {
  if (name == "openvino") return kOpenvino;
  return name == "tensorrt" ? kTensorrt : kOnnx;
}

void InputView::observe(std::shared_ptr<const Tensor> seen) {
  elements = std::move(seen);
  is_observed = true;
  fact = ValueFact();
  fact.dtype = elements->dtype();
  fact.dims = symbolic(elements->shape());
}

std::optional<std::int64_t> InputView::count() const {
  return is_empty() ? 0 : known_count(fact.dims);
}

bool InputView::is_empty() const {
  return fact.dims && std::any_of(fact.dims->begin(), fact.dims->end(),
                                  [](const Dim& dim) { return dim.value == 0; });
}

bool InputView::has_elements() const {
  return fact.dims && std::all_of(fact.dims->begin(), fact.dims->end(),
                                  [](const Dim& dim) { return least(dim) > 0; });
}

std::optional<std::int64_t> InputView::extent(std::size_t axis) const {
  return rank() > axis ? known_extent(fact.dims, axis) : std::nullopt;
}

std::optional<std::size_t> InputView::rank() const {
  if (!fact.dims) return std::nullopt;
  return fact.dims->size();
}

InputView input_of(const NodeFacts& facts, std::size_t position, std::string_view name,
                   Extents& extents, const ObservedNode* observed) {
  InputView input;
  if (position >= facts.inputs.size() || facts.place.node.inputs[position].empty()) return input;
  input.position = position;
  input.name = name;
  input.fact = *facts.inputs[position];
  if (input.fact.constant != nullptr && !input.fact.dims) {
    input.is_misread = true;
    input.fact.dims = symbolic(input.fact.constant->shape());
    input.fact.constant = nullptr;
  }
  for (Interval& interval : input.fact.range.integers)
    extents.assume_held(interval, input.fact.range.premises);
  if (observed != nullptr && position < observed->inputs.size() && observed->inputs[position])
    input.observe(observed->inputs[position]);
  return input;
}

std::optional<std::int64_t> single_value(const InputView& input) {
  if (input.count() == 1 && is_integer(input.fact.dtype)) {
    if (const auto elements = known_elements(input)) return integer_at(*elements, 0);
  }
  if (input.fact.range.integers.size() == 1) {
    const Interval& interval = input.fact.range.integers.front();
    if (interval.low == interval.high) return interval.low;
  }
  return std::nullopt;
}

std::string NodeView::operator_name() const {
  if (op == nullptr) return foreign_name;
  return op->info.dialect + "." + op->info.name + "-" + std::to_string(op->info.since_version);
}

namespace {

// What is known of a value without the premises of its type and shape.
ValueFact without_premises(ValueFact fact, const Extents& extents) {
  if (!fact.type_premises.empty()) fact.dtype = DType::kAbsent;
  if (!fact.shape_premises.empty()) fact.dims.reset();
  fact.type_premises.clear();
  fact.shape_premises.clear();
  // The elements of a constant have not been read if it is large.
  if (fact.constant == nullptr) complete(fact, extents);
  return fact;
}

std::vector<ValueFact> without_premises(std::span<const ValueFact* const> facts,
                                        const Extents& extents) {
  std::vector<ValueFact> result;
  for (const ValueFact* const fact : facts) result.push_back(without_premises(*fact, extents));
  return result;
}

Premises premises_of_forms(std::span<const ValueFact* const> facts) {
  Premises premises;
  for (const ValueFact* const fact : facts)
    premises = united(premises, united(fact->type_premises, fact->shape_premises));
  return premises;
}

std::vector<const ValueFact*> addresses(const std::vector<ValueFact>& facts) {
  std::vector<const ValueFact*> result;
  for (const ValueFact& fact : facts) result.push_back(&fact);
  return result;
}

}  // namespace

std::optional<NodeView> view_node(const NodeFacts& facts, Extents& extents,
                                  const ObservedNode* observed) {
  if (facts.op == nullptr) return std::nullopt;
  const std::optional<OperatorFamily> family = family_of(facts.place.node, facts.op->info);
  if (!family || (*family & kOutsideEquation) != 0) return std::nullopt;
  NodeView view;
  view.place = &facts.place;
  view.op = facts.op;
  view.extents = &extents;
  view.family = *family;
  view.dialect = dialect_named(facts.op->info.dialect);
  view.is_scatter = facts.op->info.scatter;
  for (const ValueFact* const output : facts.outputs) view.outputs.push_back(*output);
  set_inputs(facts, observed, view);
  set_attributes(view);
  set_axis(view);
  set_columns(view);
  view.form_premises = united(premises_of_forms(facts.inputs), premises_of_forms(facts.outputs));
  if (view.form_premises.empty()) return view;
  const std::vector<ValueFact> inputs = without_premises(facts.inputs, extents);
  const std::vector<ValueFact> outputs = without_premises(facts.outputs, extents);
  std::optional<NodeView> bare =
      view_node({facts.place, facts.op, addresses(inputs), addresses(outputs)}, extents, observed);
  view.without_premises = std::make_shared<NodeView>(*std::move(bare));
  return view;
}

Result<std::shared_ptr<const Tensor>> elements_of(const InputView& input) {
  if (input.elements != nullptr) return input.elements;
  if (input.fact.constant == nullptr) return std::shared_ptr<const Tensor>();
  return input.fact.constant->tensor();
}

std::shared_ptr<const Tensor> known_elements(const InputView& input) {
  const Result<std::shared_ptr<const Tensor>> elements = elements_of(input);
  return elements ? *elements : nullptr;
}

}  // namespace windrow::internal
