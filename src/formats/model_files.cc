#include "src/formats/model_files.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/byte_source.h"
#include "src/formats/foreign_model.h"
#include "src/formats/onnx/onnx_files.h"
#include "src/formats/openvino_ir/ir_files.h"
#include "src/models/text.h"
#include "windrow/models.h"

namespace windrow {
namespace {

bool is_ir(const std::filesystem::path& path) { return path.extension() == ".xml"; }

Status check_dialect(const Model& model, bool to_ir) {
  const std::string wanted = to_ir ? "openvino" : "onnx";
  if (model.dialect == wanted) return {};
  return internal::unsupported_error(
      "a model of dialect '", model.dialect, "' can't be written as ",
      (to_ir ? "OpenVINO IR (.xml)" : "ONNX (only .xml names OpenVINO IR)"));
}

}  // namespace

Result<Model> load_model(const std::filesystem::path& path) {
  Result<Model> model = is_ir(path) ? internal::read_ir(path) : internal::read_onnx(path);
  return model ? std::move(model) : internal::with_foreign_format(model.error(), path);
}

Result<Model> parse_model(std::string_view bytes, const std::filesystem::path& folder) {
  Result<Model> model = internal::parse_onnx(bytes, folder);
  const std::string_view sentence = model ? "" : internal::foreign_format(bytes);
  return sentence.empty() ? std::move(model) : internal::format_error(sentence);
}

namespace internal {

Status stage_model(const Model& model, const std::filesystem::path& path,
                   const std::string& external_data, const std::filesystem::path& folder,
                   std::vector<AsideFile>& files) {
  Status status = check_dialect(model, is_ir(path));
  if (status && is_ir(path) && !external_data.empty())
    status =
        argument_error("OpenVINO IR keeps its constants in the .bin file, not in external data");
  if (status)
    status = is_ir(path) ? stage_ir(model, path, folder, files)
                         : stage_onnx(model, path, external_data, folder, files);
  return status ? status : status.with_context(quoted(path));
}

Status commit_files(std::vector<AsideFile>& files) {
  std::vector<AsideFile*> all;
  for (AsideFile& file : files) all.push_back(&file);
  return all.empty() ? Status() : commit_all(all);
}

}  // namespace internal

Status save_model(const Model& model, const std::filesystem::path& path,
                  const std::string& external_data) {
  std::vector<internal::AsideFile> files;
  Status status = internal::stage_model(model, path, external_data, {}, files);
  if (!status) return status;
  status = internal::commit_files(files);
  return status ? status : status.with_context(internal::quoted(path));
}

}  // namespace windrow
