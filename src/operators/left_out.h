#ifndef WINDROW_OPERATORS_LEFT_OUT_H_
#define WINDROW_OPERATORS_LEFT_OUT_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "src/dialects/rules.h"
#include "windrow/dim.h"
#include "windrow/export.h"
#include "windrow/tensor.h"

// Inputs that a call may leave out because their value, for which a plan is compiled, follows from
// ids (InputSchema::counted_input).
namespace windrow::internal {

// The number of groups that ids number in ascending order: the last id plus 1, and 0 where there is
// no id or a negative one is last. `ids_input`: the number of the ids; negative: there are none.
// Reads one element; whoever uses the ids later has to check them against the number. Nothing if
// the ids are no vector of int32 or int64 in memory, or the number exceeds 2^63-1. Exported for
// windrow::models.
WINDROW_EXPORT std::optional<std::int64_t> count_by_last_id(std::span<const TensorView> inputs,
                                                            int ids_input) noexcept;

// The same from ids of which the elements may be known, as the value of the input that is left out.
WINDROW_EXPORT KnownValue count_by_last_id(const SymbolicShape& dims, const KnownValue& ids);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_LEFT_OUT_H_
