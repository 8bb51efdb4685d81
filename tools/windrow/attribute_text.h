#ifndef WINDROW_TOOLS_WINDROW_ATTRIBUTE_TEXT_H_
#define WINDROW_TOOLS_WINDROW_ATTRIBUTE_TEXT_H_

#include <string>
#include <vector>

#include "tools/windrow/console.h"
#include "windrow/operators.h"

namespace windrow::tool {

// "axis=1" texts as attributes of that operator: values are read as its defaults' types say. Throws
// Error on a name that the operator does not have and on a value that is not of its type.
Attributes parse_attributes(const OperatorInfo& info, const std::vector<std::string>& texts);

// The default; null if there is none.
Json default_json(const OperatorAttribute& attribute);

// "axis=0"; "axis" if it has no default.
std::string attribute_text(const OperatorAttribute& attribute);

// "onnx.Gather-13"
std::string operator_text(const OperatorInfo& info);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_ATTRIBUTE_TEXT_H_
