#include "src/formats/onnx/model_read.h"

#include <array>
#include <string>
#include <utility>

#include "src/formats/onnx/graph_read.h"
#include "src/formats/onnx/graph_write.h"
#include "src/models/check_inputs.h"
#include "src/models/numbered_graph.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

Status read_opset_imports(const pb::ModelProto& proto, Model& model) {
  for (const pb::OperatorSetIdProto& import : proto.opset_import()) {
    const std::string domain = plain_domain(import.domain());
    if (import.version() < 1 || import.version() > 1'000'000)
      return format_error("opset version ", import.version(), " of domain '", import.domain(), "'");
    const int version = static_cast<int>(import.version());
    if (!model.opset_imports.emplace(domain, version).second)
      return format_error("two opset imports of domain '", import.domain(), "'");
  }
  // Before IR version 3 models had no imports and meant the first opset.
  if (model.opset_imports.empty() && proto.ir_version() < 3) model.opset_imports.emplace("", 1);
  if (model.opset_imports.empty()) return format_error("no opset_import: the model is cut");
  return {};
}

}  // namespace

Result<Model> read_model(pb::ModelProto& proto, ExternalData external) {
  if (!proto.has_graph()) return format_error("no graph: not an ONNX model, or a cut one");
  Model model;
  if (Status status = read_opset_imports(proto, model); !status) return status;
  GraphReader::FunctionNames names;
  for (const pb::FunctionProto& function : proto.functions())
    names.emplace(plain_domain(function.domain()), function.name());
  GraphReader reader(std::move(external), std::move(names));
  if (Status status = reader.read(*proto.mutable_graph(), model); !status) return status;
  for (pb::FunctionProto& function : *proto.mutable_functions()) {
    Status status = reader.read_function(function, model.functions.emplace_back());
    if (!status) return status;
  }
  proto.clear_graph();
  proto.clear_functions();
  proto.clear_opset_import();
  model.kept_model = proto.serialize();
  if (Status status = check_graphs(model); !status) return status;
  return model;
}

namespace {

struct IrVersion {
  int opset;  // of ai.onnx: from this one on
  int version;
};

// The IR version that came with an opset, so that readers of the opset's time accept the file.
constexpr std::array<IrVersion, 7> kIrVersions = {
    {{28, 14}, {25, 13}, {24, 12}, {23, 11}, {21, 10}, {19, 9}, {1, 8}}};

int ir_version(const Model& model) {
  const int* const opset = find_in(model.opset_imports, "");
  for (const IrVersion& row : kIrVersions) {
    if (opset != nullptr && *opset >= row.opset) return row.version;
  }
  return kIrVersions.back().version;
}

}  // namespace

Result<pb::ModelProto> make_model_proto(const Model& model, ConstantWriter& constants) {
  pb::ModelProto proto;
  if (Status status = parse_kept(model.kept_model, proto); !status) return status;
  if (model.kept_model.empty()) {
    proto.set_ir_version(ir_version(model));
    proto.set_producer_name("windrow");
  }
  for (const auto& [domain, version] : model.opset_imports) {
    pb::OperatorSetIdProto& import = *proto.add_opset_import();
    import.set_domain(domain);
    import.set_version(version);
  }
  pb::GraphProto& graph = *proto.mutable_graph();
  if (model.kept_model.empty()) graph.set_name("graph");
  if (Status status = write_graph(model, constants, graph); !status) return status;
  for (const ModelFunction& function : model.functions) {
    Status status = write_function(function, constants, *proto.add_functions());
    if (!status) return status.with_context("function '" + function.graph.name + "'");
  }
  return proto;
}

}  // namespace windrow::internal
