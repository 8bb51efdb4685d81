#ifndef WINDROW_DIALECTS_RULES_H_
#define WINDROW_DIALECTS_RULES_H_

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/access/operation.h"
#include "windrow/options.h"
#include "windrow/status.h"

// What the builders of all dialects have in common: named rules, axes, and how indices address
// them.
namespace windrow::internal {

// Names an operator version and its rules in errors.
class Rules {
 public:
  // Rules("onnx", "Gather", 13): "onnx.Gather-13", labels "ONNX-Gather-..".
  Rules(std::string_view dialect, std::string_view name, int version);

  const std::string& operator_name() const { return operator_name_; }
  std::string label(std::string_view rule) const { return label_prefix_ + std::string(rule); }
  // "onnx.Gather-13 [ONNX-Gather-C1]: <text>"; a rule with a "CALL-" prefix is a label as it is.
  Status broken(ErrorCode code, std::string_view rule, std::string_view text) const;

 private:
  std::string operator_name_;
  std::string label_prefix_;
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

// D1: whether the call refuses a cell that is written twice.
inline bool refuses_duplicates(const CallOptions& options, Combine combine) {
  return options.duplicates == Duplicates::kError ||
         (options.strict && combine == Combine::kAssign);
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_RULES_H_
