#ifndef WINDROW_PLUGINS_OPENVINO_OPERATOR_NODE_H_
#define WINDROW_PLUGINS_OPENVINO_OPERATOR_NODE_H_

#include <memory>
#include <openvino/op/op.hpp>
#include <string>
#include <vector>

#include "plugins/openvino/call_inputs.h"
#include "plugins/openvino/operator_row.h"
#include "windrow/call_cache.h"

namespace windrow::openvino_plugin {

using SharedPlan = std::shared_ptr<const windrow_plan>;

// The value of an attribute. The row determines which member is used.
struct AttributeSlot {
  std::int64_t number = 0;
  double real = 0;
  std::string text;
  std::vector<std::int64_t> numbers;
};

// An operator of this library in a graph of the host. One class serves all of them: its type for
// the host is the row's.
class OperatorNode : public ov::op::Op {
 public:
  // A node without inputs and with the attributes' defaults. `row` must be one of operator_rows().
  explicit OperatorNode(const OperatorRow& row);
  // Attributes in the row's order. Throws what validate_and_infer_types() throws.
  OperatorNode(const OperatorRow& row, const ov::OutputVector& inputs,
               std::vector<AttributeSlot> attributes);

  const ov::DiscreteTypeInfo& get_type_info() const override { return row_.type; }
  bool visit_attributes(ov::AttributeVisitor& visitor) override;
  std::shared_ptr<ov::Node> clone_with_new_inputs(const ov::OutputVector& inputs) const override;

  // Throws std::invalid_argument with the library's text if no extents can make types and shapes
  // valid.
  void validate_and_infer_types() override;

  bool has_evaluate() const override { return true; }
  // Throws std::runtime_error with the library's text.
  bool evaluate(ov::TensorVector& outputs, const ov::TensorVector& inputs) const override;

  // Compute bounds of the result from bounds of the data, if the other inputs are known: models of
  // the host select extents of shapes this way. Return false if they are not known.
  bool evaluate_lower(ov::TensorVector& outputs) const override;
  bool evaluate_upper(ov::TensorVector& outputs) const override;

 private:
  std::vector<windrow_attribute> attributes_for_c() const;
  ov::element::Type result_type() const;
  void check_types() const;
  SharedPlan find_plan(const CallInputs& call) const;
  SharedPlan make_plan(const std::vector<windrow_tensor>& inputs) const;
  bool evaluate_bound(ov::TensorVector& outputs, bool upper) const;

  const OperatorRow& row_;
  std::vector<AttributeSlot> attributes_;
  // Enough for the lengths that a dynamic model meets in turn. A model may have thousands of nodes.
  mutable CallCache<SharedPlan, 16> plans_;
};

}  // namespace windrow::openvino_plugin

#endif  // WINDROW_PLUGINS_OPENVINO_OPERATOR_NODE_H_
