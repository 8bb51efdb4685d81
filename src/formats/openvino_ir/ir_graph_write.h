#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_WRITE_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_WRITE_H_

#include <map>
#include <string>

#include "src/formats/openvino_ir/ir_bin.h"
#include "src/formats/openvino_ir/ir_names.h"
#include "src/formats/openvino_ir/ir_operators.h"
#include "src/formats/openvino_ir/ir_port_maps.h"
#include "src/formats/openvino_ir/xml_text.h"
#include "windrow/models.h"

namespace windrow::internal {

// What the graphs of one file share.
struct IrWriting {
  IrBin& bin;
  IrOperators operators;
};

// What is known about the values of a graph besides the graph itself.
struct IrKnownValues {
  IrAliases aliases;
  std::map<std::string, ValueInfo, std::less<>> types;  // of values that the graph does not declare
};

// Writes a graph as the element `name`: <net>, or a body that stands inside of `depth` layers.
// Errors: kUnsupported, kIo, kInvalidArgument (what was kept of a file is not as the reader makes
// it).
Result<IrBodyIds> write_ir_graph(const Graph& graph, const IrKnownValues& known, IrWriting& writing,
                                 std::string_view name, int depth, XmlText& text);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_WRITE_H_
