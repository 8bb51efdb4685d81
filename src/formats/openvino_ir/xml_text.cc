#include "src/formats/openvino_ir/xml_text.h"

#include <algorithm>
#include <utility>

namespace windrow::internal {
namespace {

bool is_name_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == ':' || c == '-' || c == '.' || static_cast<unsigned char>(c) >= 128;
}

// Characters that can't stand for themselves in an attribute or in text become references.
void append_escaped(std::string& text, std::string_view value) {
  for (const char c : value) {
    if (c == '&') {
      text += "&amp;";
    } else if (c == '<') {
      text += "&lt;";
    } else if (c == '>') {
      text += "&gt;";
    } else if (c == '"') {
      text += "&quot;";
    } else if (static_cast<unsigned char>(c) < 32) {
      text += "&#" + std::to_string(static_cast<int>(c)) + ";";
    } else {
      text += c;
    }
  }
}

// Whether an element is shallow enough to be indented. The indentation of a very deep one would
// take more characters than the rest of the file.
bool is_flat(pugi::xml_node element) {
  constexpr int kMostDepth = 16;
  struct Walker final : pugi::xml_tree_walker {
    bool for_each(pugi::xml_node&) override { return depth() < kMostDepth; }
  } walker;
  return element.traverse(walker);
}

}  // namespace

bool is_xml_name(std::string_view name) noexcept {
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_name_character)) return false;
  const char first = name.front();
  return first != '-' && first != '.' && (first < '0' || first > '9');
}

void XmlText::end_line() {
  if (form_ == Form::kOneLine) return;
  if (!text_.empty()) text_ += '\n';
  text_.append(open_.size(), '\t');
}

void XmlText::begin_child() {
  if (in_tag_) text_ += '>';
  in_tag_ = false;
  end_line();
}

void XmlText::open(std::string_view name) {
  begin_child();
  (text_ += '<') += name;
  open_.emplace_back(name);
  in_tag_ = true;
}

void XmlText::attribute(std::string_view name, std::string_view value) {
  ((text_ += ' ') += name) += "=\"";
  append_escaped(text_, value);
  text_ += '"';
}

void XmlText::attribute(std::string_view name, std::int64_t value) {
  attribute(name, std::string_view(std::to_string(value)));
}

void XmlText::element(std::string_view name, std::string_view content) {
  begin_child();
  ((text_ += '<') += name) += '>';
  append_escaped(text_, content);
  ((text_ += "</") += name) += '>';
}

void XmlText::copy(const pugi::xml_node& element) {
  struct Text final : pugi::xml_writer {
    explicit Text(std::string& to) : bytes(to) {}
    std::string& bytes;
    void write(const void* data, std::size_t size) override {
      bytes.append(static_cast<const char*>(data), size);
    }
  };
  begin_child();
  Text text(text_);
  const bool is_indented = form_ == Form::kIndented && is_flat(element);
  // pugixml prints the indentation of the first line itself, and a line break after the last one.
  if (is_indented) text_.resize(text_.size() - open_.size());
  element.print(text, "\t", is_indented ? pugi::format_indent : pugi::format_raw,
                pugi::encoding_utf8, static_cast<unsigned>(open_.size()));
  if (is_indented && text_.ends_with('\n')) text_.pop_back();
}

void XmlText::copy_attributes(const pugi::xml_node& element,
                              std::initializer_list<std::string_view> but) {
  copy_attributes(element,
                  [but](std::string_view name, std::string_view) { return is_one_of(name, but); });
}

void XmlText::copy_children(const pugi::xml_node& element) {
  for (const pugi::xml_node& child : element.children()) copy(child);
}

void XmlText::append(std::string_view elements) {
  if (elements.empty()) return;
  begin_child();
  text_ += elements;
}

void XmlText::close() {
  const std::string name = std::move(open_.back());
  open_.pop_back();
  if (in_tag_) {
    text_ += form_ == Form::kOneLine ? "/>" : " />";
  } else {
    end_line();
    ((text_ += "</") += name) += '>';
  }
  in_tag_ = false;
}

}  // namespace windrow::internal
