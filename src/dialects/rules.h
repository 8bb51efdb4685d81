#ifndef WINDROW_DIALECTS_RULES_H_
#define WINDROW_DIALECTS_RULES_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/access/operation.h"
#include "windrow/options.h"
#include "windrow/status.h"

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
  kOutside,  // it is out of range like any other
  kRefused,  // strict: an error under every policy
};

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

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_RULES_H_
