#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_PORT_MAPS_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_PORT_MAPS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>

#include "src/formats/openvino_ir/ir_document.h"
#include "src/formats/openvino_ir/xml_text.h"

namespace windrow::internal {

// What the ids of the layers in a written body are: Parameters are numbered from 0 on.
struct IrBodyIds {
  std::int64_t parameters = 0;  // their number
  std::int64_t results = 0;     // their number
  std::int64_t first_result = 0;
};

// How the ports of a layer and the Parameters and Results of its bodies belong together, as
// <port_map> (of If: <then_port_map> and <else_port_map>) and <back_edges> say it. What is kept of
// them has positions where the file has ids, as a written file has others: of ports, outputs
// counted on from the inputs; of Parameters among Parameters, of Results among Results.
class IrPortMaps {
 public:
  // To make positions of the ids in the maps of a layer of a file, which is kFormat where no port,
  // Parameter or Result has an id. `layer` must outlive the object.
  explicit IrPortMaps(const IrLayer& layer);
  // To make ids of positions, for a written layer with that number of ports, and bodies by the name
  // of their element. kInvalidArgument where a position is not there.
  IrPortMaps(std::int64_t ports, std::map<std::string, IrBodyIds> bodies);

  // Whether an element of a layer is such a map.
  static bool is_map(const pugi::xml_node& element);

  // Writes a map with its numbers changed.
  Status write(const pugi::xml_node& map, XmlText& text) const;

 private:
  // What a number names.
  enum class Named { kInput, kOutput, kParameter, kResult };
  using Renumber =
      std::function<std::optional<std::int64_t>(const std::string& body, Named, std::int64_t)>;

  // By Named.
  static constexpr const char* kNames[] = {"input port", "output port", "Parameter", "Result"};
  static std::optional<Named> named_by(std::string_view entry,
                                       const pugi::xml_attribute& attribute);
  Status write_entry(const std::string& body, const pugi::xml_node& entry, XmlText& text) const;

  ErrorCode code_;
  Renumber renumber_;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_PORT_MAPS_H_
