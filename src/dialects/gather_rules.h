#ifndef WINDROW_DIALECTS_GATHER_RULES_H_
#define WINDROW_DIALECTS_GATHER_RULES_H_

#include <cstdint>
#include <string_view>

#include "src/access/operation.h"
#include "src/dialects/shape_rules.h"

// What the gathers of all dialects share.
namespace windrow::internal {

// Gather and Take: C1 (data has axes), A1, C2 (the result's rank). Returns the result's shape.
Result<SymbolicShape> check_slices(const Rules& rules, std::int64_t axis, const KnownInput& data,
                                   const KnownInput& indices);

// C1: data and indices of one rank, at least `least`.
Status check_common_rank(const Rules& rules, const KnownInput& data, const KnownInput& indices,
                         std::int64_t least = 1);

// No axis of indices but `axis` is longer than data's, as far as both shapes are known.
Status check_not_longer(const Rules& rules, std::string_view rule, const KnownInput& data,
                        const KnownInput& indices, std::int64_t axis);

// `map` addresses input 0. `rule` is the one that a bad index breaks, unless negative indices are
// refused.
Operation gather_operation(const Rules& rules, AccessMap map, const IndexUse& use,
                           std::string_view rule);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_GATHER_RULES_H_
