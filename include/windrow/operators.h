#ifndef WINDROW_OPERATORS_H_
#define WINDROW_OPERATORS_H_

#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "windrow/attributes.h"
#include "windrow/export.h"
#include "windrow/options.h"
#include "windrow/plan.h"

// Operators by name, as model readers, the command line and other languages use them. The typed
// functions of a dialect are in its own header (windrow/onnx.h, windrow/openvino.h).
namespace windrow {

// One input of an operator.
struct OperatorInput {
  std::string name;           // the specification's own
  std::vector<DType> dtypes;  // its legal types in this version
  // Inputs of one group have the same type; group "T" is also the type of the result, unless an
  // attribute `dtype` names that. Group "Tcodes": the codes of a quantised table.
  std::string type_group;
  bool optional = false;
  // Whether the result's shape or the addresses depend on this input's value (OpenVINO's axis,
  // OneHot's depth, the vectors of SliceScatter): compile() needs TensorSpec::value, and a run must
  // give the same value.
  bool value_at_compile = false;
  // Of an optional input with value_at_compile: the number of the input of ids from which its value
  // follows if a call leaves it out (SegmentMax: num_segments is the last of segment_ids plus 1,
  // and 0 where there is no id or a negative one is last). Negative: there is no such input.
  int counted_input = -1;
  // Of an optional input: the number of the optional one in place of which it stands, so that a
  // call gives one of the two (SegmentReduce: offsets in place of segment_ids). Negative: there is
  // no such input.
  int instead_of = -1;

  // Whether it holds indices, or numbers that say which elements are read.
  bool holds_indices() const noexcept { return type_group != "T" && type_group != "Tcodes"; }
};

// One attribute of an operator, with its default.
struct OperatorAttribute {
  std::string name;
  AttributeValue default_value;  // for a required attribute only the type matters
  bool required = false;
  std::vector<std::string> values = {};  // all that the attribute `reduction` may be; else empty
};

// One version of one operator; a row of the operator table.
struct OperatorInfo {
  std::string dialect;  // "onnx", "openvino"
  std::string domain;   // for ONNX: "" (ai.onnx) or "ai.onnx.ml"
  std::string name;     // "GatherND"
  int since_version = 0;
  int until_version = 0;  // the last version to which it applies
  bool deprecated = false;
  bool scatter = false;
  // The policy for an index out of range if CallOptions::out_of_range is absent, and always under
  // strict.
  OutOfRange out_of_range = OutOfRange::kError;
  OutOfRange strict_out_of_range = OutOfRange::kError;
  std::vector<OperatorInput> inputs;
  std::vector<OperatorAttribute> attributes;
  std::string output;   // the output's name in the specification
  std::string summary;  // what it computes, in one sentence
  std::string shapes;   // the result's shape in terms of the inputs' shapes (a ++ b joins two)
};

// Identifies an operator for compile() and call().
struct OperatorId {
  std::string dialect;
  std::string name;
  std::optional<int> version;  // as the dialect counts (ONNX: an opset; OpenVINO: the
                               // operator's own); absent: the newest
};

// Every operator and version that this library has, grouped by operator, versions rising.
WINDROW_EXPORT std::vector<OperatorInfo> list_operators();

// The row that applies. Errors: kUnsupported (no such dialect or operator, or no version that old);
// the error names the nearest names.
WINDROW_EXPORT Result<OperatorInfo> find_operator(const OperatorId& id);

// The specs of inputs in memory for compile(), with private copies of the values that it needs. An
// input that the call leaves out and whose value follows from ids (OperatorInput::counted_input)
// has an absent spec with that value: a run of such a plan leaves it out too and must have ids that
// give the same value. Each element is read once. Errors: kUnsupported, kOutOfMemory.
WINDROW_EXPORT Result<std::vector<TensorSpec>> specs_of(const OperatorId& id,
                                                        std::span<const TensorView> inputs);

// Compiles an operator for inputs of these types, shapes and strides (absent ones as default
// specs). Errors: kUnsupported, kInvalidArgument (attributes, options), kType, kShape, each with
// the label of the constraint that failed.
WINDROW_EXPORT Result<Plan> compile(const OperatorId& id, const Attributes& attributes,
                                    std::span<const TensorSpec> inputs,
                                    const CallOptions& options = {});

// Same as above, for an operator's struct: compile(windrow::onnx::Gather{.axis = 1}, {data.spec(),
// indices.spec()}).
template <class Operator>
requires(!std::is_same_v<Operator, OperatorId>) Result<Plan> compile(
    const Operator& op, std::initializer_list<TensorSpec> inputs, const CallOptions& options = {}) {
  return compile(op, std::span<const TensorSpec>(inputs.begin(), inputs.size()), options);
}

// Compiles and runs in one call.
WINDROW_EXPORT Result<Tensor> call(const OperatorId& id, const Attributes& attributes,
                                   std::span<const TensorView> inputs,
                                   const CallOptions& options = {}, const RunOptions& run = {});

// The reference implementation: the operator written from the specification, element by element,
// without any of the code that compile() uses. Serial and slow; gives the same results and the same
// kinds of error. `options.kernels` has no effect here.
WINDROW_EXPORT Result<Tensor> call_reference(const OperatorId& id, const Attributes& attributes,
                                             std::span<const TensorView> inputs,
                                             const CallOptions& options = {});

// One set of kernels, compiled for one instruction set.
struct KernelSet {
  std::string name;        // "plain"; on x86-64 "avx2", "avx512"; on aarch64 "neon", "sve"
  bool supported = false;  // by this machine
};

// The sets that this library was built with, slowest first.
WINDROW_EXPORT std::vector<KernelSet> list_kernel_sets();

// "0.1.0"
WINDROW_EXPORT std::string_view version() noexcept;

}  // namespace windrow

#endif  // WINDROW_OPERATORS_H_
