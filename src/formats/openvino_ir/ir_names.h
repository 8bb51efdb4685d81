#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_NAMES_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_NAMES_H_

#include <map>
#include <string>
#include <vector>

#include "src/formats/openvino_ir/ir_graph.h"

namespace windrow::internal {

struct IrNames {
  std::vector<std::vector<std::string>> values;  // of each output of each layer that counts
  std::map<std::string, std::string, std::less<>> aliases;
};

// A name for every value: the first of its port's names, else the layer's name, else "layer:port",
// whichever is not taken yet. The others become aliases where they are free.
IrNames name_values(const IrDocument& document, const IrGraph& graph);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_NAMES_H_
