#ifndef WINDROW_MODELS_CHECK_INPUTS_H_
#define WINDROW_MODELS_CHECK_INPUTS_H_

#include "windrow/models.h"

namespace windrow::internal {

// The given tensors under the values' own names instead of aliases. Errors: kInvalidArgument (two
// tensors for one value).
Result<NamedViews> with_value_names(const Model& model, const NamedViews& inputs);

// Checks that the given tensors are the model's inputs as it declares them. A symbol stands for one
// number in all of them. Errors: kInvalidArgument (missing and unknown names), kType, kShape.
Status check_inputs(const Model& model, const NamedViews& inputs);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_CHECK_INPUTS_H_
