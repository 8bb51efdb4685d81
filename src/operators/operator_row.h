#ifndef WINDROW_OPERATORS_OPERATOR_ROW_H_
#define WINDROW_OPERATORS_OPERATOR_ROW_H_

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "src/access/access_map.h"
#include "src/dialects/rules.h"
#include "src/dialects/schema.h"
#include "src/plan/tuning.h"
#include "windrow/attributes.h"
#include "windrow/call_cache.h"
#include "windrow/dim.h"
#include "windrow/dtype.h"
#include "windrow/export.h"
#include "windrow/operators.h"
#include "windrow/status.h"

namespace windrow::internal {

// The shape of an operator's result from shapes that may hold symbols. An absent optional input has
// an absent shape; missing shapes at the end are unknown. `values`: the known values of the inputs
// on whose value a shape depends (an axis), one entry per input or none at all. `given`: the inputs
// of the call, or none at all: then nothing is judged about their number and types. Errors:
// kUnsupported, and, as windrow::compile gives it, the first rule about the number of inputs,
// attributes, types and shapes that is broken whatever is not known (kInvalidArgument, kType,
// kShape). Exported for windrow::models.
WINDROW_EXPORT Result<SymbolicShape> infer_shape(const OperatorId& id, const Attributes& attributes,
                                                 std::span<const SymbolicShape> inputs,
                                                 std::span<const KnownValue> values = {},
                                                 std::span<const OperandType> given = {});

// Stack memory for the struct of attributes of any operator.
class OperatorBox {
 public:
  OperatorBox() noexcept = default;
  OperatorBox(const OperatorBox&) = delete;
  OperatorBox& operator=(const OperatorBox&) = delete;
  ~OperatorBox() {
    if (destroy_ != nullptr) destroy_(bytes_);
  }

  // May only be called once.
  template <class Op>
  Op& emplace() {
    static_assert(sizeof(Op) <= sizeof(bytes_) && alignof(Op) <= alignof(std::max_align_t));
    Op* const op = new (bytes_) Op;
    if constexpr (!std::is_trivially_destructible_v<Op>)
      destroy_ = [](void* held) noexcept { static_cast<Op*>(held)->~Op(); };
    return *op;
  }
  const void* get() const noexcept { return bytes_; }

 private:
  void (*destroy_)(void*) noexcept = nullptr;
  alignas(std::max_align_t) std::byte bytes_[256];
};

// The sets of element types that operator versions take, by the names in docs/operators/.

using TypeSet = std::span<const DType>;

// T24 begins with T16, which begins with T15.
inline constexpr DType kAllTypes[] = {
    DType::kUint8,        DType::kUint16,         DType::kUint32,     DType::kUint64,
    DType::kInt8,         DType::kInt16,          DType::kInt32,      DType::kInt64,
    DType::kFloat16,      DType::kFloat32,        DType::kFloat64,    DType::kString,
    DType::kBool,         DType::kComplex64,      DType::kComplex128, DType::kBFloat16,
    DType::kFloat8E4M3FN, DType::kFloat8E4M3FNUZ, DType::kFloat8E5M2, DType::kFloat8E5M2FNUZ,
    DType::kFloat8E8M0,   DType::kFloat4E2M1,     DType::kInt4,       DType::kUint4,
};
inline constexpr TypeSet kT15 = TypeSet(kAllTypes).first<15>();
inline constexpr TypeSet kT16 = TypeSet(kAllTypes).first<16>();
inline constexpr TypeSet kT24 = TypeSet(kAllTypes);

inline constexpr DType kFeatureTypes[] = {DType::kFloat32, DType::kFloat64, DType::kInt64,
                                          DType::kInt32, DType::kString};
inline constexpr TypeSet kT5 = TypeSet(kFeatureTypes);

inline constexpr DType kIndexTypes[] = {DType::kInt64, DType::kInt32};
inline constexpr TypeSet kIndex = TypeSet(kIndexTypes);
inline constexpr TypeSet kIndex64 = TypeSet(kIndexTypes).first<1>();

// The types that ONNX casts to int64: the indices and the depth of OneHot.
inline constexpr DType kNumberTypes[] = {
    DType::kInt64,   DType::kInt32,   DType::kInt16,   DType::kInt8,
    DType::kUint64,  DType::kUint32,  DType::kUint16,  DType::kUint8,
    DType::kFloat16, DType::kFloat32, DType::kFloat64,
};
inline constexpr TypeSet kN11 = TypeSet(kNumberTypes);

// OpenVINO's sets. T23 begins with T22, which begins with T17.
inline constexpr DType kOpenvinoTypes[] = {
    DType::kBool,         DType::kInt4,       DType::kInt8,     DType::kInt16,
    DType::kInt32,        DType::kInt64,      DType::kUint4,    DType::kUint8,
    DType::kUint16,       DType::kUint32,     DType::kUint64,   DType::kFloat16,
    DType::kFloat8E4M3FN, DType::kFloat8E5M2, DType::kBFloat16, DType::kFloat32,
    DType::kFloat64,      DType::kUint1,      DType::kNF4,      DType::kUint2,
    DType::kFloat4E2M1,   DType::kFloat8E8M0, DType::kString,
};
inline constexpr TypeSet kT23 = TypeSet(kOpenvinoTypes);
inline constexpr TypeSet kT22 = kT23.first<22>();
inline constexpr TypeSet kT17 = kT23.first<17>();

// Those of the first 17 that have sums and products, which bool has not.
inline constexpr TypeSet kM16 = kT23.subspan(1, 16);

// The numbers of at least a byte that hold the integers of GatherTree.
inline constexpr DType kStepTypes[] = {
    DType::kInt8,    DType::kInt16,    DType::kInt32,   DType::kInt64,
    DType::kUint8,   DType::kUint16,   DType::kUint32,  DType::kUint64,
    DType::kFloat16, DType::kBFloat16, DType::kFloat32, DType::kFloat64,
};
inline constexpr TypeSet kN12 = TypeSet(kStepTypes);

// The types of scales, and of what quantised look-ups give.
inline constexpr DType kScaleTypes[] = {DType::kFloat32, DType::kFloat16, DType::kBFloat16};
inline constexpr TypeSet kS3 = TypeSet(kScaleTypes);

inline constexpr DType kIntegerTypes[] = {
    DType::kInt64,  DType::kInt32,  DType::kInt16,  DType::kInt8,  DType::kInt4,
    DType::kUint64, DType::kUint32, DType::kUint16, DType::kUint8, DType::kUint4,
};
inline constexpr TypeSet kI10 = TypeSet(kIntegerTypes);
inline constexpr TypeSet kI2 = kIndex;

// The sets of TensorRT and of Windrow's extensions. T10 begins with T8; OneHot has all but int4.
inline constexpr DType kTensorrtTypes[] = {
    DType::kFloat32, DType::kFloat16,      DType::kBFloat16, DType::kInt32, DType::kInt8,
    DType::kInt4,    DType::kFloat8E4M3FN, DType::kUint8,    DType::kInt64, DType::kBool,
};
inline constexpr TypeSet kT10 = TypeSet(kTensorrtTypes);
inline constexpr TypeSet kT8 = kT10.first<8>();
inline constexpr DType kOneHotTypes[] = {
    DType::kFloat32, DType::kFloat16,      DType::kBFloat16, DType::kInt32, DType::kInt8,
    DType::kUint8,   DType::kFloat8E4M3FN, DType::kInt64,    DType::kBool,
};
inline constexpr TypeSet kT9 = TypeSet(kOneHotTypes);

// The array dialect's sets: the types that its reductions fold, and its indices.
inline constexpr DType kFoldedTypes[] = {
    DType::kBool,    DType::kInt4,    DType::kInt8,         DType::kInt16,      DType::kInt32,
    DType::kInt64,   DType::kUint4,   DType::kUint8,        DType::kUint16,     DType::kUint32,
    DType::kUint64,  DType::kFloat16, DType::kFloat8E4M3FN, DType::kFloat8E5M2, DType::kBFloat16,
    DType::kFloat32, DType::kFloat64, DType::kComplex64,    DType::kComplex128,
};
inline constexpr TypeSet kR19 = TypeSet(kFoldedTypes);
// The integers among the number types that ONNX casts.
inline constexpr TypeSet kI8 = kN11.first<8>();

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
  TypeSet code_types;  // of quantised tables; empty for other operators
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
  Result<Tensor> (*reference)(const OperatorRow& row, const void* op,
                              std::span<const TensorView> inputs,
                              const CallOptions& options) = nullptr;
  Result<SymbolicShape> (*infer)(const OperatorRow& row, const void* op,
                                 std::span<const SymbolicShape> inputs,
                                 std::span<const KnownValue> values,
                                 std::span<const OperandType> given) = nullptr;

  TypeSet types(InputGroup group) const {
    if (group == InputGroup::kAxis) return kI10;
    if (group == InputGroup::kCodes) return code_types;
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
// For two inputs of which one must be given: `both` are, or neither is.
Status not_one_input(const OperatorRow& row, std::size_t first, std::size_t second, bool both);
template <class Input>
Status check_input_count(const OperatorRow& row, std::span<const Input> inputs) {
  if (inputs.size() > row.inputs.size()) return wrong_input_count(row, inputs.size(), {});
  const auto is_given = [&](std::size_t i) { return i < inputs.size() && !inputs[i].is_absent(); };
  for (std::size_t i = 0; i < row.inputs.size(); ++i) {
    const InputSchema& input = row.inputs[i];
    if (!input.optional && !is_given(i)) return wrong_input_count(row, inputs.size(), input.name);
    if (input.instead_of < 0) continue;
    const auto other = static_cast<std::size_t>(input.instead_of);
    if (is_given(i) == is_given(other)) return not_one_input(row, other, i, is_given(i));
  }
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
