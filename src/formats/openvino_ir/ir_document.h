#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_DOCUMENT_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_DOCUMENT_H_

#include <cstdint>
#include <map>
#include <memory>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/dtype.h"
#include "windrow/status.h"

// The content of the .xml file of OpenVINO IR, before a model is made of it.
namespace windrow::internal {

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
