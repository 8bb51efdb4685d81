#ifndef WINDROW_DIALECTS_INFER_SCATTER_H_
#define WINDROW_DIALECTS_INFER_SCATTER_H_

#include <cstdint>
#include <optional>
#include <span>

#include "src/dialects/infer_rules.h"

// Shape inference of scatters of elements and of tuples: inputs data, indices, updates. The rules
// are those of src/dialects/scatter.h; only a definite break is an error.
namespace windrow::internal {

// C1.
Status check_element_ranks(const Rules& rules, std::span<const SymbolicShape> inputs);
// C2, C3; without an axis C2 alone.
Status check_element_dims(const Rules& rules, std::span<const SymbolicShape> inputs,
                          std::optional<std::int64_t> axis);
// C1, C2, C3.
Status check_tuple_dims(const Rules& rules, std::span<const SymbolicShape> inputs,
                        bool takes_single);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_INFER_SCATTER_H_
