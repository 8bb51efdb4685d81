#include <array>

#include "src/formats/onnx/graph_write.h"
#include "src/formats/onnx/model_proto.h"
#include "src/models/find_in.h"

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
