#ifndef WINDROW_PORTABILITY_GIVEN_VALUES_H_
#define WINDROW_PORTABILITY_GIVEN_VALUES_H_

#include <map>
#include <memory>
#include <string>

#include "windrow/models.h"

namespace windrow::internal {

// The model with constants in the place of inputs of its main graph: what is true of every run of
// it is true of the runs of the model on these values. The elements are not copied. Errors:
// kInvalidArgument, for a value without an input of that name, or of another type, rank or extent.
Result<Model> with_given_values(
    const Model& model,
    const std::map<std::string, std::shared_ptr<const Tensor>, std::less<>>& given);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_GIVEN_VALUES_H_
