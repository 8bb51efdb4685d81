#ifndef WINDROW_PORTABILITY_NODE_EDIT_H_
#define WINDROW_PORTABILITY_NODE_EDIT_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/portability/node_view.h"
#include "windrow/models.h"

namespace windrow::internal {

// What the names of all changes begin with, before a number.
inline constexpr std::string_view kFixedNames = "windrow_fix";

// Names for new nodes and values. They begin with a prefix that no name in the model begins with.
class FreshNames {
 public:
  explicit FreshNames(const Model& model);

  // "windrow_fix1_7_less"; every call returns a new name.
  std::string make(std::string_view what);

 private:
  std::string beginning_;
  int count_ = 0;
};

// A node that fixes change, with the new nodes before and after it.

// An input or output of nodes, and what is known of it in every run.
struct EditedValue {
  std::string name;
  DType dtype = DType::kAbsent;
  SymbolicShape dims;
  const Constant* constant = nullptr;  // null: not a constant
};

// The changes to a node and to the graph that holds it.
struct NodeChange {
  std::vector<ModelNode> before;
  ModelNode node;
  std::vector<ModelNode> behind;
  std::map<std::string, Constant, std::less<>> constants;
  std::vector<ValueInfo> values;      // types of new values
  std::vector<std::string> replaced;  // constants that the node no longer reads
};

// The surroundings of a node, and whether unsafe changes are allowed.
struct EditScope {
  int opset = 0;  // of ai.onnx; 0 if the model does not import it
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

  // What the node now reads as this input. Precondition: input.is_given().
  const EditedValue& input(const InputView& input) const;
  // Makes the node read `value` as this input.
  void set_input(const InputView& input, EditedValue value);

  // Adds a constant whose name contains the word `what`; in a function, a Constant node.
  EditedValue add_constant(std::string_view what, Tensor tensor);
  // Adds a constant vector of int64.
  EditedValue add_list(std::string_view what, const std::vector<std::int64_t>& values);
  // Adds a constant scalar of an integer type.
  EditedValue add_scalar(std::string_view what, std::int64_t value, DType dtype);

  struct Operator {
    const char* onnx;
    const char* openvino;
    int openvino_version = 1;
  };
  // Adds a node with one output of this type and shape: before the edited node, or after it once
  // detach_output() was called.
  EditedValue add_node(const Operator& op, const std::vector<EditedValue>& inputs, DType dtype,
                       SymbolicShape dims, Attributes attributes = {});
  // Adds a node that reads an input and `argument`, and makes the edited node read its result, of
  // shape `dims`, instead of the input.
  void put_before(const InputView& input, const Operator& op, const EditedValue& argument,
                  SymbolicShape dims, Attributes attributes = {});
  // Adds a Cast or Convert; returns `value` itself if it has the type.
  EditedValue cast(const EditedValue& value, DType dtype);

  // Gives the node's output a new name, type and shape.
  EditedValue detach_output(DType dtype, SymbolicShape dims);
  // Gives the output of the node that was added last the name that the edited node's output had
  // before detach_output().
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
  std::size_t behind_before_ = 0;  // the nodes behind it when the output was detached
  std::string output_;             // the old name of the detached output; empty if none is detached
};

// Operators that several fixes add.
inline constexpr NodeEdit::Operator kAddedReshape = {"Reshape", "Reshape"};
inline constexpr NodeEdit::Operator kAddedBroadcast = {"Expand", "Broadcast", 3};
inline constexpr NodeEdit::Operator kAddedShape = {"Shape", "ShapeOf", 3};
inline constexpr NodeEdit::Operator kAddedSelect = {"Where", "Select"};
inline constexpr NodeEdit::Operator kAddedTake = {"Gather", "Gather", 8};

// A tensor of integers of any type that has at least 8 bits. Precondition: each value fits.
Tensor integer_tensor(DType dtype, const Shape& shape, const std::vector<std::int64_t>& values);

// The functions that change a node, and the rules that they are for.

// The outcome of a function for a node.
struct FixOutcome {
  enum class Kind : std::uint8_t {
    kSafe,    // changed; ModelFix::safe
    kUnsafe,  // changed; not safe
    kRounds,  // changed; ModelFix::rounds
    kLeft,    // not changed
  };
  Kind kind = Kind::kLeft;
  std::string what;  // ModelFix::what

  static FixOutcome safe(std::string what) { return {Kind::kSafe, std::move(what)}; }
  static FixOutcome unsafe(std::string what) { return {Kind::kUnsafe, std::move(what)}; }
  static FixOutcome rounds(std::string what) { return {Kind::kRounds, std::move(what)}; }
  static FixOutcome left(std::string why) { return {Kind::kLeft, std::move(why)}; }
};

// Changes a node so that it no longer meets the condition of a rule, or leaves `edit` unchanged if
// it cannot. Errors: those of reading constants.
using Fix = Result<FixOutcome> (*)(NodeEdit& edit);

// fix_operator.cc: the operator, its version and attributes.
Result<FixOutcome> drop_default_reduction(NodeEdit& edit);
Result<FixOutcome> rename_scatter(NodeEdit& edit);
Result<FixOutcome> raise_version(NodeEdit& edit);
Result<FixOutcome> fold_booleans(NodeEdit& edit);
Result<FixOutcome> split_fused_batch(NodeEdit& edit);
Result<FixOutcome> extract_with_gather(NodeEdit& edit);

// fix_indices.cc: the values of the indices.
Result<FixOutcome> count_from_front(NodeEdit& edit);
Result<FixOutcome> clip_indices(NodeEdit& edit);

// fix_shapes.cc: the shapes of inputs and of the result.
Result<FixOutcome> unsqueeze_scalar_indices(NodeEdit& edit);
Result<FixOutcome> gather_rows_of_one(NodeEdit& edit);
Result<FixOutcome> drop_batch_of_one(NodeEdit& edit);
Result<FixOutcome> broadcast_batch(NodeEdit& edit);
Result<FixOutcome> cut_data(NodeEdit& edit);
Result<FixOutcome> fix_tuple_length(NodeEdit& edit);
Result<FixOutcome> squeeze_single_update(NodeEdit& edit);
Result<FixOutcome> unsqueeze_one_hot(NodeEdit& edit);

// fix_reductions.cc: several updates of one cell.
Result<FixOutcome> scatter_elements_of_rows(NodeEdit& edit);
Result<FixOutcome> mark_nan(NodeEdit& edit);

// fix_types.cc: types of elements and of the axis.
Result<FixOutcome> widen_payload(NodeEdit& edit);
Result<FixOutcome> sum_in_float32(NodeEdit& edit);
Result<FixOutcome> widen_indices(NodeEdit& edit);
Result<FixOutcome> freeze_axis(NodeEdit& edit);

// A rule and the change that --fix makes for it.
struct FixRow {
  std::string_view rule;
  Fix fix;
};

// In the order in which the functions are called. If a rule has several rows, the first that can
// change the node does.
std::span<const FixRow> fix_rows();

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_NODE_EDIT_H_
