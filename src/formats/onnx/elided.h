#ifndef WINDROW_FORMATS_ONNX_ELIDED_H_
#define WINDROW_FORMATS_ONNX_ELIDED_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/byte_source.h"

namespace windrow::internal {

// The bytes of a model's file without the elements of its larger initializers, so that a model of
// gigabytes is parsed without them. In their place stands a token that no file can know.
class ElidedFile {
 public:
  struct Range {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
  };

  // Nothing if the bytes are not what protobuf writes: then they are to be parsed as they are.
  // Precondition: check_message_size() of the file.
  // Errors: kIo, kFormat (the file was cut meanwhile).
  static Result<std::optional<ElidedFile>> read(const ByteSource& file);

  std::string_view bytes() const noexcept { return bytes_; }
  // Once they are parsed.
  void drop_bytes() { bytes_ = std::string(); }
  // Where the elements stand of which `raw_data` holds the place; nothing if these are the elements
  // themselves.
  std::optional<Range> find(std::string_view raw_data) const;

 private:
  class Scanner;

  ElidedFile();

  std::string bytes_;
  std::string token_;  // its number follows it
  std::vector<Range> ranges_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_ELIDED_H_
