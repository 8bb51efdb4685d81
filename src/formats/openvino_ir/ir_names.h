#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_NAMES_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_NAMES_H_

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/openvino_ir/ir_graph.h"

namespace windrow::internal {

// The names of each value that are aliases of it.
using IrAliases = std::map<std::string, std::vector<std::string>, std::less<>>;

// One output port of a layer, as far as its value's name depends on it.
struct IrOutput {
  std::string_view layer_name;
  std::size_t inputs = 0;    // of the layer
  std::size_t position = 0;  // among its outputs
};

struct IrNames {
  std::vector<std::vector<std::string>> values;  // of each output of each layer that counts
  // Which of these were chosen because another value has the name that the file gives or suggests.
  // They depend on the order of layers.
  std::vector<std::vector<bool>> displaced;
  std::map<std::string, std::string, std::less<>> aliases;
};

// Gives every value a name: the first of its port's names, else the layer's name, else
// "layer:port", whichever is still free. In the port's number the outputs of a layer follow its
// inputs. The other names become aliases where they are free.
IrNames name_values(const IrDocument& document, const IrGraph& graph);

// The names that the port of a value has in the file unless others are kept: the value's name, and
// its aliases except the layer's name, which reading makes an alias of the first output.
std::vector<std::string> port_names(const std::string& value, const IrAliases& aliases,
                                    const IrOutput& output);

// Whether a value of that name may come from a port with these names.
bool may_have_names(const std::string& value, const std::vector<std::string>& names,
                    const IrOutput& output);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_NAMES_H_
