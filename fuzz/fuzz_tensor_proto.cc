#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/formats/onnx/onnx_files.h"

// Any bytes are a tensor or an error. External data is looked for in a folder that is not there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)windrow::internal::parse_tensor(bytes, "/nonexistent");
  return 0;
}
