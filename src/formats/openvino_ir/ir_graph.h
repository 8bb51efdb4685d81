#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_H_

#include <cstddef>
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

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_H_
