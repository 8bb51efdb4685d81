#include "src/base/text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "windrow/nearest_name.h"
#include "windrow/printable.h"

namespace windrow {
namespace {

constexpr char kDigits[] = "0123456789abcdef";

// "\x1b", "\u202e": `prefix` and the last `digits` hexadecimal digits of `value`.
void append_code(std::string_view prefix, std::uint32_t value, int digits, std::string& line) {
  line += prefix;
  for (int i = digits - 1; i >= 0; --i) line += kDigits[value >> 4 * i & 0xf];
}

void append_control(std::uint32_t value, std::string& line) {
  switch (value) {
    case '\n':
      line += "\\n";
      return;
    case '\r':
      line += "\\r";
      return;
    case '\t':
      line += "\\t";
      return;
    case 0:
      line += "\\0";
      return;
    default:
      append_code("\\x", value, 2, line);
  }
}

// Code points above ASCII that a terminal obeys, that move or hide other text, or that nobody sees:
// control and format characters, without those of single scripts.
bool is_hidden(std::uint32_t value) {
  constexpr std::pair<std::uint32_t, std::uint32_t> kHidden[] = {
      {0x80, 0x9f},       // control characters
      {0xad, 0xad},       // a hyphen that is shown only where a line breaks
      {0x34f, 0x34f},     // a joiner without a glyph
      {0x61c, 0x61c},     // a mark of direction
      {0x115f, 0x1160},   // fillers that are blank
      {0x180e, 0x180e},   // a separator without width
      {0x200b, 0x200f},   // characters without width, marks of direction
      {0x2028, 0x202e},   // separators of lines, turns of direction
      {0x2060, 0x206f},   // invisible operators, turns of direction
      {0x3164, 0x3164},   // a filler that is blank
      {0xfeff, 0xfeff},   // the mark of byte order
      {0xffa0, 0xffa0},   // a filler that is blank
      {0xfff9, 0xfffb},   // marks of annotations
      {0xe0000, 0xe007f}  // invisible tags
  };
  return std::any_of(std::begin(kHidden), std::end(kHidden), [value](const auto& range) {
    return value >= range.first && value <= range.second;
  });
}

}  // namespace

std::string printable(std::string_view text) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const std::optional<std::uint32_t> value = internal::first_code_point(text);
    const std::size_t size = value ? internal::encoded_size(*value) : 1;
    if (!value) {
      append_code("\\x", static_cast<std::uint8_t>(text[0]), 2, line);
    } else if (*value < 0x20 || *value == 0x7f) {
      append_control(*value, line);
    } else if (*value > 0x7f && is_hidden(*value)) {
      const bool is_short = *value <= 0xffff;
      append_code(is_short ? "\\u" : "\\U", *value, is_short ? 4 : 8, line);
    } else {
      line += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return line;
}

namespace {

constexpr std::size_t kLongest = 256;
constexpr std::int64_t kMostPairs = std::int64_t{1} << 26;

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

// The number of letters to change, add or remove to turn `a` into `b`.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above + 1, row[j - 1] + 1, changed});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

NearestName::NearestName(std::string_view name)
    : name_(lower_case(name.substr(0, kLongest))),
      best_(name.size() <= kLongest ? name.size() / 2 + 1 : 0),
      left_(kMostPairs) {}

void NearestName::consider(std::string_view known) {
  const std::size_t apart =
      known.size() > name_.size() ? known.size() - name_.size() : name_.size() - known.size();
  if (apart >= best_ || known.size() > kLongest || known.empty() || left_ < 0) return;
  left_ -= static_cast<std::int64_t>((known.size() + 1) * (name_.size() + 1));
  const std::size_t distance = edit_distance(lower_case(known), name_);
  if (distance >= best_) return;
  best_ = distance;
  nearest_ = known;
}

std::string NearestName::hint() const {
  return nearest_.empty() ? "" : "; did you mean " + nearest_ + "?";
}

}  // namespace windrow
