#ifndef WINDROW_TOOLS_WINDROW_TOLD_TYPES_H_
#define WINDROW_TOOLS_WINDROW_TOLD_TYPES_H_

#include <string>
#include <vector>

#include "windrow/operators.h"

namespace windrow::tool {

// The type that --dtype gives to each input of an operator by "POS=TYPE" texts, POS being a number
// from 0 or the input's name; kAbsent where no text names the input. Throws Error on other texts.
std::vector<DType> told_types(const OperatorInfo& info, const std::vector<std::string>& texts);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_TOLD_TYPES_H_
