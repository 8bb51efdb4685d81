#ifndef WINDROW_FORMATS_NPY_UTF8_H_
#define WINDROW_FORMATS_NPY_UTF8_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace windrow::internal {

// Appends one code point. Returns false if it is not one (a surrogate, or above 0x10ffff).
bool append_utf8(std::uint32_t code_point, std::string& text);

bool is_utf8(std::string_view text) noexcept;

// The code points of a text; nothing if it is not valid UTF-8.
std::optional<std::vector<std::uint32_t>> decode_utf8(std::string_view text);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_NPY_UTF8_H_
