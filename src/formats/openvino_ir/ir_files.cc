#include "src/formats/openvino_ir/ir_files.h"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "src/formats/archive.h"
#include "src/formats/aside_file.h"
#include "src/formats/openvino_ir/ir_constants.h"
#include "src/formats/openvino_ir/ir_document.h"
#include "src/formats/openvino_ir/ir_graph_read.h"
#include "src/formats/openvino_ir/ir_graph_write.h"
#include "src/models/numbered_graph.h"
#include "src/models/value_info.h"

namespace windrow::internal {

Result<Model> parse_ir(std::string xml, const ByteSource* bin, const Status& missing) {
  const Result<std::unique_ptr<IrFile>> file = parse_ir_file(std::move(xml));
  if (!file) return file.error();
  Model model;
  model.dialect = "openvino";
  IrReading reading{IrConstants(bin, missing), IrOperators()};
  if (Status status = read_ir_graph((*file)->net, reading, model, &model.aliases); !status)
    return status;
  if (Status status = check_graphs(model); !status) return status;
  return model;
}

namespace {

Result<std::string> read_xml(const std::filesystem::path& path) {
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  return with_context(file->read_bytes(0, file->size()), quoted(path));
}

std::filesystem::path bin_of(std::filesystem::path path) { return path.replace_extension(".bin"); }

}  // namespace

Result<Model> read_ir(const std::filesystem::path& path) {
  Result<std::string> xml = read_xml(path);
  if (!xml) return xml.error();
  const Result<FileSource> bin = FileSource::open(bin_of(path));
  return with_context(parse_ir(*std::move(xml), bin ? &*bin : nullptr, bin.error()), quoted(path));
}

namespace {

// The Const layer of that name. If the name is empty, the file must have exactly one.
Result<const IrLayer*> find_constant(const IrDocument& document, const std::filesystem::path& path,
                                     const std::string& name) {
  std::vector<const IrLayer*> layers;
  std::vector<std::string> names;
  for (const IrLayer& layer : document.layers) {
    if (!is_constant_layer(layer)) continue;
    const bool is_port =
        !layer.outputs.empty() && std::ranges::count(layer.outputs.front().names, name) > 0;
    layers.push_back(&layer);
    names.push_back(is_port ? name : layer.name);
  }
  const Result<std::size_t> position = choose_name(path, names, name);
  return position ? Result<const IrLayer*>(layers[*position])
                  : Result<const IrLayer*>(position.error());
}

Result<TensorPlace> place_layer(const IrLayer& layer, const std::filesystem::path& path) {
  const Result<IrConstants::Described> described = IrConstants::describe(layer);
  if (!described) return described.error();
  const Result<FileSource> bin = FileSource::open(path);
  if (!bin) return bin.error();
  TensorPlace place = {path, layer.name, described->type, described->shape, described->blob.offset};
  if (Status status = check_place(place, bin->size()); !status)
    return status.with_context("the .bin file");
  return place;
}

}  // namespace

Result<TensorPlace> place_ir(const std::filesystem::path& path, const std::string& name) {
  Result<std::string> xml = read_xml(path);
  if (!xml) return xml.error();
  const Result<std::unique_ptr<IrFile>> file = parse_ir_file(*std::move(xml));
  if (!file) return file.error().with_context(quoted(path));
  const Result<const IrLayer*> layer = find_constant((*file)->net, path, name);
  if (!layer) return layer.error();
  return with_context(place_layer(**layer, bin_of(path)),
                      quoted(path) + ": " + layer_text(**layer));
}

namespace {

bool declares_all(const Model& model) {
  std::set<std::string_view> declared;
  for (const ValueInfo& value : model.values) declared.insert(value.name);
  return std::all_of(model.nodes.begin(), model.nodes.end(), [&](const ModelNode& node) {
    return std::all_of(node.outputs.begin(), node.outputs.end(),
                       [&](const std::string& output) { return declared.contains(output); });
  });
}

// A model that breaks a rule can be written, too: types that the file does not declare are then
// unknown.
IrKnownValues known_values(const Model& model) {
  IrKnownValues known;
  for (const auto& [alias, value] : model.aliases) known.aliases[value].push_back(alias);
  if (declares_all(model)) return known;
  if (auto inferred = model.infer(); inferred) known.types = std::move(*inferred).values();
  return known;
}

}  // namespace

Result<std::string> ir_text(const Model& model,
                            const std::function<Status(std::string_view)>& append) {
  IrBin bin(append);
  IrWriting writing{bin, IrOperators()};
  XmlText text(XmlText::Form::kIndented);
  const Status status = write_ir_graph(model, known_values(model), writing, "net", 0, text).error();
  if (!status) return status;
  return "<?xml version=\"1.0\"?>\n" + text.text() + "\n";
}

Status stage_ir(const Model& model, const std::filesystem::path& path,
                const std::filesystem::path& folder, std::vector<AsideFile>& files) {
  std::filesystem::path bin_path = path;
  Result<AsideFile> bin = AsideFile::create(bin_path.replace_extension(".bin"), folder);
  if (!bin) return bin.error();
  const Result<std::string> text =
      ir_text(model, [&bin](std::string_view bytes) { return bin->write(bytes); });
  if (!text) return text.error();
  Result<AsideFile> xml = AsideFile::create(path, folder);
  if (!xml) return xml.error();
  if (Status status = xml->write(*text); !status) return status;
  files.push_back(*std::move(bin));
  files.push_back(*std::move(xml));
  return {};
}

}  // namespace windrow::internal
