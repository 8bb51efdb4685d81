#include "src/formats/openvino_ir/ir_bin.h"

#include <functional>
#include <utility>

#include "src/formats/openvino_ir/ir_strings.h"

namespace windrow::internal {

Result<IrBlob> IrBin::add(const Tensor& tensor) {
  std::string_view bytes(static_cast<const char*>(tensor.data()),
                         static_cast<std::size_t>(tensor.byte_count()));
  if (tensor.dtype() == DType::kString) {
    Result<std::string> packed = pack_strings(tensor);
    if (!packed) return packed.error();
    bytes = texts_.emplace_back(*std::move(packed));
  }
  const auto size = static_cast<std::int64_t>(bytes.size());
  const std::size_t hash = std::hash<std::string_view>()(bytes);
  const auto [first, last] = written_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    if (known->second.bytes == bytes) return IrBlob{known->second.offset, size};
  }
  const IrBlob blob{file_.size(), size};
  if (Status status = file_.write(bytes); !status) return status;
  written_.emplace(hash, Written{bytes, blob.offset});
  return blob;
}

}  // namespace windrow::internal
