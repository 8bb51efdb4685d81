#include "tools/windrow/explain_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <utility>

#include "tools/windrow/fields_json.h"
#include "tools/windrow/operator_words.h"
#include "tools/windrow/tensor_words.h"
#include "windrow/nearest_name.h"

namespace windrow::tool {
namespace {

// Tensors of more elements that are given by their shape alone have no values.
constexpr std::int64_t kMostCounted = std::int64_t{1} << 16;

// float32 where the input may be that, else int64, else the first type that it may have.
DType usual_type(const OperatorInput& input) {
  for (const DType type : {DType::kFloat32, DType::kInt64})
    if (std::find(input.dtypes.begin(), input.dtypes.end(), type) != input.dtypes.end())
      return type;
  return input.dtypes.empty() ? DType::kFloat32 : input.dtypes.front();
}

DType index_or_usual_type(const OperatorInput& input) {
  const DType usual = usual_type(input);
  const bool holds_int64 =
      std::find(input.dtypes.begin(), input.dtypes.end(), DType::kInt64) != input.dtypes.end();
  return input.holds_indices() && holds_int64 ? DType::kInt64 : usual;
}

void add_shape(const std::string& input, DType type, const Shape& shape, ExplainInputs& inputs,
               std::size_t place) {
  const auto count = element_count(shape);
  if (!count) refuse(input, "the shape has more than 2^63-1 elements");
  if (*count > kMostCounted) {
    inputs.views[place] = TensorView(type, shape, nullptr);
    return;
  }
  inputs.tensors[place] = counting_tensor(type, shape);
  inputs.views[place] = inputs.tensors[place];
}

// `told`: the type that --dtype says; kAbsent: it says none.
void add_input(const OperatorInfo& info, std::size_t place, const std::string& word, DType told,
               const ReadTensor& read, ExplainInputs& inputs) {
  const OperatorInput& input = info.inputs[place];
  const DType type = told == DType::kAbsent ? index_or_usual_type(input) : told;
  if (const std::optional<Shape> shape = parse_shape(word))
    return add_shape(input.name, type, *shape, inputs, place);
  const Json lists = Json::parse(word, nullptr, false);
  if (!lists.is_discarded() && !lists.is_object()) {
    inputs.tensors[place] = tensor_of_lists(input.name, type, lists);
  } else {
    inputs.tensors[place] = read(word, input.name, told);
    require_told_type(info, place, told, inputs.tensors[place].dtype());
  }
  inputs.views[place] = inputs.tensors[place];
}

std::size_t place_of(const OperatorInfo& info, const std::string& word) {
  std::string known;
  NearestName nearest(word);
  for (std::size_t i = 0; i < info.inputs.size(); ++i) {
    nearest.consider("--" + info.inputs[i].name);
    if (word == "--" + info.inputs[i].name) return i;
    known += (known.empty() ? "--" : ", --") + info.inputs[i].name;
  }
  fail(ErrorCode::kInvalidArgument,
       fmt::format("{}: {} has the inputs {}{}", word, operator_text(info), known, nearest.hint()));
}

constexpr std::size_t kNoInput = static_cast<std::size_t>(-1);

// The only required input that is absent, if its elements are moved; else kNoInput.
std::size_t missing_updates(const OperatorInfo& info, const ExplainInputs& inputs) {
  std::size_t missing = kNoInput;
  for (std::size_t i = 0; i < info.inputs.size(); ++i) {
    if (info.inputs[i].optional || !inputs.views[i].is_absent()) continue;
    if (missing != kNoInput || i == 0 || info.inputs[i].type_group != "T") return kNoInput;
    missing = i;
  }
  return missing;
}

// `first` to `last` without it of the extents of `shape`, added to `extents`.
void add_extents(const Shape& shape, int first, int last, std::vector<std::int64_t>& extents) {
  for (int axis = first; axis < last; ++axis) extents.push_back(shape[axis]);
}

// The shapes of updates of elements, of tuples and of rows along each axis, each once.
std::set<std::vector<std::int64_t>> updates_shapes(const Shape& data, const Shape& indices) {
  std::set<std::vector<std::int64_t>> shapes;
  std::vector<std::int64_t> elements;
  add_extents(indices, 0, indices.rank(), elements);
  shapes.insert(elements);
  if (indices.rank() > 0 && indices[indices.rank() - 1] <= data.rank()) {
    std::vector<std::int64_t> tuples;
    add_extents(indices, 0, indices.rank() - 1, tuples);
    add_extents(data, static_cast<int>(indices[indices.rank() - 1]), data.rank(), tuples);
    shapes.insert(tuples);
  }
  for (int axis = 0; axis < data.rank(); ++axis) {
    std::vector<std::int64_t> rows;
    add_extents(data, 0, axis, rows);
    add_extents(indices, 0, indices.rank(), rows);
    add_extents(data, axis + 1, data.rank(), rows);
    shapes.insert(rows);
  }
  return shapes;
}

// The first given input of indices; null if there is none.
const TensorView* given_indices(const OperatorInfo& info, const ExplainInputs& inputs) {
  for (std::size_t i = 1; i < info.inputs.size(); ++i)
    if (info.inputs[i].holds_indices() && !info.inputs[i].value_at_compile &&
        !inputs.views[i].is_absent())
      return &inputs.views[i];
  return nullptr;
}

}  // namespace

void add_missing_updates(const OperatorId& id, const OperatorInfo& info,
                         const Attributes& attributes, const CallOptions& options,
                         ExplainInputs& inputs) {
  const std::size_t updates = missing_updates(info, inputs);
  const TensorView* const indices = given_indices(info, inputs);
  if (!info.scatter || updates == kNoInput || indices == nullptr) return;
  const DType type = inputs.views[0].dtype;
  std::vector<TensorSpec> specs = specs_of(id, inputs.views).value();
  std::optional<Shape> fixed;
  for (const std::vector<std::int64_t>& extents :
       updates_shapes(inputs.views[0].shape, indices->shape)) {
    Shape shape;
    for (const std::int64_t extent : extents)
      if (!shape.push_back(extent)) return;
    specs[updates] = TensorSpec{type, shape, std::nullopt, nullptr};
    if (!compile(id, attributes, specs, options)) continue;
    if (fixed) return;
    fixed = shape;
  }
  if (fixed) add_shape(info.inputs[updates].name, type, *fixed, inputs, updates);
}

Tensor refuse_word(const std::string& word, const std::string& name, DType) {
  fail(ErrorCode::kInvalidArgument,
       fmt::format("{}: '{}' is neither a shape, as in 3x4 or 5x, nor a number, nor nested lists "
                   "of elements, as in [[1, 2], [3, 4]]",
                   name, word));
}

ExplainInputs parse_explain_inputs(const OperatorInfo& info, const std::vector<std::string>& words,
                                   const std::vector<DType>& types, const ReadTensor& read) {
  ExplainInputs inputs;
  inputs.tensors.resize(info.inputs.size());
  inputs.views.resize(info.inputs.size());
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::size_t place = place_of(info, words[i]);
    if (i + 1 == words.size()) refuse(info.inputs[place].name, "needs a value");
    if (std::count(seen.begin(), seen.end(), place) > 0)
      refuse(info.inputs[place].name, "is given twice");
    seen.push_back(place);
    add_input(info, place, words[i + 1], types[place], read, inputs);
  }
  return inputs;
}

WordsCall call_of_words(const ExplainWords& words, const CallOptions& options,
                        const ReadTensor& read) {
  WordsCall call;
  call.id = parse_operator_id(words.name, words.version);
  const OperatorInfo info = find_operator(call.id).value();
  call.attributes = parse_attributes(info, words.attributes);
  call.inputs = parse_explain_inputs(info, words.inputs, told_types(info, words.dtypes), read);
  add_missing_updates(call.id, info, call.attributes, options, call.inputs);
  return call;
}

Result<Comparison> compare_with(const OperatorId& id, const Attributes& attributes,
                                std::span<const TensorView> inputs, const std::string& other,
                                const ShownCall& call) {
  const std::size_t colon = other.find(':');
  const OperatorId other_id = parse_operator_id(other.substr(0, colon), std::nullopt);
  std::vector<std::string> texts;
  for (std::size_t at = colon; at != std::string::npos;) {
    const std::size_t next = other.find(',', at + 1);
    texts.push_back(other.substr(at + 1, next == std::string::npos ? next : next - at - 1));
    at = next;
  }
  const Attributes chosen = parse_attributes(find_operator(other_id).value(), texts);
  return compare_operators(id, attributes, inputs, other_id, chosen, call.options, call.shown,
                           call.most_partings);
}

Json explanation_document(const Explanation& explanation,
                          const std::vector<Comparison>& comparisons) {
  Json document = field_json(explanation);
  if (!comparisons.empty()) document["comparisons"] = field_json(comparisons);
  return document;
}

}  // namespace windrow::tool
