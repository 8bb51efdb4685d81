#ifndef WINDROW_PORTABILITY_NODE_EDIT_H_
#define WINDROW_PORTABILITY_NODE_EDIT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/portability/fresh_names.h"
#include "src/portability/node_view.h"
#include "windrow/models.h"

// One node while fixes change it, with the new nodes in front of it and behind it.
namespace windrow::internal {

// A value that nodes read or give, and what is known of it in every run.
struct EditedValue {
  std::string name;
  DType dtype = DType::kAbsent;
  SymbolicShape dims;
  const Constant* constant = nullptr;  // null: it is none
};

// What becomes of a node and the graph that holds it.
struct NodeChange {
  std::vector<ModelNode> before;
  ModelNode node;
  std::vector<ModelNode> behind;
  std::map<std::string, Constant, std::less<>> constants;
  std::vector<ValueInfo> values;      // types of new values
  std::vector<std::string> replaced;  // constants that the node does not read any more
};

// Where a node stands.
struct EditScope {
  int opset = 0;  // of ai.onnx, or 0
  bool in_function = false;
  bool unsafe = false;  // FixOptions::unsafe
};

class NodeEdit {
 public:
  // `view` and `names` must outlive the object.
  NodeEdit(const NodeView& view, const EditScope& scope, FreshNames& names);

  const NodeView& view() const noexcept { return view_; }
  const EditScope& scope() const noexcept { return scope_; }
  bool is_onnx() const noexcept { return view_.dialect == kOnnx; }
  ModelNode& node() noexcept { return change_.node; }

  // What the node reads there now. Precondition: input.is_given().
  const EditedValue& input(const InputView& input) const;
  // From now on the node reads `value` there.
  void set_input(const InputView& input, EditedValue value);

  // A new constant, called by the word `what`; in a function the value of a Constant node.
  EditedValue add_constant(std::string_view what, Tensor tensor);
  // The number as a scalar of an integer type.
  EditedValue add_scalar(std::string_view what, std::int64_t value, DType dtype);

  struct Operator {
    const char* onnx;
    const char* openvino;
    int openvino_version = 1;
  };
  // A new node with one output of that type and shape; in front of the node, or, after
  // detach_output(), behind it.
  EditedValue add_node(const Operator& op, const std::vector<EditedValue>& inputs, DType dtype,
                       SymbolicShape dims, Attributes attributes = {});
  // A new Cast or Convert; `value` itself if it has the type.
  EditedValue cast(const EditedValue& value, DType dtype);

  // Makes the node give a new value, of that type and shape.
  EditedValue detach_output(DType dtype, SymbolicShape dims);
  // Makes the newest node give the value that the node gave before detach_output().
  void attach_output();

  NodeChange take() && {
    if (scope_.in_function) change_.constants.clear();  // they are nodes
    return std::move(change_);
  }

 private:
  void declare(const EditedValue& value);

  const NodeView& view_;
  EditScope scope_;
  FreshNames& names_;
  NodeChange change_;
  std::vector<EditedValue> inputs_;
  std::string output_;  // that was detached
};

// A tensor of integers of any type that has at least 8 bits. Precondition: each value fits.
Tensor integer_tensor(DType dtype, const Shape& shape, const std::vector<std::int64_t>& values);

// Extents as symbolic ones.
SymbolicShape symbolic(const Shape& shape);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_NODE_EDIT_H_
