#ifndef WINDROW_EXPLAIN_TRANSLATE_CALL_H_
#define WINDROW_EXPLAIN_TRANSLATE_CALL_H_

#include <span>
#include <string>

#include "src/access/access_map.h"
#include "windrow/explain.h"

namespace windrow::internal {

// Python statements in one line that compute `output` with NumPy (np) from arrays with the inputs'
// names, for a call that succeeds. Empty for operations that NumPy's indexing cannot express:
// indices of other types than integers, sums with indices that may be out of range, means, and
// folds of types that NumPy lacks. `axes` are those of the explanation of `operation`.
std::string numpy_line(const Operation& operation, std::span<const TensorView> inputs,
                       std::span<const ExplainedAxis> axes);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_TRANSLATE_CALL_H_
