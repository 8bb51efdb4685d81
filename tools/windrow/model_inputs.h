#ifndef WINDROW_TOOLS_WINDROW_MODEL_INPUTS_H_
#define WINDROW_TOOLS_WINDROW_MODEL_INPUTS_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/windrow/input_files.h"
#include "windrow/models.h"

// What a command line gives to a model. Everything here throws Error on bad input.
namespace windrow::tool {

using TensorsByName = std::map<std::string, Tensor, std::less<>>;
using SymbolValues = std::map<std::string, std::int64_t, std::less<>>;

// "NAME=FILE" texts, where NAME may be an alias, or "FILE" alone where the model has one input or
// the file is an archive, whose tensors are then inputs by their names. A file's bits are read as
// the type that the input declares where the file can't name it.
TensorsByName load_inputs(const Model& model, const std::vector<std::string>& texts,
                          InputFiles& files);

// "N=128" texts; also "INPUT.AXIS=128" for a dimension that has no name.
SymbolValues parse_symbols(const std::vector<std::string>& texts);

// The model with its symbolic dimensions replaced by the values of `symbols` and by those that the
// given tensors show; so are dimensions without a name. A symbol that the model does not have, or
// two values for one symbol, is an error.
Model with_known_dims(Model model, const TensorsByName& given, SymbolValues symbols);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_MODEL_INPUTS_H_
