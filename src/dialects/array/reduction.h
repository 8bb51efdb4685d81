#ifndef WINDROW_DIALECTS_ARRAY_REDUCTION_H_
#define WINDROW_DIALECTS_ARRAY_REDUCTION_H_

#include <string>

#include "src/access/operation.h"
#include "src/dialects/rules.h"

namespace windrow::internal {

// The reduction of that name for a type (kAbsent: any). Errors: A3.
Result<Combine> parse_array_reduction(const Rules& rules, const std::string& name, DType dtype);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_REDUCTION_H_
