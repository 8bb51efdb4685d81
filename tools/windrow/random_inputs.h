#ifndef WINDROW_TOOLS_WINDROW_RANDOM_INPUTS_H_
#define WINDROW_TOOLS_WINDROW_RANDOM_INPUTS_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tools/windrow/model_inputs.h"
#include "windrow/models.h"

namespace windrow::tool {

// Indices in [0, limit) are legal. One entry limits all elements of an index tensor; several limit
// those with that position on its last axis, one entry each.
using IndexLimits = std::vector<std::int64_t>;

// The limits of those of the model's `inputs` that some operator reads as indices, by the input's
// name. Throws Error where the shapes that decide it can't be inferred.
std::map<std::string, IndexLimits, std::less<>> index_limits(
    const Model& model, const std::set<std::string, std::less<>>& inputs);

// Adds a random tensor for every input that `tensors` lacks: the same one for the same seed
// on every machine. Floating-point numbers are normally distributed around 0; inputs that operators
// read as indices get legal ones. Throws Error for an input whose type or shape is not known;
// symbols must have been replaced.
void add_random_inputs(const Model& model, std::uint64_t seed, TensorsByName& tensors);

// The tensors that a run gets: those of the texts and, with a seed, random ones for the other
// inputs. `model` then becomes one of known dimensions and types; `dims` is as parse_symbols()
// takes them.
TensorsByName inputs_of_run(Model& model, const InputTexts& texts,
                            const std::optional<std::uint64_t>& seed,
                            const std::vector<std::string>& dims, InputFiles& files);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_RANDOM_INPUTS_H_
