#ifndef WINDROW_REFERENCE_ARRAY_REDUCTION_H_
#define WINDROW_REFERENCE_ARRAY_REDUCTION_H_

#include <string_view>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "windrow/status.h"

namespace windrow::internal::reference {

// The reduction of that name, if the table "Reductions" of docs/operators/array.md gives it a
// meaning for the type of data, a type of R19: rule A3.
Result<Reduction> parse_array_reduction(const Call& call, std::string_view name);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ARRAY_REDUCTION_H_
