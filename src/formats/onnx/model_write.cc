#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/onnx/attribute.h"
#include "src/formats/onnx/model_proto.h"
#include "src/formats/onnx/tensor_type.h"
#include "src/formats/onnx/value_info.h"

namespace windrow::internal {
namespace {

struct IrVersion {
  int opset;  // of ai.onnx: from this one on
  int version;
};

// The IR version that came with an opset, so that readers of the opset's time accept the file.
constexpr std::array<IrVersion, 7> kIrVersions = {
    {{28, 14}, {25, 13}, {24, 12}, {23, 11}, {21, 10}, {19, 9}, {1, 8}}};

int ir_version(const Model& model) {
  const auto import = model.opset_imports.find("");
  const int opset = import == model.opset_imports.end() ? 1 : import->second;
  for (const IrVersion& row : kIrVersions) {
    if (opset >= row.opset) return row.version;
  }
  return kIrVersions.back().version;
}

Status write_node(const ModelNode& node, pb::NodeProto& proto) {
  if (!node.unsupported.empty())
    return {ErrorCode::kUnsupported, "cannot be written: " + node.unsupported};
  proto.set_name(node.name);
  proto.set_op_type(node.op_type);
  if (!node.domain.empty()) proto.set_domain(node.domain);
  for (const std::string& input : node.inputs) proto.add_input(input);
  for (const std::string& output : node.outputs) proto.add_output(output);
  for (const auto& [name, value] : node.attributes) {
    if (Status status = write_attribute(name, value, *proto.add_attribute()); !status)
      return status;
  }
  return {};
}

Status check_types(const std::vector<ValueInfo>& values) {
  for (const ValueInfo& value : values) {
    if (value.dtype == DType::kAbsent) continue;
    if (Status status = check_onnx_type(value.dtype); !status)
      return status.with_context("value '" + value.name + "'");
  }
  return {};
}

}  // namespace

Result<pb::ModelProto> make_model_proto(const Model& model) {
  for (const auto* values : {&model.inputs, &model.default_inputs, &model.outputs, &model.values}) {
    if (Status status = check_types(*values); !status) return status;
  }
  pb::ModelProto proto;
  proto.set_ir_version(ir_version(model));
  proto.set_producer_name("windrow");
  for (const auto& [domain, version] : model.opset_imports) {
    pb::OperatorSetIdProto& import = *proto.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
  }
  pb::GraphProto& graph = *proto.mutable_graph();
  graph.set_name("graph");
  for (const ModelNode& node : model.nodes) {
    if (Status status = write_node(node, *graph.add_node()); !status)
      return status.with_context("node '" + node.name + "'");
  }
  for (const ValueInfo& value : model.inputs) write_value_info(value, *graph.add_input());
  for (const ValueInfo& value : model.default_inputs) write_value_info(value, *graph.add_input());
  for (const ValueInfo& value : model.outputs) write_value_info(value, *graph.add_output());
  for (const ValueInfo& value : model.values) write_value_info(value, *graph.add_value_info());
  return proto;
}

}  // namespace windrow::internal
