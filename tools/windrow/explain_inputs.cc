#include "tools/windrow/explain_inputs.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <optional>

#include "tools/windrow/attribute_text.h"
#include "tools/windrow/console.h"
#include "tools/windrow/inline_tensor.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/told_types.h"
#include "windrow/models.h"
#include "windrow/nearest_name.h"

namespace windrow::tool {
namespace {

// Tensors of more elements that are given by their shape alone have no values.
constexpr std::int64_t kMostCounted = std::int64_t{1} << 16;

[[noreturn]] void refuse(const std::string& input, const std::string& text) {
  fail(ErrorCode::kInvalidArgument, fmt::format("--{}: {}", input, text));
}

// float32 where the input may be that, else int64, else the first type that it may have.
DType usual_type(const OperatorInput& input) {
  for (const DType type : {DType::kFloat32, DType::kInt64})
    if (std::find(input.dtypes.begin(), input.dtypes.end(), type) != input.dtypes.end())
      return type;
  return input.dtypes.empty() ? DType::kFloat32 : input.dtypes.front();
}

DType index_or_usual_type(const OperatorInput& input) {
  const DType usual = usual_type(input);
  const bool moved = input.type_group == "T";  // the result's
  const bool holds_int64 =
      std::find(input.dtypes.begin(), input.dtypes.end(), DType::kInt64) != input.dtypes.end();
  return !moved && holds_int64 ? DType::kInt64 : usual;
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

Tensor load_told(const OperatorInfo& info, std::size_t place, const std::string& word, DType told,
                 InputFiles& files) {
  Tensor tensor = files.load_tensor(word, info.inputs[place].name, told);
  require_told_type(info, place, told, tensor.dtype());
  return tensor;
}

// `told`: the type that --dtype says; kAbsent: it says none.
void add_input(const OperatorInfo& info, std::size_t place, const std::string& word, DType told,
               InputFiles& files, ExplainInputs& inputs) {
  const OperatorInput& input = info.inputs[place];
  const DType type = told == DType::kAbsent ? index_or_usual_type(input) : told;
  if (const std::optional<Shape> shape = parse_shape(word))
    return add_shape(input.name, type, *shape, inputs, place);
  const Json lists = Json::parse(word, nullptr, false);
  if (!lists.is_discarded() && !lists.is_object())
    inputs.tensors[place] = tensor_of_lists(input.name, type, lists);
  else
    inputs.tensors[place] = load_told(info, place, word, told, files);
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

}  // namespace

ExplainInputs parse_explain_inputs(const OperatorInfo& info, const std::vector<std::string>& words,
                                   const std::vector<DType>& types) {
  ExplainInputs inputs;
  InputFiles files;
  inputs.tensors.resize(info.inputs.size());
  inputs.views.resize(info.inputs.size());
  std::vector<std::size_t> seen;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    const std::size_t place = place_of(info, words[i]);
    if (i + 1 == words.size()) refuse(info.inputs[place].name, "needs a value");
    if (std::count(seen.begin(), seen.end(), place) > 0)
      refuse(info.inputs[place].name, "is given twice");
    seen.push_back(place);
    add_input(info, place, words[i + 1], types[place], files, inputs);
  }
  return inputs;
}

}  // namespace windrow::tool
