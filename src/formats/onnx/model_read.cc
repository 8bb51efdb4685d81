#include <string>
#include <utility>

#include "src/formats/onnx/graph_read.h"
#include "src/formats/onnx/model_proto.h"
#include "src/models/numbered_graph.h"
#include "src/models/text.h"

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
  model.kept_model = proto.SerializePartialAsString();
  if (Status status = check_graphs(model); !status) return status;
  return model;
}

}  // namespace windrow::internal
