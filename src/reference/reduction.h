#ifndef WINDROW_REFERENCE_REDUCTION_H_
#define WINDROW_REFERENCE_REDUCTION_H_

#include <span>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/element.h"
#include "windrow/dtype.h"
#include "windrow/status.h"

// The attribute `reduction` of the scatters. Each dialect has its names and its table of meanings.
namespace windrow::internal::reference {

struct NamedReduction {
  std::string_view name;
  Reduction reduction;
};

// A3: the one of `allowed` that is called `name`, if it has a meaning for the type of data.
Result<Reduction> parse_reduction(const Call& call, std::string_view name,
                                  std::span<const NamedReduction> allowed,
                                  bool (*has_meaning)(DType, Reduction));

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_REDUCTION_H_
