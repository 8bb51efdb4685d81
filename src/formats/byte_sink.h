#ifndef WINDROW_FORMATS_BYTE_SINK_H_
#define WINDROW_FORMATS_BYTE_SINK_H_

#include <cstdint>
#include <string_view>

#include "windrow/status.h"

namespace windrow::internal {

// Something that bytes are appended to.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  virtual Status write(const void* bytes, std::int64_t count) = 0;
  Status write(std::string_view bytes) {
    return write(bytes.data(), static_cast<std::int64_t>(bytes.size()));
  }
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_BYTE_SINK_H_
