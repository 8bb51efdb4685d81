#ifndef WINDROW_DIALECTS_OPENVINO_REDUCTION_H_
#define WINDROW_DIALECTS_OPENVINO_REDUCTION_H_

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "src/access/operation.h"
#include "src/dialects/rules.h"

namespace windrow::internal {

// A3: the name is one of `names`, and the reduction has a meaning for the type (kAbsent: any).
Status check_reduction(const Rules& rules, const std::string& name,
                       std::span<const std::string_view> names, DType dtype);

// What a reduction that A3 allows does.
Combine openvino_combine(std::string_view name);

// Those that the operators have.
inline constexpr std::array<std::string_view, 6> kElementReductions = {"none", "sum", "prod",
                                                                       "min",  "max", "mean"};
inline constexpr std::array<std::string_view, 6> kTupleReductions = {"none", "sum", "sub",
                                                                     "prod", "min", "max"};

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_REDUCTION_H_
