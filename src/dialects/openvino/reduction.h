#ifndef WINDROW_DIALECTS_OPENVINO_REDUCTION_H_
#define WINDROW_DIALECTS_OPENVINO_REDUCTION_H_

#include <array>
#include <span>
#include <string>
#include <string_view>

#include "src/access/operation.h"
#include "src/dialects/rules.h"

namespace windrow::internal {

// The reduction of that name, one of `names`, for a type (kAbsent: any). Errors: A3.
Result<Combine> parse_reduction(const Rules& rules, const std::string& name,
                                std::span<const std::string_view> names, DType dtype);

// Those that the operators have.
inline constexpr std::array<std::string_view, 6> kElementReductions = {"none", "sum", "prod",
                                                                       "min",  "max", "mean"};
inline constexpr std::array<std::string_view, 6> kTupleReductions = {"none", "sum", "sub",
                                                                     "prod", "min", "max"};

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_REDUCTION_H_
