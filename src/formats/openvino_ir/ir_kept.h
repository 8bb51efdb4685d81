#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_KEPT_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_KEPT_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/openvino_ir/ir_constants.h"
#include "src/formats/openvino_ir/ir_document.h"

// What a file says that has no member in Model, as XML. ModelNode::kept is a <layer> with what is
// left of the file's: other attributes, rt_info, port maps (with positions for ids, see
// ir_port_maps.h). Graph::kept is
//
//   <graph>
//     <rest><rt_info/></rest>                 what is left of <net> or <body>
//     <input of="0"><layer/></input>          of a Parameter, by its position among the inputs
//     <constant of="w"><layer/></constant>    of a Const, by its value
//     <output of="0"><layer/></output>        of a Result, by its position among the outputs
//   </graph>
//
// and behind a zero byte the bytes of opaque constants, whose <constant> has their offset and size
// there. Either is empty if nothing is left.
namespace windrow::internal {

// The version of a Parameter, Const or Result where nothing else is kept.
inline constexpr const char* kInterfaceOpset = "opset1";

// The name of a Result's layer where nothing else is kept.
std::string result_name(std::size_t position);

// What the members of Model say about a layer.
struct IrSaid {
  std::string name;
  std::optional<std::string> version;              // nothing if they do not say it
  std::function<bool(std::string_view)> has_data;  // whether they have this attribute of <data>
  std::vector<bool> has_names;                     // of each output: whether they give its names
};

// What else the file says about a layer, without its bodies; empty if there is nothing. Errors:
// kFormat (a port map that does not fit).
Result<std::string> keep_layer(const IrLayer& layer, const IrSaid& said);

// Makes a Graph::kept.
class IrGraphKeeper {
 public:
  // `graph` is the <net> or the body.
  explicit IrGraphKeeper(const pugi::xml_node& graph);

  // Keeps what is left of a layer; `kind` and `of` as above. `bytes` are those of an opaque
  // constant, else null. Errors as for keep_layer.
  Status add(std::string_view kind, std::string_view of, const IrLayer& layer, const IrSaid& said,
             const IrBlob* bytes = nullptr);
  // Keeps the bytes of an opaque constant.
  IrBlob add_bytes(std::string_view bytes);

  // Returns the text. To be called once, at the end.
  std::string take();

 private:
  XmlText text_{XmlText::Form::kOneLine};
  std::string bytes_;
};

// Parses a ModelNode::kept, which may be empty; its <layer> is then a child of `document`. Errors:
// kInvalidArgument (it is not of this form).
Status parse_kept_layer(const std::string& kept, pugi::xml_document& document);

// What Graph::kept says. The element of a layer is null if nothing was kept of it.
class IrKeptGraph {
 public:
  // `kept` must outlive the object. Errors as for parse_kept_layer.
  Status parse(const std::string& kept);

  pugi::xml_node rest() const;  // null: nothing was kept of the graph
  // By `kind` and `of` as above.
  pugi::xml_node layer(std::string_view kind, std::string_view of) const;
  // The bytes of an opaque constant. Errors: kInvalidArgument (they were not kept).
  Result<std::string_view> bytes(std::string_view name) const;

 private:
  pugi::xml_document document_;
  std::map<std::string_view, std::map<std::string_view, pugi::xml_node>> layers_;  // kind, of
  std::string_view bytes_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_KEPT_H_
