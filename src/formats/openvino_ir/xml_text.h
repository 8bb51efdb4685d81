#ifndef WINDROW_FORMATS_OPENVINO_IR_XML_TEXT_H_
#define WINDROW_FORMATS_OPENVINO_IR_XML_TEXT_H_

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace windrow::internal {

inline bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Whether XML has elements and attributes of that name.
bool is_xml_name(std::string_view name) noexcept;

// Writes XML as text, an element after another. Unlike pugixml's documents it loses nothing when
// memory ends: that is std::bad_alloc, as of every container here.
class XmlText {
 public:
  enum class Form { kOneLine, kIndented };

  explicit XmlText(Form form) : form_(form) {}

  // Begins an element inside of the one that was begun last. Names are names of XML.
  void open(std::string_view name);
  // Of the element that was begun last, before its contents.
  void attribute(std::string_view name, std::string_view value);
  void attribute(std::string_view name, std::int64_t value);
  // The attributes of an element for which `skip`, asked with name and value, is false.
  template <class Skip>
  void copy_attributes(const pugi::xml_node& element, const Skip& skip) {
    for (const pugi::xml_attribute& each : element.attributes())
      if (!skip(std::string_view(each.name()), std::string_view(each.value())))
        attribute(each.name(), std::string_view(each.value()));
  }
  // The attributes of an element but those of some names.
  void copy_attributes(const pugi::xml_node& element, std::initializer_list<std::string_view> but);
  // An element that holds nothing but text.
  void element(std::string_view name, std::string_view content);
  // A copy of an element, with all that it has.
  void copy(const pugi::xml_node& element);
  // Copies of all that an element holds.
  void copy_children(const pugi::xml_node& element);
  // Elements that are written already.
  void append(std::string_view elements);
  void close();

  // What is written so far.
  const std::string& text() const noexcept { return text_; }

 private:
  void begin_child();
  void end_line();

  Form form_;
  std::string text_;
  std::vector<std::string> open_;
  bool in_tag_ = false;  // whether the newest element has no contents yet
};

// The text of an element in one line, whose contents `fill` adds to an XmlText; empty if it adds
// nothing.
template <class Fill>
std::string element_text(std::string_view name, const Fill& fill) {
  XmlText text(XmlText::Form::kOneLine);
  text.open(name);
  const std::size_t bare = text.text().size();
  fill(text);
  if (text.text().size() == bare) return {};
  text.close();
  return text.text();
}

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_XML_TEXT_H_
