#ifndef WINDROW_TOOLS_WINDROW_INPUT_TYPES_H_
#define WINDROW_TOOLS_WINDROW_INPUT_TYPES_H_

#include "tools/windrow/model_inputs.h"

namespace windrow::tool {

// The model with types for inputs that it declares without one, where the rules of the operators
// that read them leave a single type: the only one that an operator takes there, or that of another
// tensor, given or inferred, which must have the same. Throws Error if inference finds a rule
// broken.
Model with_fixed_types(Model model, const TensorsByName& given);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_INPUT_TYPES_H_
