#ifndef WINDROW_REFERENCE_CALL_H_
#define WINDROW_REFERENCE_CALL_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "src/reference/element.h"
#include "windrow/array_attributes.h"
#include "windrow/onnx_attributes.h"
#include "windrow/openvino_attributes.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"
#include "windrow/tensorrt_attributes.h"

namespace windrow::internal::reference {

enum class Direction : std::uint8_t { kGather, kScatter };

// The inputs of a call in the operator's order; an absent optional one is a default view.
using Inputs = std::span<const TensorView>;

inline bool is_given(const TensorView& input) { return input.dtype != DType::kAbsent; }

// One call of an operator: its name, inputs and options, and how its errors look.
class Call {
 public:
  // Call("onnx", "Gather", 13, ...): errors name "onnx.Gather-13" and labels "ONNX-Gather-..".
  // `default_policy` applies where the options name none. The inputs must outlive this.
  Call(std::string_view dialect, std::string_view name, int version, Direction direction,
       Inputs inputs, const CallOptions& options, OutOfRange default_policy = OutOfRange::kError);

  // The inputs of nearly all operators.
  const TensorView& data() const { return inputs_[0]; }
  const TensorView& indices() const { return inputs_[1]; }
  const TensorView& updates() const { return inputs_[2]; }
  Inputs inputs() const { return inputs_; }

  int version() const { return version_; }
  const std::string& operator_name() const { return operator_name_; }
  OutOfRange policy() const { return options_.out_of_range.value_or(default_policy_); }
  std::optional<NegativeIndex> negative() const { return options_.negative; }
  std::optional<std::int64_t> padding() const { return options_.padding_index; }
  bool strict() const { return options_.strict; }
  bool refuses_duplicates(Reduction reduction) const;

  // An error that breaks `rule` of the operator ("C1").
  Status error(ErrorCode code, std::string_view rule, std::string_view text) const;
  Status invalid(std::string_view rule, std::string_view text) const;  // kInvalidArgument
  Status shape(std::string_view rule, std::string_view text) const;    // kShape
  Status index(std::string_view rule, std::string_view text, IndexFault fault) const;
  // An error that breaks CALL-O3: an index is negative.
  Status negative_index(std::string_view text, IndexFault fault) const;

  // An error that breaks CALL-O1: the policy does not fit the operator.
  Status unfit_policy(std::string_view text) const;

  // CALL-O4: an element of the result or of the updates has this number of indices.
  Status check_padding(std::int64_t indices) const;

  // CALL-O1, and CALL-I2 for the inputs.
  Status check() const;

  // CALL-I2 for the result.
  Status check_result(DType dtype, const Shape& shape) const;
  Status too_large(std::string_view name, const Shape& shape) const;

  // The result has a rank that a tensor can have.
  Status check_result_rank(std::string_view rule, int rank) const;

 private:
  Status index_error(std::string label, std::string_view text, IndexFault fault) const;
  Status check_size(std::string_view name, DType dtype, const Shape& shape) const;
  ErrorInfo describe(ErrorCode code, std::string label, std::string_view text) const;

  std::string operator_name_;  // "onnx.Gather-13"
  std::string label_prefix_;   // "ONNX-Gather-"
  int version_;
  Direction direction_;
  Inputs inputs_;
  CallOptions options_;
  OutOfRange default_policy_;
};

// Every operator again, element by element, written from its page in docs/operators/: the slow
// witness. Nothing here is shared with access/, plan/, kernels/ or dialects/.
//
// `op.version` is the operator's own version (13, not opset 17; of TensorRT the major release),
// `inputs` are the operator's in its order (an absent optional one is a default view), and their
// element types have been checked (T1 to T4). All else is checked here, an axis input by its value;
// errors carry the same code and constraint label as those of the fast path.
#define WINDROW_OPERATOR(dialect, Operator, function, count, families) \
  Result<Tensor> run(const dialect::Operator& op, Inputs inputs, const CallOptions& options);
#include "src/operators/operators.inc"

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_CALL_H_
