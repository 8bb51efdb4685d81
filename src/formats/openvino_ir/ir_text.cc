#include "src/formats/openvino_ir/ir_text.h"

#include <utility>

#include "src/formats/text_parser.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

Status bad_shape(std::string_view text) {
  return format_error("the shape '", text, "' can't be read");
}

Status check_rank(std::size_t rank) {
  if (rank <= static_cast<std::size_t>(kMaxRank)) return {};
  return unsupported_error("the rank is ", rank, ", at most ", kMaxRank, " is supported");
}

// One end of an interval; `otherwise` if the text is blank.
std::optional<std::int64_t> parse_bound(std::string_view text, std::int64_t otherwise) {
  return trim(text).empty() ? otherwise : parse_integer(text);
}

std::optional<Dim> parse_dim(std::string_view text) {
  if (text == "?" || text == "-1") return Dim();
  Dim dim;
  const std::size_t dots = text.find("..");
  if (dots == std::string_view::npos) {
    const std::optional<std::int64_t> value = parse_integer(text);
    if (!value || *value < 0) return std::nullopt;
    dim.value = *value;
    return dim;
  }
  const auto low = parse_bound(text.substr(0, dots), dim.low);
  const auto high = parse_bound(text.substr(dots + 2), dim.high);
  if (!low || !high || *low < 0 || *low > *high) return std::nullopt;
  if (*low == *high) {
    dim.value = *low;
  } else {
    dim.low = *low;
    dim.high = *high;
  }
  return dim;
}

}  // namespace

std::optional<std::int64_t> parse_integer(std::string_view text) noexcept {
  return parse_number(trim(text));
}

std::vector<std::string_view> split_list(std::string_view text) {
  std::vector<std::string_view> parts;
  if (trim(text).empty()) return parts;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos;
       comma = text.find(',')) {
    parts.push_back(trim(text.substr(0, comma)));
    text.remove_prefix(comma + 1);
  }
  parts.push_back(trim(text));
  return parts;
}

std::vector<std::string> split_names(std::string_view text) {
  std::vector<std::string> names;
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) names.push_back(std::exchange(name, {}));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ',';
    if (escaped) {
      name += text[++i];
    } else if (text[i] == ',') {
      finish();
    } else {
      name += text[i];
    }
  }
  finish();
  return names;
}

Result<std::string> join_names(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (name.empty() || name.back() == '\\' || name.find('\0') != std::string::npos)
      return unsupported_error("OpenVINO IR has no spelling for the name '", name, "'");
    if (!text.empty()) text += ',';
    for (const char c : name) {
      if (c == ',') text += '\\';
      text += c;
    }
  }
  return text;
}

Result<Shape> parse_shape(std::string_view text) {
  const std::vector<std::string_view> parts = split_list(text);
  if (Status status = check_rank(parts.size()); !status) return status;
  Shape shape;
  for (const std::string_view part : parts) {
    const std::optional<std::int64_t> extent = parse_integer(part);
    if (!extent || *extent < 0) return bad_shape(text);
    shape.push_back(*extent);
  }
  return shape;
}

std::string shape_text(const Shape& shape) { return joined(shape, ", "); }

Result<SymbolicShape> parse_partial_shape(std::string_view text) {
  std::string_view list = trim(text);
  if (list.size() >= 2 && list.front() == '[' && list.back() == ']')
    list = list.substr(1, list.size() - 2);
  const std::vector<std::string_view> parts = split_list(list);
  for (const std::string_view part : parts) {
    if (part == "...") return SymbolicShape();
  }
  if (Status status = check_rank(parts.size()); !status) return status;
  SymbolicShape dims(std::in_place);
  for (const std::string_view part : parts) {
    std::optional<Dim> dim = parse_dim(part);
    if (!dim) return bad_shape(text);
    dims->push_back(*std::move(dim));
  }
  return dims;
}

std::string partial_shape_text(const SymbolicShape& dims) {
  return dims ? joined(*dims, ",", interval_text) : "...";
}

}  // namespace windrow::internal
