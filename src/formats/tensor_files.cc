#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/aside_file.h"
#include "src/formats/byte_source.h"
#include "src/formats/model_files.h"
#include "src/formats/npy/npy.h"
#include "src/formats/onnx/onnx_files.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using internal::AsideFile;
using internal::FileSource;
using internal::quoted;

enum class TensorFormat { kNpy, kOnnx };

Result<TensorFormat> format_of(const std::filesystem::path& path) {
  if (path.extension() == ".npy") return TensorFormat::kNpy;
  if (path.extension() == ".pb") return TensorFormat::kOnnx;
  return Status(ErrorCode::kUnsupported,
                quoted(path) + " is no tensor file: the name must end in .npy or .pb");
}

Result<NamedTensor> load(const std::filesystem::path& path, DType expected) {
  const Result<TensorFormat> format = format_of(path);
  if (!format) return format.error();
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  if (*format == TensorFormat::kOnnx) {
    Result<NamedTensor> named = internal::read_tensor_file(*file, path);
    if (!named) return named.error().with_context(quoted(path));
    return named;
  }
  Result<Tensor> tensor = internal::read_npy(*file, expected);
  if (!tensor) return tensor.error().with_context(quoted(path));
  return NamedTensor{{}, *std::move(tensor)};
}

}  // namespace

Result<Tensor> load_tensor(const std::filesystem::path& path, DType expected) {
  Result<NamedTensor> named = load(path, expected);
  if (!named) return named.error();
  return std::move(named->tensor);
}

Result<NamedTensor> load_named_tensor(const std::filesystem::path& path) {
  return load(path, DType::kAbsent);
}

struct TensorFiles::Files {
  std::filesystem::path aside;
  std::vector<AsideFile> written;
};

TensorFiles::TensorFiles(std::filesystem::path aside)
    : files_(std::make_unique<Files>(Files{std::move(aside), {}})) {}
TensorFiles::TensorFiles(TensorFiles&&) noexcept = default;
TensorFiles& TensorFiles::operator=(TensorFiles&&) noexcept = default;
TensorFiles::~TensorFiles() = default;

Status TensorFiles::add(const TensorView& tensor, const std::filesystem::path& path,
                        const std::string& name) {
  const Result<TensorFormat> format = format_of(path);
  if (!format) return format.error();
  if (tensor.is_absent())
    return {ErrorCode::kInvalidArgument, "there is no tensor to write to " + quoted(path)};
  Result<AsideFile> file = AsideFile::create(path, files_->aside);
  if (!file) return file.error();
  Status status = *format == TensorFormat::kNpy ? internal::write_npy(tensor, *file)
                                                : internal::write_tensor_file(tensor, name, *file);
  if (!status) return status.with_context(quoted(path));
  status = file->finish();
  if (status) files_->written.push_back(*std::move(file));
  return status;
}

Status TensorFiles::add_text(std::string_view text, const std::filesystem::path& path) {
  Result<AsideFile> file = AsideFile::create(path, files_->aside);
  if (!file) return file.error();
  if (Status status = file->write(text); !status) return status.with_context(quoted(path));
  Status status = file->finish();
  if (status) files_->written.push_back(*std::move(file));
  return status;
}

Status TensorFiles::add_model(const Model& model, const std::filesystem::path& path) {
  std::vector<AsideFile> files;
  if (Status status = internal::stage_model(model, path, {}, files_->aside, files); !status)
    return status;
  for (AsideFile& file : files) {
    if (Status status = file.finish(); !status) return status.with_context(quoted(path));
    files_->written.push_back(std::move(file));
  }
  return {};
}

Status TensorFiles::commit() {
  Status status = internal::commit_files(files_->written);
  files_->written.clear();
  return status;
}

Status save_tensor(const TensorView& tensor, const std::filesystem::path& path,
                   const std::string& name) {
  TensorFiles file;
  Status status = file.add(tensor, path, name);
  return status ? file.commit() : status;
}

}  // namespace windrow
