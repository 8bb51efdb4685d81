#ifndef WINDROW_TOOLS_WINDROW_MODEL_TEXT_H_
#define WINDROW_TOOLS_WINDROW_MODEL_TEXT_H_

#include <string>
#include <vector>

#include "windrow/models.h"

namespace windrow::tool {

// "table float32[5, 3]": name and type, with "(claimed)" behind them where only the file says so;
// of an omitted input a dash.
std::string value_text(const ValueInfo& value);

// The same of several, with commas between them.
std::string values_text(const std::vector<ValueInfo>& values);

// "opset ai.onnx 13, mine 1" or "OpenVINO IR"
std::string opsets_text(const Model& model);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_MODEL_TEXT_H_
