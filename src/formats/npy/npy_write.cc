#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "src/base/packed.h"
#include "src/formats/npy/npy.h"
#include "src/formats/npy/npy_header.h"
#include "src/formats/npy/npy_type.h"
#include "src/formats/npy/utf8.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

using CodePoints = std::vector<std::uint32_t>;

constexpr std::int64_t kBlock = 1 << 16;

// Writes one byte per value, with the sign of int4 extended.
Status write_packed(const TensorView& tensor, std::int64_t count, ByteSink& file) {
  std::vector<std::uint8_t> block;
  for (std::int64_t first = 0; first < count; first += kBlock) {
    block.clear();
    for (std::int64_t i = first; i < std::min(count, first + kBlock); ++i) {
      const std::uint8_t code = get_packed(tensor.dtype, tensor.data, i);
      const bool negative = tensor.dtype == DType::kInt4 && (code & 8) != 0;
      block.push_back(static_cast<std::uint8_t>(negative ? code | 0xf0 : code));
    }
    if (Status status = file.write(block.data(), static_cast<std::int64_t>(block.size())); !status)
      return status;
  }
  return {};
}

// The characters of element `position`. A string that .npy cannot hold is an error: .npy pads
// strings with zeros, which readers drop again.
Result<CodePoints> storable(const std::string& text, std::int64_t position) {
  std::optional<CodePoints> code_points = decode_utf8(text);
  if (!code_points)
    return unsupported_error("string ", position, " is not UTF-8, which .npy can't hold; .pb can");
  if (!code_points->empty() && code_points->back() == 0)
    return unsupported_error("string ", position,
                             " ends with a zero character, which .npy can't hold; .pb can");
  return *std::move(code_points);
}

Status write_texts(const TensorView& tensor, std::int64_t count, ByteSink& file) {
  const auto* const texts = static_cast<const std::string*>(tensor.data);
  std::size_t longest = 1;
  for (std::int64_t i = 0; i < count; ++i) {
    const Result<CodePoints> code_points = storable(texts[i], i);
    if (!code_points) return code_points.error();
    longest = std::max(longest, code_points->size());
  }
  Status status = file.write(make_npy_header("<U" + std::to_string(longest), tensor.shape));
  for (std::int64_t i = 0; i < count && status; ++i) {
    Result<CodePoints> code_points = storable(texts[i], i);
    if (!code_points) return code_points.error();
    code_points->resize(longest);
    status = file.write(code_points->data(), static_cast<std::int64_t>(4 * longest));
  }
  return status;
}

}  // namespace

Status write_npy(const TensorView& tensor, ByteSink& file) {
  if (!tensor.is_dense()) {
    const Result<Tensor> dense = Tensor::copy_of(tensor);
    return dense ? write_npy(dense->view(), file) : dense.error();
  }
  const std::int64_t count = element_count(tensor.shape).value_or(0);
  if (tensor.dtype == DType::kString) return write_texts(tensor, count, file);
  Status status = file.write(make_npy_header(npy_descr(tensor.dtype), tensor.shape));
  if (!status) return status;
  if (is_packed(tensor.dtype)) return write_packed(tensor, count, file);
  return file.write(tensor.data, count * (dtype_bits(tensor.dtype) / 8));
}

}  // namespace windrow::internal
