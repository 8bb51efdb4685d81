#ifndef WINDROW_TOOLS_WINDROW_MODEL_TEXT_H_
#define WINDROW_TOOLS_WINDROW_MODEL_TEXT_H_

#include <array>
#include <cstddef>
#include <string>
#include <vector>

#include "windrow/models.h"

namespace windrow::tool {

// "table float32[5, 3]": name and type, followed by "(claimed)" where only the file says so; a dash
// for an omitted input.
std::string value_text(const ValueInfo& value);

// The same for several values, separated by commas.
std::string values_text(const std::vector<ValueInfo>& values);

// Makes such texts for one list after another. A type is put into words once as long as it repeats:
// a model may have a million nodes.
class ValueTexts {
 public:
  std::string list(const std::vector<ValueInfo>& values);

 private:
  struct Known {
    ValueInfo value;  // without a name
    std::string type;
  };
  const std::string& type_of(const ValueInfo& value);

  std::array<Known, 4> known_;  // the most recent ones
  std::size_t next_ = 0;        // the one to be replaced next
};

// "opset ai.onnx 13, mine 1" or "OpenVINO IR"
std::string opsets_text(const Model& model);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_MODEL_TEXT_H_
