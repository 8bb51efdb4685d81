#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_READ_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_READ_H_

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "src/formats/openvino_ir/ir_constants.h"
#include "src/formats/openvino_ir/ir_document.h"
#include "windrow/models.h"

// Layers name an opset, nodes an operator's own version.
namespace windrow::internal {

class IrOperators {
 public:
  IrOperators();

  // Fills op_type, version and attributes. A layer that can't run here keeps its attributes as
  // text; node.unsupported says why if its version names no opset, or one without that operator.
  // Errors: kFormat (an attribute's value).
  Status read(const IrLayer& layer, ModelNode& node) const;

  // "opset8"; or `kept`, if it means the version of the node or if both have none. Errors:
  // kUnsupported (a node without a version).
  Result<std::string> opset_text(const ModelNode& node,
                                 const std::optional<std::string>& kept = std::nullopt) const;

 private:
  struct Entry {
    OperatorInfo info;
    int first_opset = 0;
  };
  // What a layer's type and version mean.
  struct Meaning {
    std::string op_type;
    std::optional<int> version;
    std::string unsupported;
    const OperatorInfo* info = nullptr;  // of the library's operator; null: another one
  };

  Meaning find(const std::string& type, const std::string& version) const;

  std::vector<Entry> entries_;
};

// An attribute's value as text. Errors: kUnsupported (a tensor).
Result<std::string> attribute_text(const AttributeValue& value);

// What the graphs of one file share.
struct IrReading {
  IrConstants constants;
  IrOperators operators;
};

// Fills an empty graph from the layers that count, and its bodies from theirs. `aliases` takes the
// other names of its values; it is null for a body, whose ports keep them. Whether values are
// defined before they are used is not checked. Errors: kFormat, kUnsupported, kIo, kOutOfMemory.
Status read_ir_graph(const IrDocument& document, IrReading& reading, Graph& graph,
                     std::map<std::string, std::string, std::less<>>* aliases);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_READ_H_
