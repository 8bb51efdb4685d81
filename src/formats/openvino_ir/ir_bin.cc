#include "src/formats/openvino_ir/ir_bin.h"

#include <functional>
#include <utility>

#include "src/formats/openvino_ir/ir_strings.h"

namespace windrow::internal {

Result<IrBlob> IrBin::add(const Tensor& tensor) {
  if (tensor.dtype() != DType::kString)
    return add(std::string_view(static_cast<const char*>(tensor.data()),
                                static_cast<std::size_t>(tensor.byte_count())));
  Result<std::string> packed = pack_strings(tensor);
  if (!packed) return packed.error();
  return add(texts_.emplace_back(*std::move(packed)));
}

Result<IrBlob> IrBin::add(std::string_view bytes) {
  const auto size = static_cast<std::int64_t>(bytes.size());
  const std::size_t hash = std::hash<std::string_view>()(bytes);
  const auto [first, last] = written_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (known->second.bytes == bytes) return IrBlob{known->second.offset, size};
  }
  const IrBlob blob{size_, size};
  if (Status status = append_(bytes); !status) return status;
  size_ += size;
  written_.emplace(hash, Written{bytes, blob.offset});
  return blob;
}

}  // namespace windrow::internal
