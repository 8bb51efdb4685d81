#ifndef WINDROW_TOOLS_WINDROW_RANDOM_INPUTS_H_
#define WINDROW_TOOLS_WINDROW_RANDOM_INPUTS_H_

#include <cstdint>

#include "tools/windrow/model_inputs.h"

namespace windrow::tool {

// Adds a random tensor for every input that `tensors` lacks: the same one for the same seed
// on every machine. Floating-point numbers are normally distributed around 0; inputs that operators
// read as indices get legal ones. Throws Error for an input whose type or shape is not known;
// symbols must have been replaced.
void add_random_inputs(const Model& model, std::uint64_t seed, TensorsByName& tensors);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_RANDOM_INPUTS_H_
