#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "src/formats/archive.h"

namespace {

using windrow::internal::Archive;

void read_all(const Archive& archive) {
  if (!archive) return;
  for (std::size_t i = 0; i < (*archive)->names().size(); ++i) {
    (void)(*archive)->load(i, windrow::DType::kAbsent);
    (void)(*archive)->place(i, windrow::DType::kAbsent);
  }
}

}  // namespace

// Any bytes are an archive of tensors or an error, and so is each of its tensors. Both formats are
// tried: no file is the beginning of both.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using windrow::internal::MemorySource;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  read_all(windrow::internal::open_npz(std::make_shared<MemorySource>(bytes)));
  read_all(windrow::internal::open_safetensors(std::make_shared<MemorySource>(bytes)));
  return 0;
}
