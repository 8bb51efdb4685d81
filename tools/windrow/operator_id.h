#ifndef WINDROW_TOOLS_WINDROW_OPERATOR_ID_H_
#define WINDROW_TOOLS_WINDROW_OPERATOR_ID_H_

#include <optional>
#include <string>

#include "windrow/operators.h"

namespace windrow::tool {

// The operator that a word of the command line names: "onnx.GatherND", or "onnx.GatherND-12" as
// messages and tables write it. `version`, the value of --version, takes precedence. Throws Error
// if the word has no dialect.
OperatorId parse_operator_id(const std::string& text, std::optional<int> version);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_OPERATOR_ID_H_
