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
#include "src/operators/type_sets.h"
#include "windrow/attributes.h"
#include "windrow/dim.h"
#include "windrow/operators.h"

namespace windrow::internal {

// `until` of a version that is still in force.
inline constexpr int kNewest = std::numeric_limits<int>::max();

// A row of operators.inc with its operator's type erased.
struct OperatorRow {
  std::string_view dialect;
  std::string_view domain;
  std::string_view name;
  int since = 0;
  int until = 0;
  TypeSet data_types;
  TypeSet index_types;
  std::string_view output;
  std::string_view summary;
  std::string_view shapes;
  bool scatter = false;
  // What an index out of range means where the call does not say it, and so under strict.
  OutOfRange policy = OutOfRange::kError;
  OutOfRange strict_policy = OutOfRange::kError;
  bool deprecated = false;  // by the dialect, in this version
  std::span<const InputSchema> inputs;
  std::vector<OperatorAttribute> (*attributes)(int version) = nullptr;
  // The next three parse the attributes first: A2.
  Result<Operation> (*build)(const OperatorRow& row, const Attributes& attributes,
                             std::span<const TensorSpec> inputs,
                             const CallOptions& options) = nullptr;
  Result<Tensor> (*reference)(const OperatorRow& row, const Attributes& attributes,
                              std::span<const TensorView> inputs,
                              const CallOptions& options) = nullptr;
  Result<SymbolicShape> (*infer)(const OperatorRow& row, const Attributes& attributes,
                                 std::span<const SymbolicShape> inputs,
                                 std::span<const KnownValue> values) = nullptr;

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

// All rows, as operators.inc has them.
std::span<const OperatorRow> operator_rows();

// The row that applies to an operator at a version (absent: the newest). Errors: kUnsupported.
Result<const OperatorRow*> find_row(std::string_view dialect, std::string_view name,
                                    std::optional<int> version);

// `specs` with the values of those of `inputs` that the row's addresses depend on (an axis of one
// element).
Status add_known_values(const OperatorRow& row, std::span<const TensorView> inputs,
                        std::span<TensorSpec> specs);

// The rules of any call before the operator's own: CALL-I1; and, after the attributes (A2), T1 to
// T4, CALL-O1, CALL-O2 and CALL-I2.
Status check_input_count(const OperatorRow& row, std::span<const TensorSpec> inputs);
Status check_call(const OperatorRow& row, std::span<const TensorSpec> inputs,
                  const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_OPERATOR_ROW_H_
