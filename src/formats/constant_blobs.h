#ifndef WINDROW_FORMATS_CONSTANT_BLOBS_H_
#define WINDROW_FORMATS_CONSTANT_BLOBS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "src/formats/byte_source.h"
#include "windrow/constant.h"

namespace windrow::internal {

// Constants of fewer bytes are read at once: they take less memory than what it takes to find them
// later.
inline constexpr std::int64_t kLeastUnreadBytes = 1024;

// A constant that holds the tensor, or the error.
Result<Constant> in_memory(Result<Tensor> tensor);

// The constants of a model that stand in one file. They are read when they are first asked for, if
// the file can stay open and they are not small. Constants of the same bytes share memory, and
// blobs that overlap without being the same take four times the file's size at most, so that a
// small file can't ask for much.
class ConstantBlobs {
 public:
  // `file` is how messages name the file: "the .bin file". With `at_once` all constants are read
  // immediately.
  explicit ConstantBlobs(std::string file, bool at_once = false)
      : file_(std::move(file)), at_once_(at_once) {}

  // The dense constant whose elements stand at byte `offset` (not negative) of `source`, which must
  // be the same file in every call. Not for strings. The memory is shared: it must not be written.
  // Errors: kFormat (the bytes are not in the file, or too many bytes overlap), kIo, kOutOfMemory.
  Result<Constant> find(const ByteSource& source, std::int64_t offset, DType type,
                        const Shape& shape);

  // The bytes themselves, which count towards the limit as well. Errors as for find().
  Result<std::string> read_bytes(const ByteSource& source, std::int64_t offset, std::int64_t bytes);

 private:
  using Range = std::pair<std::int64_t, std::int64_t>;  // offset, bytes
  struct Blob;

  Status claim(const ByteSource& source, const Range& range);
  // The source of constants that stay in the file; null if they must be read now.
  const std::shared_ptr<const ByteSource>& shared(const ByteSource& source);

  std::string file_;
  bool at_once_;
  std::shared_ptr<const ByteSource> shared_;
  std::map<Range, std::shared_ptr<Blob>> blobs_;
  std::int64_t claimed_bytes_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_CONSTANT_BLOBS_H_
