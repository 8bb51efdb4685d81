#ifndef WINDROW_FORMATS_ARCHIVE_H_
#define WINDROW_FORMATS_ARCHIVE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "src/formats/aside_file.h"
#include "src/formats/byte_source.h"
#include "src/formats/tensor_place.h"
#include "windrow/models.h"

namespace windrow::internal {

// A file of named tensors, each of which can be read by itself.
class ArchiveReader {
 public:
  virtual ~ArchiveReader() = default;
  // The names in the file's order. No two are the same.
  const std::vector<std::string>& names() const noexcept { return names_; }
  // Precondition: position < names().size(). `expected`: see load_tensor(). Errors: kFormat,
  // kUnsupported, kShape, kOutOfMemory, kIo.
  virtual Result<Tensor> load(std::size_t position, DType expected) const = 0;
  // Where the elements of a tensor are; the path is left empty. Precondition and `expected` as
  // above. Errors: kFormat, kUnsupported (see find_tensor()), kShape, kIo.
  virtual Result<TensorPlace> place(std::size_t position, DType expected) const = 0;

 protected:
  std::vector<std::string> names_;
};

using Archive = Result<std::unique_ptr<ArchiveReader>>;

// NumPy's .npz: a zip archive of .npy files, stored or deflated. Members of other names are passed
// over. Memory is in proportion to the file, and to the tensor that is loaded: no two members share
// bytes, so that together they are at most 1032 times as large as the file. Errors: kFormat,
// kUnsupported (encryption, other compression), kOutOfMemory, kIo.
Archive open_npz(std::shared_ptr<const ByteSource> source);

// Hugging Face's .safetensors. Errors: kFormat, kShape, kUnsupported (other element types),
// kOutOfMemory, kIo.
Archive open_safetensors(std::shared_ptr<const ByteSource> source);

// Opens an archive by the ending of its name. Errors (they name the file): kUnsupported (another
// ending), kIo, and those of the two functions above.
Archive open_archive(const std::filesystem::path& path);

// The names must differ. Errors: kUnsupported (what the format cannot hold), kInvalidArgument (a
// name twice), kOutOfMemory, kIo.
Status write_npz(const NamedTensors& tensors, AsideFile& file);
Status write_safetensors(const NamedTensors& tensors, AsideFile& file);

// Checks that no two tensors have the same name. Errors: kInvalidArgument.
Status check_names_differ(const NamedTensors& tensors);

// Checks that the file's name is that of an archive. Errors: kUnsupported.
Status check_archive_name(const std::filesystem::path& path);

// "3 tensors: a, b, c". Of many tensors it lists the first.
std::string counted_names(const std::vector<std::string>& names);

// The position of a name among those of the tensors in the file at `path`. Errors:
// kInvalidArgument (no tensor or several have it; the error lists the names).
Result<std::size_t> position_of(const std::filesystem::path& path,
                                const std::vector<std::string>& names, const std::string& name);
// The same; an empty name means the only tensor.
Result<std::size_t> choose_name(const std::filesystem::path& path,
                                const std::vector<std::string>& names, const std::string& name);

// Numbers of `size` bytes in little-endian order, from and to bytes.
std::uint64_t little_endian(const void* bytes, std::size_t size) noexcept;
void append_little_endian(std::uint64_t value, std::size_t size, std::string& text);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ARCHIVE_H_
