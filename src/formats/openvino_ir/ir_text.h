#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_TEXT_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_TEXT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/openvino_ir/ir_graph.h"
#include "windrow/dim.h"
#include "windrow/shape.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// OpenVINO's packed form of string elements: their count n, n + 1 positions in the text that
// follows (where each element begins, and the end), all of 32 bits, then the text.
namespace windrow::internal {

// Errors: kFormat (not that form, or another count of elements than the shape has).
Result<Tensor> unpack_strings(std::string_view bytes, const Shape& shape);

// Errors: kUnsupported (more text than 32 bits count).
Result<std::string> pack_strings(const Tensor& tensor);

// Numbers, names and shapes as OpenVINO IR writes them into attributes.

// A whole number; blanks around it are allowed.
std::optional<std::int64_t> parse_integer(std::string_view text) noexcept;

// The parts between commas, without the blanks around them; none for a blank text.
std::vector<std::string_view> split_list(std::string_view text);

// "x,a\,b" is "x" and "a,b".
std::vector<std::string> split_names(std::string_view text);
// The inverse. Errors: kUnsupported for a name that it has no spelling for.
Result<std::string> join_names(const std::vector<std::string>& names);

// A constant's "2, 3". Errors: kFormat, kUnsupported (a rank above kMaxRank).
Result<Shape> parse_shape(std::string_view text);
std::string shape_text(const Shape& shape);

// A parameter's "?,3,1..10"; "..." is a shape of unknown rank. Errors as for parse_shape.
Result<SymbolicShape> parse_partial_shape(std::string_view text);
std::string partial_shape_text(const SymbolicShape& dims);

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

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_TEXT_H_
