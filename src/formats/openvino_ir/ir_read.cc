#include <memory>
#include <string>
#include <utility>

#include "src/formats/openvino_ir/ir_document.h"
#include "src/formats/openvino_ir/ir_files.h"
#include "src/formats/openvino_ir/ir_graph_read.h"
#include "src/models/check_graphs.h"

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

Result<Model> read_ir(const std::filesystem::path& path) {
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  std::string xml(static_cast<std::size_t>(file->size()), '\0');
  if (Status status = file->read(0, xml.data(), file->size()); !status)
    return status.with_context(quoted(path));
  std::filesystem::path bin_path = path;
  const Result<FileSource> bin = FileSource::open(bin_path.replace_extension(".bin"));
  Result<Model> model = parse_ir(std::move(xml), bin ? &*bin : nullptr, bin.error());
  if (!model) return model.error().with_context(quoted(path));
  return model;
}

}  // namespace windrow::internal
