#ifndef WINDROW_OPERATORS_OPERATOR_ROW_H_
#define WINDROW_OPERATORS_OPERATOR_ROW_H_

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/access/operation.h"
#include "src/dialects/rules.h"
#include "src/dialects/schema.h"
#include "src/operators/infer.h"
#include "src/operators/operator_box.h"
#include "src/operators/prepared_run.h"
#include "src/operators/type_sets.h"
#include "src/plan/tuning.h"
#include "windrow/attributes.h"
#include "windrow/call_cache.h"
#include "windrow/dim.h"
#include "windrow/operators.h"

namespace windrow::internal {

// The `until` of a version that is still in force.
inline constexpr int kNewest = std::numeric_limits<int>::max();

// A version of operators.inc with its operator's type erased. `op` is the operator's struct of
// attributes; the version in the struct is ignored.
struct OperatorRow {
  std::string_view dialect;
  std::string_view domain;
  std::string_view name;
  int since = 0;
  int until = 0;
  std::size_t versions = 0;  // number of versions; set in the first row of an operator
  TypeSet data_types;
  TypeSet index_types;
  std::string_view output;
  std::string_view summary;
  std::string_view shapes;
  bool scatter = false;
  // The policy for an index out of range if the call does not choose one, and always under strict.
  OutOfRange policy = OutOfRange::kError;
  OutOfRange strict_policy = OutOfRange::kError;
  bool deprecated = false;  // by the dialect, in this version
  std::span<const InputSchema> inputs;
  std::vector<OperatorAttribute> (*attributes)(int version) = nullptr;
  // Makes the struct of attributes from attributes by name. Errors: A2.
  Status (*parse)(const OperatorRow& row, const Attributes& attributes, OperatorBox& op) = nullptr;
  void (*add_to_key)(const void* op, CallKey& key) noexcept = nullptr;
  Result<Operation> (*build)(const OperatorRow& row, const void* op,
                             std::span<const TensorSpec> inputs,
                             const CallOptions& options) = nullptr;
  // For an operator outside the equation. Null: build() makes a map, which is lowered.
  Result<PreparedRunPtr> (*prepare)(const OperatorRow& row, const void* op,
                                    const PlanState& plan) = nullptr;
  Result<Tensor> (*reference)(const OperatorRow& row, const void* op,
                              std::span<const TensorView> inputs,
                              const CallOptions& options) = nullptr;
  Result<SymbolicShape> (*infer)(const OperatorRow& row, const void* op,
                                 std::span<const SymbolicShape> inputs,
                                 std::span<const KnownValue> values,
                                 std::span<const DType> types) = nullptr;

  TypeSet types(InputGroup group) const {
    if (group == InputGroup::kAxis) return kI10;
    return group == InputGroup::kData ? data_types : index_types;
  }
  Rules rules() const { return {dialect, name, since}; }
  std::string operator_name() const { return rules().operator_name(); }
  Status broken(ErrorCode code, std::string_view rule, std::string_view text) const {
    return rules().broken(code, rule, text);
  }
};

// All rows, in the order of operators.inc.
std::span<const OperatorRow> operator_rows();

// The row that applies to an operator at a version (absent: the newest). Errors: kUnsupported.
Result<const OperatorRow*> find_row(std::string_view dialect, std::string_view name,
                                    std::optional<int> version);

// The rules of every call that precede the operator's own: CALL-I1 here; and, after the attributes
// (A2), T1 to T4, CALL-O1, CALL-O2 and CALL-I2, with the options about kernels. `kernels`:
// chosen_kernels(options).
Status wrong_input_count(const OperatorRow& row, std::size_t given, std::string_view missing);
template <class Input>
Status check_input_count(const OperatorRow& row, std::span<const Input> inputs) {
  if (inputs.size() > row.inputs.size()) return wrong_input_count(row, inputs.size(), {});
  for (std::size_t i = 0; i < row.inputs.size(); ++i)
    if (!row.inputs[i].optional && (i >= inputs.size() || inputs[i].is_absent()))
      return wrong_input_count(row, inputs.size(), row.inputs[i].name);
  return {};
}
// T1 to T4 of the inputs' element types, at most KnownInputs::kMost; kAbsent: the input is absent,
// or its type is not known and breaks no rule.
Status check_types(const OperatorRow& row, std::span<const DType> types);
// The same about types that the library does not have, which no operator takes: `names` are those
// of the inputs, empty where an input has no such type. Precondition: check_types() succeeds.
Status check_other_types(const OperatorRow& row, std::span<const DType> types,
                         std::span<const std::string> names);
Result<Tuning> check_call(const OperatorRow& row, std::span<const TensorSpec> inputs,
                          const CallOptions& options, std::string_view kernels);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_OPERATOR_ROW_H_
