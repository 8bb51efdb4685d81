#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <vector>

#include "src/formats/openvino_ir/ir_document.h"

namespace windrow::internal {

// One output of a layer, by their positions in the document.
struct IrSource {
  std::size_t layer = 0;
  std::size_t output = 0;
};

struct IrGraph {
  // What each input of each layer reads.
  std::vector<std::vector<IrSource>> inputs;
  // The layers that count: Parameters, and what a Result or an Assign depends on. Each comes after
  // those that it reads, otherwise they are in the file's order.
  std::vector<std::size_t> order;
};

// Errors: kFormat (an edge that fits no port, an input without an edge, a cycle).
Result<IrGraph> make_ir_graph(const IrDocument& document);

// Tells the ids of the layers in a written body. Parameters are numbered from 0.
struct IrBodyIds {
  std::int64_t parameters = 0;  // their number
  std::int64_t results = 0;     // their number
  std::int64_t first_result = 0;
};

// How the ports of a layer and the Parameters and Results of its bodies belong together, as
// <port_map> (for If: <then_port_map> and <else_port_map>) and <back_edges> say. What is kept of
// these maps has positions where the file has ids, because a written file has other ids. Ports are
// counted from the first input on, outputs after inputs; Parameters and Results are counted among
// themselves.
class IrPortMaps {
 public:
  // Turns the ids in the maps of a layer of a file into positions. An id that no port, Parameter or
  // Result has is an error (kFormat). `layer` must outlive the object.
  explicit IrPortMaps(const IrLayer& layer);
  // Turns positions into ids, for a written layer with `ports` ports, and with bodies by the name
  // of their element. A position that does not exist is an error (kInvalidArgument).
  IrPortMaps(std::int64_t ports, std::map<std::string, IrBodyIds> bodies);

  // Whether an element of a layer is such a map.
  static bool is_map(const pugi::xml_node& element);

  // Writes a map with its numbers changed.
  Status write(const pugi::xml_node& map, XmlText& text) const;

 private:
  // What a number refers to.
  enum class Named { kInput, kOutput, kParameter, kResult };
  using Renumber =
      std::function<std::optional<std::int64_t>(const std::string& body, Named, std::int64_t)>;

  // The texts of messages, by Named.
  static constexpr const char* kNames[] = {"input port", "output port", "Parameter", "Result"};
  static std::optional<Named> named_by(std::string_view entry,
                                       const pugi::xml_attribute& attribute);
  Status write_entry(const std::string& body, const pugi::xml_node& entry, XmlText& text) const;

  ErrorCode code_;
  Renumber renumber_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_H_
