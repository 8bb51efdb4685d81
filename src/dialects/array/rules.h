#ifndef WINDROW_DIALECTS_ARRAY_RULES_H_
#define WINDROW_DIALECTS_ARRAY_RULES_H_

#include <array>
#include <cstdint>
#include <span>

#include "src/access/access_map.h"
#include "src/dialects/array/schema.h"
#include "src/dialects/maps.h"
#include "src/dialects/operator.h"
#include "src/dialects/rules.h"
#include "src/dialects/scatter.h"
#include "windrow/array_attributes.h"
#include "windrow/options.h"
#include "windrow/tensor.h"

// check() and build() of every operator, as src/dialects/operator.h describes them. The rules stand
// in docs/operators/array.md.
namespace windrow::internal {

WINDROW_DECLARE_OPERATOR(array::Take);
WINDROW_DECLARE_OPERATOR(array::TakeAlongAxis);
WINDROW_DECLARE_OPERATOR(array::PutAlongAxis);
WINDROW_DECLARE_OPERATOR(array::IndexAdd);
WINDROW_DECLARE_OPERATOR(array::IndexReduce);
WINDROW_DECLARE_OPERATOR(array::SegmentReduce);

// Under clamp a negative index is below the first element, as in NumPy's mode "clip"; under the
// other policies it counts from the end.
inline IndexUse array_indices(OutOfRange policy) {
  return {policy, policy == OutOfRange::kClamp ? Negatives::kOutside : Negatives::kCountFromEnd};
}

inline constexpr std::array<NamedCombine, 5> kArrayReductions = {{
    {"sum", Combine::kAdd},
    {"prod", Combine::kMul},
    {"min", Combine::kMin},
    {"max", Combine::kMax},
    {"mean", Combine::kMean},
}};

inline bool array_has_meaning(Combine combine, DType dtype) {
  if (combine == Combine::kAdd || combine == Combine::kMul) return true;
  if (dtype == DType::kBool) return combine != Combine::kMean;
  return dtype_kind(dtype) != DTypeKind::kComplex;
}

// TakeAlongAxis and PutAlongAxis: C1: data and indices have one rank, at least 1; A1; C2: off the
// axis their extents broadcast. Returns the shape of what is addressed.
Result<SymbolicShape> check_along_axis(const Rules& rules, std::int64_t axis,
                                       const KnownInput& data, const KnownInput& indices);

// IndexAdd and IndexReduce from C1 on: C1: data of rank 1 or more; A1; C2: indices of rank 1; C3:
// the shape of updates.
Result<SymbolicShape> check_index_rows(const Rules& rules, std::int64_t axis,
                                       const KnownInputs& inputs);

Operation build_index_rows(const Rules& rules, std::int64_t axis,
                           std::span<const TensorSpec> inputs, const ScatterUse& use,
                           const CallOptions& options);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ARRAY_RULES_H_
