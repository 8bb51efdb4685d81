#ifndef WINDROW_TENSOR_ARCHIVE_H_
#define WINDROW_TENSOR_ARCHIVE_H_

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "windrow/dtype.h"
#include "windrow/export.h"
#include "windrow/models.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Files of several named tensors. In the library windrow::models.
namespace windrow {

// A file of named tensors, by its ending: .npz (NumPy's, stored or deflated) or .safetensors. Each
// tensor is read when it is asked for, and nothing else of the file is. The file stays open; if it
// is written to later, the call that reads it fails (kFormat).
class WINDROW_EXPORT TensorArchive {
 public:
  // Whether the ending is that of an archive.
  static bool is_archive(const std::filesystem::path& path);

  // Reads the directory of tensors. Errors: kIo, kFormat, kUnsupported (another ending, encryption,
  // a compression other than deflate), kOutOfMemory.
  static Result<TensorArchive> open(const std::filesystem::path& path);

  // The names in the file's order; no two are equal.
  const std::vector<std::string>& names() const noexcept;

  // `expected`: as for load_tensor(). Errors: kInvalidArgument (no such name; the error lists the
  // names), kFormat, kUnsupported, kShape, kOutOfMemory, kIo.
  Result<Tensor> load(const std::string& name, DType expected = DType::kAbsent) const;

 private:
  struct Content;
  explicit TensorArchive(std::shared_ptr<const Content> content);
  std::shared_ptr<const Content> content_;
};

// Writes the tensors as one archive, .npz (stored) or .safetensors, under a temporary name, then
// renames it. Names must differ. Errors: as for save_tensor().
WINDROW_EXPORT Status save_tensors(const NamedTensors& tensors, const std::filesystem::path& path);

}  // namespace windrow

#endif  // WINDROW_TENSOR_ARCHIVE_H_
