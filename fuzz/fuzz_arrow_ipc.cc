#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/formats/arrow_ipc/arrow_ipc.h"

// Any bytes are a file of one or more columns or an error.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const windrow::internal::MemorySource source(
      std::string_view(reinterpret_cast<const char*>(data), size));
  for (const char* const name : {"", "a", "b"})
    (void)windrow::internal::place_arrow(source, "file.arrow", name);
  return 0;
}
