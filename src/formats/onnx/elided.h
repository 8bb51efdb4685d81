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
// gigabytes is parsed without them. A random token, which no file can contain on purpose, takes the
// place of the elements.
class ElidedFile {
 public:
  struct Range {
    std::int64_t offset = 0;
    std::int64_t bytes = 0;
  };

  // Which elements are left out: those of initializers of at least kLeastUnreadBytes, or those of
  // all initializers and of all tensors in attributes.
  enum class Elements { kLarge, kAll };

  // Nothing if the bytes are not what protobuf writes; they must then be parsed as they are.
  // Precondition: check_message_size() has accepted the file. Errors: kIo, kFormat (the file was
  // cut while it was read).
  static Result<std::optional<ElidedFile>> read(const ByteSource& file,
                                                Elements elements = Elements::kLarge);

  std::string_view bytes() const noexcept { return bytes_; }
  // Frees the bytes once they are parsed.
  void drop_bytes() { bytes_ = std::string(); }
  // Where the elements that `raw_data` stands for are in the file; nothing if `raw_data` holds the
  // elements themselves.
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
