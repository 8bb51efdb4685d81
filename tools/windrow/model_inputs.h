#ifndef WINDROW_TOOLS_WINDROW_MODEL_INPUTS_H_
#define WINDROW_TOOLS_WINDROW_MODEL_INPUTS_H_

#include <CLI/CLI.hpp>
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

// The inputs of a model as a command line gives them.
struct InputTexts {
  // --input: "NAME=FILE", where NAME may be an alias, or "FILE" alone where the model has one input
  // or the file is an archive, whose tensors are then inputs by their names.
  std::vector<std::string> each;
  std::string archive;  // --inputs: a file of tensors that are inputs by their names; empty: none

  bool empty() const noexcept { return each.empty() && archive.empty(); }
};

// Adds --input and --inputs, the same in every subcommand that runs or observes a model. `purpose`
// ends the sentence "The tensors of this .npz or .safetensors file for ...". Returns --inputs.
CLI::Option* add_input_options(CLI::App& subcommand, InputTexts& texts, const std::string& purpose);

// Inputs with a default value may be given, too. A file's bits are read as the type that the input
// declares where the file can't name it.
TensorsByName load_inputs(const Model& model, const InputTexts& texts, InputFiles& files);

// Whether the texts name an input of `model` that `part`, made of nodes of it, does not have.
bool name_other_inputs(const Model& model, const Model& part, const InputTexts& texts,
                       InputFiles& files);

// "N=128" texts; also "INPUT.AXIS=128" for a dimension that has no name.
SymbolValues parse_symbols(const std::vector<std::string>& texts);

// The model with its symbolic dimensions replaced by the values of `symbols` and by those that the
// given tensors show; so are dimensions without a name. A symbol that the model does not have, or
// two values for one symbol, is an error.
Model with_known_dims(Model model, const TensorsByName& given, SymbolValues symbols);

// The model with types for inputs that it declares without one, where the rules of the operators
// that read them leave a single type: the only one that an operator takes there, or that of another
// tensor, given or inferred, which must have the same. Throws Error if inference finds a rule
// broken.
Model with_fixed_types(Model model, const TensorsByName& given);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_MODEL_INPUTS_H_
