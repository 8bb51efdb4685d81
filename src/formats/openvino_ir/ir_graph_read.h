#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_READ_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_READ_H_

#include <map>
#include <string>

#include "src/formats/openvino_ir/ir_constants.h"
#include "src/formats/openvino_ir/ir_document.h"
#include "src/formats/openvino_ir/ir_operators.h"
#include "windrow/models.h"

namespace windrow::internal {

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
