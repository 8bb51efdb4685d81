#include "src/tables/call_number.h"

#include <algorithm>
#include <charconv>
#include <span>
#include <string_view>
#include <utility>

#include "src/tables/log_pointer.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kCallNumberStart = "windrow-calls 1\n";
// Those of the largest number of 64 bits.
constexpr std::size_t kCallNumberDigits = 19;
constexpr std::size_t kCallNumberBytes = kCallNumberStart.size() + kCallNumberDigits + 1;

Status bad_call_number(const SystemFile& file) {
  return Status(ErrorCode::kFormat,
                file.name() + " is not the number of a shard's last call, as its name says");
}

// All of a file that is not longer than the text of a number.
Result<std::string> text_of(SystemFile& file) {
  const auto size = file.size();
  if (!size) return size.error();
  if (*size > static_cast<std::int64_t>(kCallNumberBytes)) return bad_call_number(file);
  std::string text(static_cast<std::size_t>(*size), '\0');
  if (Status status = file.read(0, std::as_writable_bytes(std::span(text))); !status) return status;
  return text;
}

// Whether the maker of a file was ended before it was written.
bool is_unwritten(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char letter) { return letter == '\0'; });
}

}  // namespace

std::filesystem::path call_number_path(const std::filesystem::path& file) {
  return log_path(file).replace_extension(".windrow-calls");
}

std::string call_number_text(std::int64_t number) {
  const std::string digits = std::to_string(number);
  return std::string(kCallNumberStart) + std::string(kCallNumberDigits - digits.size(), '0') +
         digits + "\n";
}

Result<std::int64_t> read_call_number(SystemFile& file) {
  const auto text = text_of(file);
  if (!text) return text.error();
  if (is_unwritten(*text)) return 0;
  std::int64_t number = -1;
  const char* const digits = text->data() + std::min(kCallNumberStart.size(), text->size());
  std::from_chars(digits, text->data() + text->size(), number);
  if (number < 0 || *text != call_number_text(number)) return bad_call_number(file);
  return number;
}

Result<std::unique_ptr<SystemFile>> open_call_number(const std::filesystem::path& path,
                                                     unsigned mode) {
  auto file = SystemFile::open_or_make(path, mode);
  if (!file) return file;
  const auto there = text_of(**file);
  if (!there) return there.error();
  if (!is_unwritten(*there))
    return there->size() == kCallNumberBytes ? std::move(file) : bad_call_number(**file);
  const std::string text = call_number_text(0);
  if (Status status = (*file)->write(0, std::as_bytes(std::span(text))); !status) return status;
  if (Status status = (*file)->sync(); !status) return status;
  return file;
}

}  // namespace windrow::internal
