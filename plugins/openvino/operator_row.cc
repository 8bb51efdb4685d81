#include "plugins/openvino/operator_row.h"

#include <openvino/op/op.hpp>

namespace windrow::openvino_plugin {
namespace {

// The operator set of Windrow's operators, as files of the host name it.
constexpr const char* kOperatorSet = "windrow";

OperatorRow read_row(size_t number, const windrow_operator& known) {
  OperatorRow row;
  row.number = number;
  row.known = known;
  windrow_operator_input input{};
  for (size_t i = 0; windrow_operator_input_at(number, i, &input) == 1; ++i)
    row.inputs.push_back(input);
  windrow_operator_attribute attribute{};
  for (size_t i = 0; windrow_operator_attribute_at(number, i, &attribute) == 1; ++i)
    row.attributes.push_back(attribute);
  row.type_name =
      std::string(known.dialect) + "." + known.name + "-" + std::to_string(known.since_version);
  return row;
}

std::vector<OperatorRow> read_rows() {
  std::vector<OperatorRow> rows;
  windrow_operator known{};
  for (size_t number = 0; windrow_operator_at(number, &known) == 1; ++number) {
    OperatorRow row = read_row(number, known);
    if (row.is_of("onnx") || row.is_of("openvino")) rows.push_back(std::move(row));
  }
  // Only after the last move, because the types refer to the names.
  for (OperatorRow& row : rows) {
    row.type = ov::DiscreteTypeInfo(row.type_name.c_str(), kOperatorSet,
                                    &ov::op::Op::get_type_info_static());
    row.type.hash();
  }
  return rows;
}

}  // namespace

const std::vector<OperatorRow>& operator_rows() {
  // Never destroyed: at the end of the process the host may still hold nodes.
  static const auto* const rows = new std::vector<OperatorRow>(read_rows());
  return *rows;
}

}  // namespace windrow::openvino_plugin
