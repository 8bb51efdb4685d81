#ifndef WINDROW_DIALECTS_ARRAY_REDUCTION_H_
#define WINDROW_DIALECTS_ARRAY_REDUCTION_H_

#include <string>

#include "src/access/operation.h"
#include "src/dialects/rules.h"

namespace windrow::internal {

// A3: there is a reduction of that name, and it has a meaning for the type (kAbsent: any).
Status check_reduction(const Rules& rules, const std::string& name, DType dtype);

// What a reduction that A3 allows does.
Combine array_combine(const std::string& name);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_REDUCTION_H_
