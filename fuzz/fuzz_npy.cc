#include <cstddef>
#include <cstdint>
#include <string_view>

#include "src/formats/npy/npy.h"

// Any bytes are a tensor or an error, under each expectation that changes how they are read.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using windrow::DType;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const windrow::internal::MemorySource source(bytes);
  for (const DType expected :
       {DType::kAbsent, DType::kBFloat16, DType::kInt4, DType::kFloat8E4M3FN}) {
    (void)windrow::internal::read_npy(source, expected);
    (void)windrow::internal::place_npy(source, expected);
  }
  return 0;
}
