#ifndef WINDROW_DIALECTS_ONNX_RULES_H_
#define WINDROW_DIALECTS_ONNX_RULES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/access/operation.h"
#include "windrow/options.h"
#include "windrow/status.h"

// What the builders of the ONNX operators have in common.
namespace windrow::internal {

// Names an operator version and its rules in errors.
class Rules {
 public:
  Rules(std::string_view name, int version)
      : name_(name), operator_name_("onnx." + name_ + "-" + std::to_string(version)) {}

  const std::string& operator_name() const { return operator_name_; }
  std::string label(std::string_view rule) const {
    return "ONNX-" + name_ + "-" + std::string(rule);
  }
  // "onnx.Gather-13 [ONNX-Gather-C1]: <text>"
  Status broken(ErrorCode code, std::string_view rule, std::string_view text) const;

 private:
  std::string name_;
  std::string operator_name_;
};

// `axis` in [0, rank), or nothing if it is not in [-rank, rank-1].
std::optional<int> normal_axis(std::int64_t axis, int rank);

// Rule A1 of an operator with an axis.
Status axis_error(const Rules& rules, std::int64_t axis, std::string_view data_name, int rank);

// What a negative index means.
enum class Negatives {
  kCountFromEnd,
  kOutside,  // it is out of range like any other
  kRefused,  // strict: an error under every policy
};

// An axis that one loop walks.
AxisMap loop_axis(std::int64_t extent, int loop);

// An axis that one index addresses. `coordinates` tell where the index stands in input number
// `input`.
AxisMap index_axis(std::int64_t extent, int input, std::vector<IndexCoordinate> coordinates,
                   OutOfRange policy, Negatives negatives);

// The axes of GatherElements and ScatterElements: a loop each, but for `axis`, which indices (input
// 1) address.
std::vector<AxisMap> element_axes(const Shape& data, const Shape& indices, int axis,
                                  OutOfRange policy, Negatives negatives);

// The axes of GatherND and ScatterND: `batch_dims` loops, an element of the index tuple (input 1)
// each, and the loops of the slice.
std::vector<AxisMap> tuple_axes(const Shape& data, const Shape& indices, int batch_dims,
                                OutOfRange policy);

// The policy of a call; ONNX's own is `error` everywhere.
inline OutOfRange policy_of(const CallOptions& options) {
  return options.out_of_range.value_or(OutOfRange::kError);
}

// The reduction of that name in an operator version (16: add, mul; 18: max, min), for a type.
// Errors: A3.
Result<Combine> parse_reduction(const Rules& rules, const std::string& name, int version,
                                DType dtype);

// D1: whether the call refuses a cell that is written twice.
inline bool refuses_duplicates(const CallOptions& options, Combine combine) {
  return options.duplicates == Duplicates::kError ||
         (options.strict && combine == Combine::kAssign);
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONNX_RULES_H_
