#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_DOCUMENT_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_DOCUMENT_H_

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/dtype.h"
#include "windrow/status.h"

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

// The content of the .xml file of OpenVINO IR, before a model is made of it.

// The version of the format that is written.
inline constexpr std::string_view kIrVersion = "11";

// The deepest nesting of bodies, since reading and writing them is recursive.
inline constexpr int kMostIrBodies = 32;

// The elements of a layer that hold a graph.
inline constexpr const char* kIrBodies[] = {"body", "then_body", "else_body"};

// The error of bodies that nest deeper than kMostIrBodies.
Status too_deep_error();

struct IrDocument;

struct IrPort {
  pugi::xml_node element;
  std::int64_t id = 0;
  // The rest is that of an output.
  DType type = DType::kAbsent;
  // -1 for an unknown extent. Empty for a scalar, and for an unknown rank.
  std::vector<std::int64_t> dims;
  std::vector<std::string> names;
};

// A graph inside a layer, by the element that holds it: "body".
struct IrBody {
  std::string name;
  std::shared_ptr<const IrDocument> graph;  // not null
};

struct IrLayer {
  pugi::xml_node element;
  std::int64_t id = 0;
  std::string name;
  std::string type;
  std::string version;
  std::map<std::string, std::string, std::less<>> attributes;
  std::vector<IrBody> bodies;
  std::vector<IrPort> inputs;
  std::vector<IrPort> outputs;

  bool is(std::string_view type_name) const noexcept;  // ignoring case
  const std::string* attribute(std::string_view attribute_name) const;
};

struct IrEdge {
  std::int64_t from_layer = 0;
  std::int64_t from_port = 0;
  std::int64_t to_layer = 0;
  std::int64_t to_port = 0;
};

// What the file says about a graph: the whole model, or a body.
struct IrDocument {
  pugi::xml_node element;  // <net>, <body> and the like
  std::vector<IrLayer> layers;
  std::vector<IrEdge> edges;
};

// "layer 3 'gather'": how messages name a layer.
std::string layer_text(const IrLayer& layer);

// Whether the layer is a constant, whose type is spelled in two ways.
bool is_constant_layer(const IrLayer& layer);

// A parsed file. The elements of `net` are those of `xml`, whose names and values stand in `text`.
struct IrFile {
  std::string text;
  pugi::xml_document xml;
  IrDocument net;
};

// Parses the text. Entities that the text declares are never expanded.
// Errors: kFormat, kUnsupported (another version of the format; bodies that nest deeper than
// kMostIrBodies).
Result<std::unique_ptr<IrFile>> parse_ir_file(std::string xml);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_DOCUMENT_H_
