#ifndef WINDROW_REFERENCE_CALL_H_
#define WINDROW_REFERENCE_CALL_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "src/reference/element.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

enum class Direction : std::uint8_t { kGather, kScatter };

// One call of an operator: its name, its options and how its errors look.
class Call {
 public:
  // Call("onnx", "Gather", 13, ...): errors name "onnx.Gather-13" and labels "ONNX-Gather-..".
  // `default_policy` applies where the options name none.
  Call(std::string_view dialect, std::string_view name, int version, Direction direction,
       const CallOptions& options, OutOfRange default_policy = OutOfRange::kError);

  const std::string& operator_name() const { return operator_name_; }
  OutOfRange policy() const { return options_.out_of_range.value_or(default_policy_); }
  bool strict() const { return options_.strict; }
  bool refuses_duplicates(Reduction reduction) const;

  // An error that breaks `rule` of the operator ("C1").
  Status error(ErrorCode code, std::string_view rule, std::string_view text) const;
  Status invalid(std::string_view rule, std::string_view text) const;  // kInvalidArgument
  Status shape(std::string_view rule, std::string_view text) const;    // kShape
  Status index(std::string_view rule, std::string_view text, IndexFault fault) const;

  // An error that breaks CALL-O1: the policy does not fit the operator.
  Status unfit_policy(std::string_view text) const;

  // CALL-O1 and CALL-I2.
  Status check_options_and_inputs(std::span<const TensorView> inputs) const;

  // CALL-I2 for the result.
  Status check_result(DType dtype, const Shape& shape) const;
  Status too_large(std::string_view name, const Shape& shape) const;

 private:
  Status check_size(std::string_view name, DType dtype, const Shape& shape) const;
  ErrorInfo describe(ErrorCode code, std::string label, std::string_view text) const;

  std::string operator_name_;  // "onnx.Gather-13"
  std::string label_prefix_;   // "ONNX-Gather-"
  Direction direction_;
  CallOptions options_;
  OutOfRange default_policy_;
};

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_CALL_H_
