#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/archive.h"
#include "src/formats/byte_source.h"
#include "src/formats/onnx/elided.h"
#include "src/formats/onnx/external_data.h"
#include "src/formats/onnx/graph_read.h"
#include "src/formats/onnx/onnx_files.h"
#include "src/formats/onnx/tensor_proto.h"
#include "src/formats/tensor_place.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

// The tensors of a graph by the names of their values, both in the same order.
struct GraphTensors {
  std::vector<std::string> names;
  std::vector<const pb::TensorProto*> tensors;
};

GraphTensors tensors_of(const pb::GraphProto& graph) {
  GraphTensors found;
  const auto add = [&found](const std::string& name, const pb::TensorProto& tensor) {
    found.names.push_back(name);
    found.tensors.push_back(&tensor);
  };
  for (const pb::TensorProto& tensor : graph.initializer()) add(tensor.name(), tensor);
  for (const pb::NodeProto& node : graph.node()) {
    if (node.op_type() != "Constant" || !plain_domain(node.domain()).empty()) continue;
    for (const pb::AttributeProto& attribute : node.attribute())
      if (attribute.name() == "value" && attribute.has_t() && node.output_size() == 1)
        add(node.output(0), attribute.t());
  }
  return found;
}

// What is asked for: a tensor of the file at `path`.
struct Wanted {
  const std::filesystem::path& path;
  const std::string& name;
};

Result<TensorPlace> place_in_model(const pb::ModelProto& model, const ExternalData& external,
                                   const Wanted& wanted) {
  if (!model.has_graph())
    return format_error(quoted(wanted.path), ": no graph: not an ONNX model, or a cut one");
  const GraphTensors found = tensors_of(model.graph());
  const Result<std::size_t> position = choose_name(wanted.path, found.names, wanted.name);
  if (!position) return position.error();
  const std::string& name = found.names[*position];
  Result<TensorPlace> place = place_constant(*found.tensors[*position], name, external);
  if (!place) return place.error().with_context(quoted(wanted.path));
  if (place->path.empty()) place->path = wanted.path;
  return place;
}

Status parse_whole(const FileSource& file, const std::optional<ElidedFile>& elided,
                   pb::ModelProto& model) {
  if (!elided) return parse_message(file, model);
  // A message that was cut between two fields still parses.
  if (Status status = file.check_size_is_the_same(); !status) return status;
  return parse_message(elided->bytes(), model);
}

}  // namespace

Result<TensorPlace> place_onnx(const std::filesystem::path& path, const std::string& name) {
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  if (Status status = check_message_size(file->size()); !status)
    return status.with_context(quoted(path));
  const auto elided = ElidedFile::read(*file, ElidedFile::Elements::kAll);
  if (!elided) return elided.error().with_context(quoted(path));
  pb::ModelProto model;
  if (Status status = parse_whole(*file, *elided, model); !status)
    return status.with_context(quoted(path));
  ExternalFolder folder = ExternalFolder::of(path);
  return place_in_model(
      model,
      *elided ? ExternalData(std::move(folder), *file, **elided) : ExternalData(std::move(folder)),
      {path, name});
}

}  // namespace windrow::internal
