#include "src/formats/archive.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/aside_file.h"
#include "src/formats/byte_source.h"
#include "src/formats/model_files.h"
#include "src/formats/npy/npy.h"
#include "src/formats/onnx/onnx_files.h"
#include "src/models/value_info.h"
#include "windrow/counted.h"
#include "windrow/models.h"
#include "windrow/nearest_name.h"
#include "windrow/tensor_archive.h"

namespace windrow::internal {

Status check_names_differ(const NamedTensors& tensors) {
  std::set<std::string_view> names;
  for (const auto& [name, tensor] : tensors)
    if (!names.insert(name).second) return argument_error("two tensors are called '", name, "'");
  return {};
}

std::string counted_names(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 12;
  if (names.empty()) return "no tensors";
  return text_of({counted(names.size(), "tensor"), ": ", listed(names, ", ", kShown)});
}

Status check_archive_name(const std::filesystem::path& path) {
  if (path.extension() == ".npz" || path.extension() == ".safetensors") return {};
  return unsupported_error(
      quoted(path), " is not an archive of tensors: the name must end in .npz or .safetensors");
}

Result<std::size_t> position_of(const std::filesystem::path& path,
                                const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    return argument_error(quoted(path), " has no tensor '", name, "'; it has ",
                          counted_names(names), nearest_hint(name, names));
  if (std::find(found + 1, names.end(), name) != names.end())
    return argument_error(quoted(path), " has several tensors '", name, "'");
  return static_cast<std::size_t>(found - names.begin());
}

Result<std::size_t> choose_name(const std::filesystem::path& path,
                                const std::vector<std::string>& names, const std::string& name) {
  if (!name.empty()) return position_of(path, names, name);
  if (names.size() == 1) return std::size_t{0};
  return argument_error(quoted(path), " has ", counted_names(names), ": say which one is meant");
}

Archive open_archive(const std::filesystem::path& path) {
  if (Status status = check_archive_name(path); !status) return status;
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  std::shared_ptr<const ByteSource> source = file->share();
  if (source == nullptr) return system_error("open", path);
  Archive reader = path.extension() == ".npz" ? open_npz(std::move(source))
                                              : open_safetensors(std::move(source));
  if (!reader) return reader.error().with_context(quoted(path));
  return reader;
}

std::uint64_t little_endian(const void* bytes, std::size_t size) noexcept {
  std::uint64_t value = 0;
  while (size-- > 0) value = value << 8 | static_cast<const unsigned char*>(bytes)[size];
  return value;
}

void append_little_endian(std::uint64_t value, std::size_t size, std::string& text) {
  for (; size > 0; --size, value >>= 8) text += static_cast<char>(value & 0xff);
}

}  // namespace windrow::internal

namespace windrow {

struct TensorArchive::Content {
  std::filesystem::path path;
  std::unique_ptr<internal::ArchiveReader> reader;
};

TensorArchive::TensorArchive(std::shared_ptr<const Content> content)
    : content_(std::move(content)) {}

bool TensorArchive::is_archive(const std::filesystem::path& path) {
  return internal::check_archive_name(path).ok();
}

Result<TensorArchive> TensorArchive::open(const std::filesystem::path& path) {
  internal::Archive reader = internal::open_archive(path);
  if (!reader) return reader.error();
  return TensorArchive(std::make_shared<const Content>(Content{path, *std::move(reader)}));
}

const std::vector<std::string>& TensorArchive::names() const noexcept {
  return content_->reader->names();
}

Result<Tensor> TensorArchive::load(const std::string& name, DType expected) const {
  const Result<std::size_t> position = internal::position_of(content_->path, names(), name);
  if (!position) return position.error();
  return internal::with_context(content_->reader->load(*position, expected),
                                internal::quoted(content_->path));
}

namespace {

using internal::AsideFile;
using internal::FileSource;
using internal::quoted;

enum class TensorFormat { kNpy, kOnnx, kArchive };

// NumPy's name for an array without a name.
constexpr char kNameless[] = "arr_0";

Result<TensorFormat> format_of(const std::filesystem::path& path) {
  if (path.extension() == ".npy") return TensorFormat::kNpy;
  if (path.extension() == ".pb") return TensorFormat::kOnnx;
  if (TensorArchive::is_archive(path)) return TensorFormat::kArchive;
  return internal::unsupported_error(
      quoted(path), " is not a tensor file: the name must end in .npy, .npz, .safetensors or .pb");
}

Result<NamedTensor> load_only(const std::filesystem::path& path, DType expected) {
  const Result<TensorArchive> archive = TensorArchive::open(path);
  if (!archive) return archive.error();
  const std::vector<std::string>& names = archive->names();
  const Result<std::size_t> position = internal::choose_name(path, names, {});
  if (!position) return position.error();
  Result<Tensor> tensor = archive->load(names[*position], expected);
  if (!tensor) return tensor.error();
  return NamedTensor{names[0], *std::move(tensor)};
}

Result<NamedTensor> load(const std::filesystem::path& path, DType expected) {
  const Result<TensorFormat> format = format_of(path);
  if (!format) return format.error();
  if (*format == TensorFormat::kArchive) return load_only(path, expected);
  const Result<FileSource> file = FileSource::open(path);
  if (!file) return file.error();
  if (*format == TensorFormat::kOnnx) {
    return internal::with_context(internal::read_tensor_file(*file, path), quoted(path));
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

  // Writes the file `path` by calling `write`.
  Status add(const std::filesystem::path& path, const std::function<Status(AsideFile&)>& write) {
    Result<AsideFile> file = AsideFile::create(path, aside);
    if (!file) return file.error();
    if (Status status = write(*file); !status) return status.with_context(quoted(path));
    Status status = file->finish();
    if (status) written.push_back(*std::move(file));
    return status;
  }
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
    return internal::argument_error("there is no tensor to write to ", quoted(path));
  if (*format == TensorFormat::kArchive) {
    Result<Tensor> copy = Tensor::copy_of(tensor);
    if (!copy) return copy.error();
    NamedTensors one;
    one.emplace_back(name.empty() ? kNameless : name, *std::move(copy));
    return add_archive(one, path);
  }
  return files_->add(path, [&](AsideFile& file) {
    return *format == TensorFormat::kNpy ? internal::write_npy(tensor, file)
                                         : internal::write_tensor_file(tensor, name, file);
  });
}

Status TensorFiles::add_archive(const NamedTensors& tensors, const std::filesystem::path& path) {
  if (Status status = internal::check_archive_name(path); !status) return status;
  return files_->add(path, [&](AsideFile& file) {
    return path.extension() == ".npz" ? internal::write_npz(tensors, file)
                                      : internal::write_safetensors(tensors, file);
  });
}

Status TensorFiles::add_text(std::string_view text, const std::filesystem::path& path) {
  return files_->add(path, [&](AsideFile& file) { return file.write(text); });
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

Status save_tensors(const NamedTensors& tensors, const std::filesystem::path& path) {
  TensorFiles file;
  Status status = file.add_archive(tensors, path);
  return status ? file.commit() : status;
}

}  // namespace windrow
