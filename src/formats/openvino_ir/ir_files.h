#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_FILES_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_FILES_H_

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/aside_file.h"
#include "src/formats/byte_source.h"
#include "src/formats/tensor_place.h"
#include "windrow/models.h"

// OpenVINO IR without the XML library in the interface. docs/formats/openvino_ir.md describes what
// is read and written.
namespace windrow::internal {

// Reads a model in memory. `bin` is null where there is no .bin file; `missing` then says why.
Result<Model> parse_ir(std::string xml, const ByteSource* bin, const Status& missing);

// Reads the .xml file at `path`, and the .bin file beside it if a constant needs it.
Result<Model> read_ir(const std::filesystem::path& path);

// Finds a Const layer of the main graph by its name or by one of its output tensor. Errors: as for
// find_tensor().
Result<TensorPlace> place_ir(const std::filesystem::path& path, const std::string& name);

// The text of the .xml file. `append` is given the bytes of the .bin file, one part after another;
// its errors are passed on. Errors otherwise: kUnsupported, kInvalidArgument (what was kept of a
// file is not as the reader makes it), and those of Constant::tensor().
Result<std::string> ir_text(const Model& model,
                            const std::function<Status(std::string_view)>& append);

// Appends both files to `files`, written aside in `folder` (as AsideFile::create() takes it) for
// the name `path` and for the .bin file beside it.
Status stage_ir(const Model& model, const std::filesystem::path& path,
                const std::filesystem::path& folder, std::vector<AsideFile>& files);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_FILES_H_
