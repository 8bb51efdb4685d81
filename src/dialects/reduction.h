#ifndef WINDROW_DIALECTS_REDUCTION_H_
#define WINDROW_DIALECTS_REDUCTION_H_

#include <span>
#include <string>
#include <string_view>

#include "src/access/operation.h"
#include "src/dialects/rules.h"
#include "windrow/dtype.h"

// The attribute `reduction` of the scatters. Each dialect has its names and its table of meanings.
namespace windrow::internal {

struct NamedCombine {
  std::string_view name;
  Combine combine;
};

// A3: the name is one of `reductions`, which has a meaning for the type (kAbsent: any).
Status check_reduction(const Rules& rules, const std::string& name,
                       std::span<const NamedCombine> reductions, DType dtype,
                       bool (*has_meaning)(Combine, DType));

// What a reduction that A3 allows does.
Combine find_combine(std::span<const NamedCombine> reductions, std::string_view name);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_REDUCTION_H_
