#ifndef WINDROW_FORMATS_CONSTANT_BLOBS_H_
#define WINDROW_FORMATS_CONSTANT_BLOBS_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "src/formats/byte_source.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// What a model's constants have taken from one file. Constants of the same bytes share memory, and
// blobs that overlap without being the same take four times the file's size at most, so that a
// small file can't ask for much.
class ConstantBlobs {
 public:
  // `file` is how messages name the file: "the .bin file".
  explicit ConstantBlobs(std::string file) : file_(std::move(file)) {}

  // The dense tensor whose elements stand at byte `offset` (not negative) of `source`, which must
  // be the same file in every call. Not for strings. The memory is shared: it must not be written.
  // Errors: kFormat (the bytes are not in the file, or too many bytes overlap), kIo, kOutOfMemory.
  Result<Tensor> read(const ByteSource& source, std::int64_t offset, DType type,
                      const Shape& shape);

  // The bytes themselves, which count as well. Errors as for read().
  Result<std::string> read_bytes(const ByteSource& source, std::int64_t offset, std::int64_t bytes);

 private:
  using Range = std::pair<std::int64_t, std::int64_t>;  // offset, bytes

  Status claim(const ByteSource& source, const Range& range);

  std::string file_;
  std::map<Range, std::shared_ptr<Tensor>> loaded_;
  std::int64_t claimed_bytes_ = 0;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_CONSTANT_BLOBS_H_
