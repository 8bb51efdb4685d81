#include "src/portability/node_edit.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include "src/models/host_ops/host_ops.h"
#include "src/models/types.h"
#include "src/models/walk_model.h"
#include "src/ranges/extents.h"

namespace windrow::internal {
namespace {

// Collects the numbers that follow kFixedNames in the names of a model.
class UsedNumbers final : public ModelWalk {
 public:
  void enter(const std::string& /*path*/, const Graph& graph) override {
    for (const auto* const values :
         {&graph.inputs, &graph.default_inputs, &graph.outputs, &graph.values}) {
      for (const ValueInfo& value : *values) add(value.name);
    }
    for (const auto& [name, constant] : graph.constants) add(name);
    for (const auto& [name, constant] : graph.opaque_constants) add(name);
  }
  void visit(const NodePlace& place, std::size_t /*position*/) override {
    add(place.node.name);
    for (const std::string& output : place.node.outputs) add(output);
  }
  void leave() override {}

  void add(std::string_view name) {
    if (!name.starts_with(kFixedNames)) return;
    int number = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + kFixedNames.size(), end, number);
    if (read.ec == std::errc() && number > 0) used_.insert(number);
  }

  int first_free() const {
    int free = 1;
    for (const int number : used_) {
      if (number == free) ++free;
    }
    return free;
  }

 private:
  std::set<int> used_;
};

}  // namespace

FreshNames::FreshNames(const Model& model) {
  UsedNumbers used;
  walk_model(model, used);
  for (const auto& [alias, value] : model.aliases) used.add(alias);
  beginning_ = std::string(kFixedNames) + std::to_string(used.first_free()) + "_";
}

std::string FreshNames::make(std::string_view what) {
  return beginning_ + std::to_string(++count_) + "_" + std::string(what);
}

Tensor integer_tensor(DType dtype, const Shape& shape, const std::vector<std::int64_t>& values) {
  return convert(Tensor::from<std::int64_t>(shape, values), dtype).value();
}

NodeEdit::NodeEdit(const NodeView& view, const EditScope& scope, FreshNames& names)
    : view_(view), scope_(scope), names_(names) {
  change_.node = view.place->node;
  inputs_.resize(change_.node.inputs.size());
  for (std::size_t i = 0; i < inputs_.size(); ++i) inputs_[i].name = change_.node.inputs[i];
  for (const InputView* input : {&view.data, &view.indices, &view.updates, &view.axis_input}) {
    if (!input->is_given()) continue;
    EditedValue& value = inputs_[input->position];
    value.dtype = input->fact.dtype;
    value.dims = input->fact.dims;
    value.constant = input->fact.constant;
  }
}

const EditedValue& NodeEdit::input(const InputView& input) const { return inputs_[input.position]; }

void NodeEdit::set_input(const InputView& input, EditedValue value) {
  EditedValue& old = inputs_[input.position];
  if (old.constant != nullptr && old.name != value.name) change_.replaced.push_back(old.name);
  change_.node.inputs[input.position] = value.name;
  old = std::move(value);
}

void NodeEdit::declare(const EditedValue& value) {
  if (scope_.in_function) return;  // functions do not declare types
  ValueInfo info;
  info.name = value.name;
  info.dtype = value.dtype;
  info.dims = value.dims;
  // The symbols are names of extents, not names of the file.
  if (info.dims) {
    for (Dim& dim : *info.dims) dim.symbol.clear();
  }
  change_.values.push_back(std::move(info));
}

EditedValue NodeEdit::add_constant(std::string_view what, Tensor tensor) {
  EditedValue value{names_.make(what), tensor.dtype(), symbolic(tensor.shape()), nullptr};
  const auto shared = std::make_shared<const Tensor>(std::move(tensor));
  const auto [place, is_new] = change_.constants.emplace(value.name, Constant(shared));
  value.constant = &place->second;
  if (!scope_.in_function) return value;
  // A function has no initializers.
  ModelNode node;
  node.name = value.name;
  node.op_type = "Constant";
  node.outputs = {value.name};
  node.attributes["value"] = shared;
  change_.before.push_back(std::move(node));
  return value;
}

EditedValue NodeEdit::add_list(std::string_view what, const std::vector<std::int64_t>& values) {
  const Shape shape{static_cast<std::int64_t>(values.size())};
  return add_constant(what, integer_tensor(DType::kInt64, shape, values));
}

EditedValue NodeEdit::add_scalar(std::string_view what, std::int64_t value, DType dtype) {
  return add_constant(what, integer_tensor(dtype, Shape{}, {value}));
}

EditedValue NodeEdit::add_node(const Operator& op, const std::vector<EditedValue>& inputs,
                               DType dtype, SymbolicShape dims, Attributes attributes) {
  ModelNode node;
  node.op_type = is_onnx() ? op.onnx : op.openvino;
  if (!is_onnx()) node.version = op.openvino_version;
  std::string what = node.op_type;
  std::transform(what.begin(), what.end(), what.begin(),
                 [](unsigned char c) { return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c; });
  node.name = names_.make(what);
  for (const EditedValue& input : inputs) node.inputs.push_back(input.name);
  node.outputs = {node.name};
  node.attributes = std::move(attributes);
  EditedValue value{node.name, dtype, std::move(dims), nullptr};
  declare(value);
  (output_.empty() ? change_.before : change_.behind).push_back(std::move(node));
  return value;
}

void NodeEdit::put_before(const InputView& input, const Operator& op, const EditedValue& argument,
                          SymbolicShape dims, Attributes attributes) {
  const EditedValue old = inputs_[input.position];
  set_input(input,
            add_node(op, {old, argument}, old.dtype, std::move(dims), std::move(attributes)));
}

EditedValue NodeEdit::cast(const EditedValue& value, DType dtype) {
  if (value.dtype == dtype) return value;
  const Attributes attributes =
      is_onnx() ? Attributes{{"to", std::int64_t{onnx_of_dtype(dtype)}}}
                : Attributes{{"destination_type", std::string(openvino_name(dtype))}};
  return add_node({"Cast", "Convert"}, {value}, dtype, value.dims, attributes);
}

EditedValue NodeEdit::detach_output(DType dtype, SymbolicShape dims) {
  output_ = change_.node.outputs.front();
  behind_before_ = change_.behind.size();
  EditedValue value{names_.make("result"), dtype, std::move(dims), nullptr};
  change_.node.outputs.front() = value.name;
  declare(value);
  return value;
}

void NodeEdit::attach_output() {
  ModelNode& last = change_.behind.back();
  const auto is_it = [&last](const ValueInfo& value) { return value.name == last.outputs.front(); };
  std::erase_if(change_.values, is_it);
  last.outputs.front() = std::exchange(output_, std::string());
  // Nodes of an earlier change read what the new ones compute.
  const auto added = change_.behind.begin() + static_cast<std::ptrdiff_t>(behind_before_);
  std::rotate(change_.behind.begin(), added, change_.behind.end());
}

}  // namespace windrow::internal
