#include "src/formats/openvino_ir/ir_strings.h"

#include <cstdint>
#include <limits>

#include "src/formats/archive.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

constexpr std::int64_t kNumberBytes = 4;

std::int64_t number_at(std::string_view bytes, std::int64_t position) {
  return static_cast<std::int32_t>(
      little_endian(bytes.data() + position * kNumberBytes, kNumberBytes));
}

Status bad_strings(const std::string& why) {
  return format_error("its packed strings can't be read: ", why);
}

}  // namespace

Result<Tensor> unpack_strings(std::string_view bytes, const Shape& shape) {
  const std::int64_t count = element_count(shape).value_or(-1);
  const auto size = static_cast<std::int64_t>(bytes.size());
  if (count == 0) return Tensor::allocate(DType::kString, shape);
  if (count < 0 || count > size / kNumberBytes - 2) return bad_strings("they are cut");
  if (number_at(bytes, 0) != count)
    return bad_strings("there are " + std::to_string(number_at(bytes, 0)) + ", not " +
                       std::to_string(count));
  const std::string_view text = bytes.substr(static_cast<std::size_t>((count + 2) * kNumberBytes));
  Result<Tensor> tensor = Tensor::allocate(DType::kString, shape);
  if (!tensor) return tensor;
  auto* const elements = static_cast<std::string*>(tensor->data());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t begin = number_at(bytes, i + 1);
    const std::int64_t end = number_at(bytes, i + 2);
    if (begin < 0 || begin > end || end > static_cast<std::int64_t>(text.size()))
      return bad_strings("element " + std::to_string(i) + " goes from " + std::to_string(begin) +
                         " to " + std::to_string(end) + " of " + std::to_string(text.size()));
    elements[i] =
        text.substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
  }
  return tensor;
}

Result<std::string> pack_strings(const Tensor& tensor) {
  std::string bytes;
  std::size_t end = 0;
  append_little_endian(static_cast<std::uint64_t>(tensor.element_count()), kNumberBytes, bytes);
  append_little_endian(end, kNumberBytes, bytes);
  for (const std::string& element : tensor.values<std::string>()) {
    end += element.size();
    if (end > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      return unsupported_error("OpenVINO IR holds less than 2 GiB of text in one constant");
    append_little_endian(end, kNumberBytes, bytes);
  }
  for (const std::string& element : tensor.values<std::string>()) bytes += element;
  return bytes;
}

}  // namespace windrow::internal
