#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_DOCUMENT_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_DOCUMENT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/dtype.h"
#include "windrow/status.h"

// What the .xml file of OpenVINO IR says, before anything is made of it.
namespace windrow::internal {

struct IrPort {
  std::int64_t id = 0;
  DType type = DType::kAbsent;  // of an output
  std::vector<std::int64_t>
      dims;  // of an output: -1 for what is not fixed; none: scalar or unknown
  std::vector<std::string> names;  // of an output
};

struct IrLayer {
  std::int64_t id = 0;
  std::string name;
  std::string type;
  std::string version;
  std::map<std::string, std::string, std::less<>> attributes;
  bool has_graph = false;  // a body, as of a loop
  std::vector<IrPort> inputs;
  std::vector<IrPort> outputs;

  bool is(std::string_view type_name) const noexcept;  // whatever the case
  const std::string* attribute(std::string_view attribute_name) const;
};

struct IrEdge {
  std::int64_t from_layer = 0;
  std::int64_t from_port = 0;
  std::int64_t to_layer = 0;
  std::int64_t to_port = 0;
};

struct IrDocument {
  std::vector<IrLayer> layers;
  std::vector<IrEdge> edges;
};

// "layer 3 'gather'": how messages name a layer.
std::string layer_text(const IrLayer& layer);

// Whether two names of operators are the same: OpenVINO looks them up without regard to case.
bool same_type_name(std::string_view a, std::string_view b) noexcept;

// Parses the text, which is used up. Entities that the text declares are never expanded.
// Errors: kFormat, kUnsupported (another version of the format).
Result<IrDocument> parse_ir_document(std::string xml);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_DOCUMENT_H_
