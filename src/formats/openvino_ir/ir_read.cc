#include <memory>
#include <string>
#include <utility>

#include "src/formats/openvino_ir/ir_document.h"
#include "src/formats/openvino_ir/ir_files.h"
#include "src/formats/openvino_ir/ir_graph_read.h"
#include "src/models/numbered_graph.h"
#include "src/models/text.h"

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
  Result<std::string> xml = file->read_bytes(0, file->size());
  if (!xml) return xml.error().with_context(quoted(path));
  std::filesystem::path bin_path = path;
  const Result<FileSource> bin = FileSource::open(bin_path.replace_extension(".bin"));
  return with_context(parse_ir(*std::move(xml), bin ? &*bin : nullptr, bin.error()), quoted(path));
}

}  // namespace windrow::internal
