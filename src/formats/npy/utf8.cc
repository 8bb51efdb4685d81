#include "src/formats/npy/utf8.h"

#include "src/base/utf8.h"

namespace windrow::internal {

bool append_utf8(std::uint32_t code_point, std::string& text) {
  if (!is_code_point(code_point)) return false;
  const int size = static_cast<int>(encoded_size(code_point));
  if (size == 1) {
    text += static_cast<char>(code_point);
    return true;
  }
  const std::uint32_t lead = 0xf00U >> size & 0xffU;  // as many ones as there are bytes
  text += static_cast<char>(lead | code_point >> 6 * (size - 1));
  for (int i = size - 2; i >= 0; --i)
    text += static_cast<char>(0x80U | (code_point >> 6 * i & 0x3fU));
  return true;
}

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const std::optional<std::uint32_t> code_point = first_code_point(text);
    if (!code_point) return false;
    text.remove_prefix(encoded_size(*code_point));
  }
  return true;
}

std::optional<std::vector<std::uint32_t>> decode_utf8(std::string_view text) {
  std::vector<std::uint32_t> code_points;
  while (!text.empty()) {
    const std::optional<std::uint32_t> value = first_code_point(text);
    if (!value) return std::nullopt;
    code_points.push_back(*value);
    text.remove_prefix(encoded_size(*value));
  }
  return code_points;
}

}  // namespace windrow::internal
