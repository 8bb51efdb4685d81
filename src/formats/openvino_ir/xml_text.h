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

// Writes XML as text, one element after another. Unlike pugixml's documents it loses nothing when
// memory runs out: it throws std::bad_alloc like every container.
class XmlText {
 public:
  enum class Form { kOneLine, kIndented };

  explicit XmlText(Form form) : form_(form) {}

  // Begins an element inside of the one that was begun last. Names are names of XML.
  void open(std::string_view name);
  // Adds an attribute to the element that was begun last, before its contents.
  void attribute(std::string_view name, std::string_view value);
  void attribute(std::string_view name, std::int64_t value);
  // Copies the attributes of an element for which `skip`, called with name and value, is false.
  template <class Skip>
  void copy_attributes(const pugi::xml_node& element, const Skip& skip) {
    for (const pugi::xml_attribute& each : element.attributes())
      if (!skip(std::string_view(each.name()), std::string_view(each.value())))
        attribute(each.name(), std::string_view(each.value()));
  }
  // Copies the attributes of an element except those named in `but`.
  void copy_attributes(const pugi::xml_node& element, std::initializer_list<std::string_view> but);
  // Writes an element that holds only text.
  void element(std::string_view name, std::string_view content);
  // Copies an element with everything in it.
  void copy(const pugi::xml_node& element);
  // Copies everything in an element.
  void copy_children(const pugi::xml_node& element);
  // Appends elements that are already text.
  void append(std::string_view elements);
  void close();

  // The text so far.
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
