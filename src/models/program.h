#ifndef WINDROW_MODELS_PROGRAM_H_
#define WINDROW_MODELS_PROGRAM_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/infer_node.h"
#include "src/models/numbered_graph.h"
#include "windrow/models.h"

namespace windrow::internal {

// What remains to be done for a node when a model runs: an operator, or a conversion of its only
// input.
struct Step {
  const ModelNode* node = nullptr;
  const NodeOperator* op = nullptr;     // null: a conversion
  DType converted_to = DType::kAbsent;  // of a conversion
  ValueNumber output = kNoValue;        // kNoValue: nothing reads the result
  std::size_t first_input = 0;          // in Program::inputs
};

// An input that a run may give, in the order of names.
struct GivenInput {
  std::string_view name;
  ValueNumber value = kNoValue;
  // The constant that is used if the input is not given; null if the input must be given.
  const Constant* otherwise = nullptr;
  // Why the constant of the file cannot be used; null if it can, or if the file has none.
  const std::string* unreadable = nullptr;
};

// A model as the steps of its run: Identity nodes are gone, Constant nodes and conversions of
// constants are constants. It does not depend on shapes. Immutable.
class Program {
 public:
  // Errors: kFormat (values), kUnsupported (operators that cannot run here, constants that cannot
  // be used), and those of host nodes and of constants. `model` must not change.
  static Result<std::shared_ptr<const Program>> of(std::shared_ptr<const Model> model);

  const Model& model() const noexcept { return *model_; }
  std::size_t value_count() const noexcept { return last_use_.size(); }
  std::span<const Step> steps() const noexcept { return steps_; }
  // The values that a step reads; kNoValue where the node omits one.
  std::span<const ValueNumber> inputs(std::size_t step) const {
    const std::size_t end =
        step + 1 < steps_.size() ? steps_[step + 1].first_input : inputs_.size();
    return {inputs_.data() + steps_[step].first_input, end - steps_[step].first_input};
  }
  std::span<const GivenInput> given() const noexcept { return given_; }
  // The position of the input of that name among them; their number if there is none.
  std::size_t position_of(std::string_view name) const;
  // The constants that something reads and no run replaces.
  std::span<const std::pair<ValueNumber, std::shared_ptr<const Tensor>>> constants()
      const noexcept {
    return constants_;
  }
  // One per output of the model.
  std::span<const ValueNumber> outputs() const noexcept { return outputs_; }

  // The last step that reads a value; kAtTheEnd for outputs, kNever if nothing reads it.
  std::size_t last_use(ValueNumber value) const { return last_use_[value]; }
  static constexpr std::size_t kNever = static_cast<std::size_t>(-1);
  static constexpr std::size_t kAtTheEnd = static_cast<std::size_t>(-2);

 private:
  using Constants = std::vector<std::shared_ptr<const Tensor>>;  // by value; null: none

  Program(std::shared_ptr<const Model> model, NumberedGraph graph)
      : model_(std::move(model)), graph_(std::move(graph)), operators_(*model_) {}

  Status read();
  Status add_constants(Constants& constants);
  Status add_node(std::size_t position, Constants& constants);
  Status add_conversion(const ModelNode& node, ValueNumber input, ValueNumber output,
                        Constants& constants);
  void add_given();
  void note_uses();
  Status check_opaque() const;
  // The value that a value is the same as, looking through Identity nodes.
  ValueNumber resolved(ValueNumber value) const {
    return value == kNoValue ? kNoValue : same_as_[value];
  }

  std::shared_ptr<const Model> model_;
  NumberedGraph graph_;  // of the model
  NodeOperators operators_;
  std::vector<ValueNumber> same_as_;
  std::vector<Step> steps_;
  std::vector<ValueNumber> inputs_;
  std::vector<GivenInput> given_;
  std::vector<std::pair<ValueNumber, std::shared_ptr<const Tensor>>> constants_;
  std::vector<ValueNumber> outputs_;
  std::vector<std::size_t> last_use_;
};

// Partial data propagation: the elements of small integer tensors, which often hold dimensions, as
// far as they are known while shapes are inferred.

using KnownElements = std::optional<std::vector<KnownElement>>;

// The elements of a small integer tensor of rank 0 or 1, if all fit into int64; else nothing.
KnownElements known_elements(const Tensor& tensor);
// Whether a tensor of this type and shape may have such elements.
bool may_have_known_elements(DType dtype, const Shape& shape) noexcept;

// What Convert makes of known elements: nothing if `type` is no integer or does not hold them.
KnownElements converted_elements(const KnownElements& elements, DType type);

// The only element of an input of any integer type, if it is known.
std::optional<std::int64_t> known_value(const ValueInfo& value);
// The integers that a value holds, if all of them are known.
std::optional<std::vector<std::int64_t>> known_numbers(const ValueInfo& value);

// What a Shape node gives: dims[start:end], both counted from the end if negative and clamped.
KnownElements shape_elements(const std::vector<Dim>& dims, std::int64_t start, std::int64_t end);

// The elements of Gather's result, if axis is the only axis of data, both inputs are known, and
// indices has rank 0 or 1 and is not empty. Returns nothing for an index out of range, whose
// meaning only the run decides.
KnownElements gather_elements(const ValueInfo& data, const ValueInfo& indices, std::int64_t axis);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_PROGRAM_H_
