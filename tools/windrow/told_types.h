#ifndef WINDROW_TOOLS_WINDROW_TOLD_TYPES_H_
#define WINDROW_TOOLS_WINDROW_TOLD_TYPES_H_

#include <cstddef>
#include <string>
#include <vector>

#include "windrow/operators.h"

namespace windrow::tool {

// The type that --dtype gives to each input of an operator by "POS=TYPE" texts, POS being a number
// from 0 or the input's name; kAbsent where no text names the input. Throws Error on other texts.
std::vector<DType> told_types(const OperatorInfo& info, const std::vector<std::string>& texts);

// Throws Error if the tensor that was read for an input has another type than --dtype says.
void require_told_type(const OperatorInfo& info, std::size_t place, DType told, DType type);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_TOLD_TYPES_H_
