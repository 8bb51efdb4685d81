#ifndef WINDROW_PLUGINS_OPENVINO_OPERATOR_NODE_H_
#define WINDROW_PLUGINS_OPENVINO_OPERATOR_NODE_H_

#include <cstdint>
#include <list>
#include <memory>
#include <openvino/core/type.hpp>
#include <openvino/core/type/element_type.hpp>
#include <openvino/op/op.hpp>
#include <openvino/runtime/tensor.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "windrow/c.h"
#include "windrow/c_operators.h"
#include "windrow/call_cache.h"

namespace windrow::openvino_plugin {

// The type of a host's element; WINDROW_ABSENT for types that have another layout or no counterpart
// (strings, types of 1, 2, 3 and 6 bits).
windrow_dtype to_windrow(const ov::element::Type& type) noexcept;

// Calls call(&error), a function of the C interface. A failure becomes an Exception whose text is
// `where` followed by the library's text.
template <class Exception, class Call>
void throw_on_error(const std::string& where, Call call) {
  windrow_error* error = nullptr;
  if (call(&error) == WINDROW_OK) return;
  const std::string text = where + ": " + windrow_error_message(error);
  windrow_error_free(error);
  throw Exception(text);
}

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

// The look-up that takes codes of one byte each, of any axes. The host's CPU device makes bytes of
// codes of 4 bits, so that it stands for ONNX Runtime's GatherBlockQuantized of such codes.
inline constexpr const char* kTableLookUp = "TakeQuantized";

// The rows of the dialects for which the host has models, and kTableLookUp, versions ascending.
// They are never destroyed.
const std::vector<OperatorRow>& operator_rows();

// The type in which an operator takes an input: the tensor's own type, or int64 for narrower signed
// indices if the operator takes no others, because the host narrows 64-bit inputs. WINDROW_ABSENT
// if there is none.
windrow_dtype accepted_type(const windrow_operator_input& input, const ov::element::Type& type);

// The host's tensors as the C interface takes them. Refers to the host's tensors, which must
// outlive it.
class CallInputs {
 public:
  CallInputs(const OperatorRow& row, const ov::TensorVector& tensors);
  CallInputs(const CallInputs&) = delete;
  CallInputs& operator=(const CallInputs&) = delete;

  const std::vector<windrow_tensor>& tensors() const { return tensors_; }
  // Types, shapes, and the values that the plan depends on.
  CallKey key() const;

 private:
  void add(const windrow_operator_input& input, const ov::Tensor& tensor);
  void widen(const ov::Tensor& tensor);
  static void add_last(const windrow_tensor& ids, CallKey& key);

  const OperatorRow& row_;
  std::vector<windrow_tensor> tensors_;
  // Memory for values that are not in the required form.
  std::list<std::vector<std::int64_t>> numbers_;
};

// The extents of a shape as the C interface takes them.
const std::int64_t* extents_of(const ov::Shape& shape);

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
  // The value of an integer attribute.
  std::int64_t number(const std::string& name) const;
  // For a look-up in a quantised table, data its first input: throws std::runtime_error with the
  // library's text if attributes and types are valid for no shapes.
  void check_look_up() const;
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
