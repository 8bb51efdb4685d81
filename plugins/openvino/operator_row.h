#ifndef WINDROW_PLUGINS_OPENVINO_OPERATOR_ROW_H_
#define WINDROW_PLUGINS_OPENVINO_OPERATOR_ROW_H_

#include <openvino/core/type.hpp>
#include <string>
#include <vector>

#include "windrow/c_operators.h"

namespace windrow::openvino_plugin {

// One version of one operator, as the library lists it, and its type in the host's graphs.
struct OperatorRow {
  size_t number = 0;
  windrow_operator known{};
  std::vector<windrow_operator_input> inputs;
  std::vector<windrow_operator_attribute> attributes;
  std::string type_name;  // "onnx.Gather-13"
  ov::DiscreteTypeInfo type;

  bool is_of(const char* dialect) const { return dialect == std::string(known.dialect); }
};

// The rows of the dialects for which the host has models, versions ascending. They are never
// destroyed.
const std::vector<OperatorRow>& operator_rows();

}  // namespace windrow::openvino_plugin

#endif  // WINDROW_PLUGINS_OPENVINO_OPERATOR_ROW_H_
