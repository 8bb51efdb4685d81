#ifndef WINDROW_DIALECTS_RULES_H_
#define WINDROW_DIALECTS_RULES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/access/access_map.h"
#include "src/dialects/schema.h"
#include "windrow/dim.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// What the operators of all dialects have in common: named rules, axes, and how indices address
// them.
namespace windrow::internal {

// Names an operator version and its rules in errors.
class Rules {
 public:
  // Rules("onnx", "Gather", 13): "onnx.Gather-13", labels "ONNX-Gather-..". The texts must outlive
  // this.
  Rules(std::string_view dialect, std::string_view name, int version) noexcept
      : dialect_(dialect), name_(name), version_(version) {}

  std::string operator_name() const;
  std::string_view name() const noexcept { return name_; }
  std::string label(std::string_view rule) const;
  // "onnx.Gather-13 [ONNX-Gather-C1]: <text>"; a rule with a "CALL-" prefix is a label as it is.
  Status broken(ErrorCode code, std::string_view rule, std::string_view text) const;
  Status invalid(std::string_view rule, std::string_view text) const;  // kInvalidArgument
  Status shape(std::string_view rule, std::string_view text) const;    // kShape

 private:
  std::string_view dialect_;
  std::string_view name_;
  int version_;
};

// An axis in [-rank, rank-1], counted from the front.
inline int normal_axis(std::int64_t axis, int rank) noexcept {
  return static_cast<int>(axis < 0 ? axis + rank : axis);
}

// What a negative index means.
enum class Negatives {
  kCountFromEnd,
  kOutside,          // it is out of range like any other
  kRefused,          // strict: an error under every policy
  kRefusedByOption,  // the same, because the call says so
};

inline bool are_refused(Negatives negatives) noexcept {
  return negatives == Negatives::kRefused || negatives == Negatives::kRefusedByOption;
}

// What a negative index means in a call whose operator reads it as `own`. The call's option
// outranks the operator, and what strict refuses outranks both.
Negatives negatives_of(const CallOptions& options, Negatives own) noexcept;

// CALL-O4: makes an index the padding of the only index tensor element that a point reads.
Status set_padding(const Rules& rules, std::int64_t padding, AccessMap& map);

// How a call reads its indices.
struct IndexUse {
  OutOfRange policy = OutOfRange::kError;
  Negatives negatives = Negatives::kCountFromEnd;
};

// The rule that a bad index breaks: `rule`, or S1 where negative ones are refused.
inline std::string_view index_rule(const IndexUse& use, std::string_view rule) noexcept {
  return use.negatives == Negatives::kRefused ? "S1" : rule;
}

// An axis that one loop walks.
AxisMap loop_axis(std::int64_t extent, int loop);

// An axis that one index addresses. `coordinates` tell where the index stands in input number
// `input`.
AxisMap index_axis(std::int64_t extent, int input, std::vector<IndexCoordinate> coordinates,
                   const IndexUse& use);

// D1: whether the call refuses a cell that is written twice.
inline bool refuses_duplicates(const CallOptions& options, Combine combine) {
  return options.duplicates == Duplicates::kError ||
         (options.strict && combine == Combine::kAssign);
}

// What is known of a call's inputs when its rules are checked: everything when a plan is compiled,
// as much as a model tells when a shape is inferred.

using SymbolicDims = std::vector<Dim>;

// The integers that an input for whose value a plan is compiled holds (an axis, a depth, the starts
// of slices), in row-major order; nothing: they are not known.
using KnownValue = std::optional<std::vector<std::int64_t>>;

// What shape inference knows of them: one entry per input, or none at all.
using KnownValues = std::span<const KnownValue>;

// Whether an input is given, and its element type; kAbsent: it is not known, or one that the
// library does not have, whose name is `other_type`.
struct OperandType {
  DType dtype = DType::kAbsent;
  bool is_given = true;
  std::string other_type = {};
  bool is_absent() const noexcept { return !is_given; }
  friend bool operator==(const OperandType&, const OperandType&) = default;
};

struct KnownInput {
  std::string_view name;               // the operator's own
  const SymbolicDims* dims = nullptr;  // null: the rank is not known, or the input is absent
  DType dtype = DType::kAbsent;        // kAbsent: it is not known, or the input is absent
  KnownValue value;                    // of an input whose value a plan is compiled for
  bool is_compiled = false;            // what is not known now is missing
  bool is_absent = false;              // the call does not give it; false if that is not known

  bool has_rank() const noexcept { return dims != nullptr; }
  std::int64_t rank() const noexcept { return static_cast<std::int64_t>(dims->size()); }
  const Dim& operator[](std::int64_t axis) const noexcept {
    return (*dims)[static_cast<std::size_t>(axis)];
  }
  SymbolicShape shape() const { return dims != nullptr ? SymbolicShape(*dims) : SymbolicShape(); }
};

// The inputs of an operator, one per entry of its schema.
class KnownInputs {
 public:
  static constexpr std::size_t kMost = 6;

  // For inference; missing `shapes` are unknown. `given`: the inputs of the call, or none at all,
  // if they are not known. `shapes` must outlive this.
  KnownInputs(std::span<const InputSchema> schemas, std::span<const SymbolicShape> shapes,
              KnownValues values, std::span<const OperandType> given = {});
  // For compilation. The values of `specs` count where their type and shape are those of the spec.
  KnownInputs(std::span<const InputSchema> schemas, std::span<const TensorSpec> specs);
  KnownInputs(const KnownInputs&) = delete;
  KnownInputs& operator=(const KnownInputs&) = delete;
  ~KnownInputs() = default;

  const KnownInput& operator[](std::size_t input) const noexcept { return inputs_[input]; }
  const KnownInput* begin() const noexcept { return inputs_.data(); }
  const KnownInput* end() const noexcept { return inputs_.data() + count_; }

 private:
  std::size_t count_;
  std::array<KnownInput, kMost> inputs_;
  std::array<SymbolicDims, kMost> dims_;  // of specs
};

// The value of an input that a plan is compiled for, which check() has found: one integer, or those
// of a vector.
std::int64_t fixed_value(const TensorSpec& spec);
std::vector<std::int64_t> fixed_values(const TensorSpec& spec);

// The extents of a shape that is known completely.
Shape known_shape(const SymbolicDims& dims);

// What rules ask of shapes that may hold unknown extents. A check fails only where what is known
// breaks the rule, whatever the rest is.

// Whether both numbers are known and a is not b, or is more than b.
inline bool must_differ(const Dim& a, const Dim& b) noexcept {
  return a.is_known() && b.is_known() && a.value != b.value;
}
inline bool must_exceed(const Dim& a, const Dim& b) noexcept {
  return a.is_known() && b.is_known() && a.value > b.value;
}
// Whether must_differ() holds and neither is 1.
inline bool must_clash(const Dim& a, const Dim& b) noexcept {
  return must_differ(a, b) && a.value != 1 && b.value != 1;
}

// The extent that two axes have in common where one of them may be 1; unknown where that is open.
Dim broadcast_dim(const Dim& a, const Dim& b);

// The extent that two axes have in common where they are equal.
inline Dim same_dim(const Dim& a, const Dim& b) {
  return a.is_known() || !a.symbol.empty() ? a : b;
}

// The product of extents, unknown where it is open; nothing if it exceeds 2^63-1.
std::optional<Dim> product(std::span<const Dim> dims);

void append(SymbolicDims& result, const KnownInput& input, std::int64_t from, std::int64_t to);

// Parts of messages: "[2, N, ?]"; "data has shape [2]"; "data has rank 1 and indices have rank 2";
// "data has shape [2] and indices have shape [3]: "; "data of rank 2".
std::string to_string(const SymbolicDims& dims);
std::string describe_shape(const KnownInput& input);
std::string describe_ranks(const KnownInput& a, const KnownInput& b);
std::string describe_shapes(const KnownInput& a, const KnownInput& b);
std::string with_rank(const KnownInput& input);

// Whether a known rank is below `least`, or two of them differ.
bool ranks_clash(std::initializer_list<const KnownInput*> inputs, std::int64_t least);

// The rank is at least 1.
Status check_has_axes(const Rules& rules, std::string_view rule, const KnownInput& input);

// The rank of the result is one that a tensor can have.
Status check_result_rank(const Rules& rules, std::string_view rule, std::int64_t rank);

// A number of elements, at least 0, as an input of rank 0 (or `may_have_an_axis`) has it, whose
// value is known when a plan is compiled. Returns the value; nothing where inference does not know
// it.
Result<std::optional<std::int64_t>> check_count(const Rules& rules, std::string_view rule,
                                                const KnownInput& input,
                                                bool may_have_an_axis = false);

// The shape is `expected`.
bool may_have_shape(const KnownInput& input, const SymbolicDims& expected);
Status check_shape(const Rules& rules, std::string_view rule, const KnownInput& input,
                   const SymbolicDims& expected);

// C2: the first `batch_dims` extents of both are equal or, if they are broadcast, one of them is 1.
Status check_batch_axes(const Rules& rules, const KnownInput& data, const KnownInput& indices,
                        std::int64_t batch_dims, bool broadcasts);

// C2: both have the same extents except on `axis`. They have one rank.
Status check_off_axis(const Rules& rules, const KnownInput& a, const KnownInput& b,
                      std::optional<std::int64_t> axis);

// A1: `axis` is in [-r, r-1], r being the rank of `input`. Returns the axis counted from the front;
// nothing where the rank is not known.
Result<std::optional<std::int64_t>> check_axis(const Rules& rules, std::int64_t axis,
                                               const KnownInput& input);

// An input of rank 0 (or `may_have_an_axis`) with one element, whose value is known when a plan is
// compiled. Returns the value; nothing where inference does not know it.
Result<std::optional<std::int64_t>> check_single(const Rules& rules, ErrorCode code,
                                                 std::string_view rule, const KnownInput& input,
                                                 bool may_have_an_axis);

// The error about an input whose value is not known when a plan is compiled.
Status unknown_value(const Rules& rules, ErrorCode code, std::string_view rule,
                     const KnownInput& input);

// data[:batch_dims] ++ data[batch_dims:axis] ++ indices[batch_dims:] ++ data[axis+1:], all ranks
// being known, `batch` giving the extent that the two have in common on a batch axis.
SymbolicDims slice_dims(const KnownInput& data, const KnownInput& indices, std::int64_t axis,
                        std::int64_t batch_dims = 0,
                        Dim (*batch)(const Dim&, const Dim&) = &same_dim);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_RULES_H_
