#include "plugins/openvino/extension.h"

#include <algorithm>
#include <map>
#include <memory>
#include <openvino/core/extension.hpp>
#include <openvino/core/op_extension.hpp>
#include <openvino/frontend/onnx/extension/conversion.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/convert.hpp>
#include <openvino/op/gather.hpp>
#include <openvino/op/util/shape_of_base.hpp>
#include <string>
#include <utility>
#include <vector>

#include "plugins/openvino/operator_node.h"

namespace windrow::openvino_plugin {
namespace {

bool is_shape(const ov::Node* node) {
  while (dynamic_cast<const ov::op::v0::Convert*>(node) != nullptr)
    node = node->get_input_node_ptr(0);
  return dynamic_cast<const ov::op::util::ShapeOfBase*>(node) != nullptr;
}

}  // namespace

std::shared_ptr<ov::Node> make_shape_gather(const OperatorRow& row,
                                            const ov::OutputVector& inputs) {
  if (row.known.name != std::string("Gather") || inputs.size() != 2 ||
      !is_shape(inputs[0].get_node()))
    return nullptr;
  const ov::PartialShape& shape = inputs[0].get_partial_shape();
  const auto* indices = dynamic_cast<const ov::op::v0::Constant*>(inputs[1].get_node());
  if (indices == nullptr || shape.is_dynamic()) return nullptr;
  const std::int64_t rank = shape[0].get_length();
  const std::vector<std::int64_t> values = indices->cast_vector<std::int64_t>();
  const bool in_range = std::all_of(values.begin(), values.end(),
                                    [&](std::int64_t i) { return i >= -rank && i < rank; });
  if (!in_range) return nullptr;
  // A shape has a single axis, so the attribute has no effect.
  const auto axis = ov::op::v0::Constant::create(ov::element::i64, {}, {0});
  return std::make_shared<ov::op::v8::Gather>(inputs[0], inputs[1], axis);
}

}  // namespace windrow::openvino_plugin

// What the host finds in the library: all of Windrow's operators for its graphs and, for every ONNX
// operator that Windrow has, a conversion that replaces the host's own.
namespace windrow::openvino_plugin {
namespace {

class RowExtension : public ov::BaseOpExtension {
 public:
  explicit RowExtension(const OperatorRow& row) : row_(row) {}

  const ov::DiscreteTypeInfo& get_type_info() const override { return row_.type; }

  ov::OutputVector create(const ov::OutputVector& inputs,
                          ov::AttributeVisitor& visitor) const override {
    auto node = std::make_shared<OperatorNode>(row_);
    node->set_arguments(inputs);
    if (node->visit_attributes(visitor)) node->constructor_validate_and_infer_types();
    return node->outputs();
  }

  std::vector<ov::Extension::Ptr> get_attached_extensions() const override { return {}; }

 private:
  const OperatorRow& row_;
};

// Reads a node's attributes from a model file. Absent attributes keep the row's defaults.
class OnnxAttributes : public ov::AttributeVisitor {
 public:
  explicit OnnxAttributes(const ov::frontend::NodeContext& node) : node_(node) {}

  using ov::AttributeVisitor::on_adapter;
  void on_adapter(const std::string&, ov::ValueAccessor<void>&) override {}
  void on_adapter(const std::string& name, ov::ValueAccessor<std::int64_t>& value) override {
    value.set(node_.get_attribute<std::int64_t>(name, value.get()));
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<double>& value) override {
    value.set(node_.get_attribute<float>(name, static_cast<float>(value.get())));
  }
  void on_adapter(const std::string& name, ov::ValueAccessor<std::string>& value) override {
    value.set(node_.get_attribute<std::string>(name, value.get()));
  }
  void on_adapter(const std::string& name,
                  ov::ValueAccessor<std::vector<std::int64_t>>& value) override {
    value.set(node_.get_attribute<std::vector<std::int64_t>>(name, value.get()));
  }

 private:
  const ov::frontend::NodeContext& node_;
};

// The inputs of a node of a model file. For an input that is left out, the host makes a node
// without a rank, which no device runs; such inputs at the end are dropped.
ov::OutputVector inputs_of(const ov::frontend::NodeContext& node) {
  ov::OutputVector inputs;
  for (size_t i = 0; i < node.get_input_size(); ++i)
    inputs.push_back(node.get_input(static_cast<int>(i)));
  while (!inputs.empty() && inputs.back().get_node()->get_type_name() == std::string("NullNode"))
    inputs.pop_back();
  return inputs;
}

// Gives a node of kTableLookUp the attributes of a node of GatherBlockQuantized. Codes of one byte
// each need no `bits`.
class TableAttributes : public ov::AttributeVisitor {
 public:
  explicit TableAttributes(const OperatorNode& node) : node_(node) {}

  using ov::AttributeVisitor::on_adapter;
  void on_adapter(const std::string&, ov::ValueAccessor<void>&) override {}
  void on_adapter(const std::string& name, ov::ValueAccessor<std::int64_t>& value) override {
    if (name != "bits") value.set(node_.number(name == "axis" ? "gather_axis" : name));
  }

 private:
  const OperatorNode& node_;
};

bool is_packed_integer(const ov::Output<ov::Node>& input) {
  return input.get_element_type() == ov::element::i4 || input.get_element_type() == ov::element::u4;
}

// The same look-up in codes of one byte. `node` must be a valid look-up of the host's integers of 4
// bits, all of whose values int8 has.
ov::OutputVector make_table_look_up(const OperatorNode& node) {
  const auto& rows = operator_rows();
  const auto row = std::find_if(rows.begin(), rows.end(), [](const OperatorRow& known) {
    return known.known.name == std::string(kTableLookUp);
  });
  ov::OutputVector inputs = node.input_values();
  for (ov::Output<ov::Node>& input : inputs)
    if (is_packed_integer(input))
      input = std::make_shared<ov::op::v0::Convert>(input, ov::element::i8);
  TableAttributes attributes(node);
  return RowExtension(*row).create(inputs, attributes);
}

ov::Extension::Ptr make_conversion(const OperatorRow& row) {
  const auto convert = [&row](const ov::frontend::NodeContext& node) -> ov::OutputVector {
    const ov::OutputVector inputs = inputs_of(node);
    if (const auto host_node = make_shape_gather(row, inputs)) return host_node->outputs();
    OnnxAttributes attributes(node);
    const ov::OutputVector made = RowExtension(row).create(inputs, attributes);
    if (row.known.domain != std::string("com.microsoft")) return made;
    const auto& look_up = dynamic_cast<const OperatorNode&>(*made[0].get_node());
    look_up.check_look_up();
    return is_packed_integer(inputs[0]) ? make_table_look_up(look_up) : made;
  };
  return std::make_shared<ov::frontend::onnx::ConversionExtension>(row.known.name, row.known.domain,
                                                                   convert);
}

// Whether an operator means the same in all opsets that have it, apart from what newer opsets add.
// The host does not tell a model's opset. A negative index of OneHot is out of range until opset 10
// and counts from the end later, so OneHot stays with the host.
bool means_the_same_in_every_opset(const OperatorRow& row) {
  return row.known.name != std::string("OneHot");
}

std::vector<ov::Extension::Ptr> make_extensions() {
  std::vector<ov::Extension::Ptr> extensions;
  std::map<std::pair<std::string, std::string>, const OperatorRow*> newest;
  for (const OperatorRow& row : operator_rows()) {
    extensions.push_back(std::make_shared<RowExtension>(row));
    if (row.is_of("onnx") && means_the_same_in_every_opset(row))
      newest[{row.known.domain, row.known.name}] = &row;
  }
  for (const auto& entry : newest) extensions.push_back(make_conversion(*entry.second));
  return extensions;
}

}  // namespace
}  // namespace windrow::openvino_plugin

OPENVINO_CREATE_EXTENSIONS(windrow::openvino_plugin::make_extensions())
