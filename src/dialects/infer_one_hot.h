#ifndef WINDROW_DIALECTS_INFER_ONE_HOT_H_
#define WINDROW_DIALECTS_INFER_ONE_HOT_H_

#include <cstdint>
#include <span>

#include "src/dialects/infer_rules.h"
#include "src/dialects/known_values.h"
#include "src/dialects/one_hot.h"

namespace windrow::internal {

// The result's shape of build_one_hot; an unknown depth is an unknown extent.
Result<SymbolicShape> infer_one_hot(const Rules& rules, std::int64_t axis,
                                    std::span<const SymbolicShape> inputs, KnownValues known,
                                    const OneHotInputs& places);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_INFER_ONE_HOT_H_
