#include "windrow/tensor_archive.h"

#include <algorithm>
#include <utility>

#include "src/formats/archive.h"
#include "src/models/text.h"
#include "windrow/nearest_name.h"

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
  if (Status status = internal::check_archive_name(path); !status) return status;
  const Result<internal::FileSource> file = internal::FileSource::open(path);
  if (!file) return file.error();
  std::shared_ptr<const internal::ByteSource> source = file->share();
  if (source == nullptr) return internal::system_error("open", path);
  internal::Archive reader = path.extension() == ".npz"
                                 ? internal::open_npz(std::move(source))
                                 : internal::open_safetensors(std::move(source));
  if (!reader) return reader.error().with_context(internal::quoted(path));
  return TensorArchive(std::make_shared<const Content>(Content{path, *std::move(reader)}));
}

const std::vector<std::string>& TensorArchive::names() const noexcept {
  return content_->reader->names();
}

Result<Tensor> TensorArchive::load(const std::string& name, DType expected) const {
  const auto found = std::find(names().begin(), names().end(), name);
  if (found == names().end())
    return internal::argument_error(internal::quoted(content_->path), " has no tensor '", name,
                                    "'; it has ", internal::counted_names(names()),
                                    nearest_hint(name, names()));
  const auto position = static_cast<std::size_t>(found - names().begin());
  return internal::with_context(content_->reader->load(position, expected),
                                internal::quoted(content_->path));
}

}  // namespace windrow
