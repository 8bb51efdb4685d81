#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_FILES_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_FILES_H_

#include <filesystem>
#include <string>

#include "src/formats/byte_source.h"
#include "windrow/models.h"

// OpenVINO IR without the XML library in the interface. What of it is read and written stands in
// docs/formats/openvino_ir.md.
namespace windrow::internal {

// A model in memory. `bin` is null where it has no .bin file; `missing` then says why.
Result<Model> parse_ir(std::string xml, const ByteSource* bin, const Status& missing);

// The .xml file at `path`, and the .bin file beside it if a constant needs it.
Result<Model> read_ir(const std::filesystem::path& path);

// Writes both files aside, then renames them.
Status write_ir(const Model& model, const std::filesystem::path& path);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_FILES_H_
