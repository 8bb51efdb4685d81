#include "playground/spelling.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace windrow::playground {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// "float16" of "np.float16", "torch.float16" and "'float16'".
std::string type_name(std::string_view text) {
  std::string_view name = trimmed(text);
  if (const std::size_t dot = name.rfind('.'); dot != std::string_view::npos)
    name.remove_prefix(dot + 1);
  while (!name.empty() && (name.front() == '\'' || name.front() == '"')) name.remove_prefix(1);
  while (!name.empty() && (name.back() == '\'' || name.back() == '"')) name.remove_suffix(1);
  return std::string(name);
}

// The lists and the type of "array(LISTS, dtype=TYPE)", by any of the names that calls have.
Spelling without_call(std::string_view text) {
  constexpr std::array<std::string_view, 3> kNames = {"array(", "asarray(", "tensor("};
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || open == 0 || text.back() != ')')
    return {std::string(text), {}};
  bool is_known = false;
  for (const std::string_view name : kNames) is_known |= text.substr(0, open + 1).ends_with(name);
  if (!is_known) return {std::string(text), {}};
  std::string_view lists = text.substr(open + 1, text.size() - open - 2);
  std::string dtype;
  const std::size_t end = lists.find_last_of("])");
  const std::size_t comma = end == std::string_view::npos ? lists.find(',') : lists.find(',', end);
  if (comma != std::string_view::npos) {
    const std::string_view rest = lists.substr(comma);
    if (const std::size_t at = rest.find("dtype="); at != std::string_view::npos)
      dtype = type_name(rest.substr(at + 6, rest.find(',', at) - at - 6));
    lists = lists.substr(0, comma);
  }
  return {std::string(trimmed(lists)), dtype};
}

// The number, or the truth value, as JSON writes it; anything else as it is.
std::string element_text(std::string_view word) {
  if (word == "True") return "true";
  if (word == "False") return "false";
  std::string text(word.starts_with('+') ? word.substr(1) : word);
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) return text;
  const auto is_digit = [&text](std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  if (!is_digit(dot + 1)) text.insert(dot + 1, "0");
  if (dot == 0 || !is_digit(dot - 1)) text.insert(dot, "0");
  return text;
}

// The string in quotes at the beginning of `text`, with its quotes; empty if it does not end.
std::string_view quoted(std::string_view text) {
  for (std::size_t at = 1; at < text.size(); ++at) {
    if (text[at] == '\\')
      ++at;
    else if (text[at] == text[0])
      return text.substr(0, at + 1);
  }
  return {};
}

// A string as JSON writes it.
std::string string_text(std::string_view word) {
  std::string text = "\"";
  for (std::size_t at = 1; at + 1 < word.size(); ++at) {
    if (word[at] == '"' && word[0] == '\'') text += '\\';
    if (word[at] == '\\' && word[at + 1] == '\'') ++at;
    text += word[at];
  }
  return text + "\"";
}

// Lists of elements that commas or blanks part, in brackets or parentheses, as JSON; empty if
// something has no end.
std::string json_lists(std::string_view text) {
  constexpr std::string_view kEnds = " \t\r\n,[]()'\"";
  std::string json;
  bool needs_comma = false;
  while (!text.empty()) {
    const char first = text.front();
    std::size_t length = 1;
    if (kBlanks.find(first) != std::string_view::npos || first == ',') {
      text.remove_prefix(1);
      continue;
    }
    const bool closes = first == ']' || first == ')';
    if (needs_comma && !closes) json += ',';
    needs_comma = true;
    if (first == '[' || first == '(') {
      json += '[';
      needs_comma = false;
    } else if (closes) {
      json += ']';
    } else if (first == '\'' || first == '"') {
      length = quoted(text).size();
      if (length == 0) return {};
      json += string_text(text.substr(0, length));
    } else {
      length = std::min(text.find_first_of(kEnds), text.size());
      json += element_text(text.substr(0, length));
    }
    text.remove_prefix(length);
  }
  return json;
}

}  // namespace

Spelling read_spelling(std::string_view text) {
  Spelling spelling = without_call(trimmed(text));
  const bool is_list = spelling.word.starts_with('[') || spelling.word.starts_with('(');
  const bool is_element = !is_list && spelling.word.find('x') == std::string::npos;
  std::string lists = is_list || is_element ? json_lists(spelling.word) : std::string();
  if (!lists.empty()) spelling.word = std::move(lists);
  return spelling;
}

}  // namespace windrow::playground
