#ifndef WINDROW_EXPLAIN_EXPLAIN_CODE_H_
#define WINDROW_EXPLAIN_EXPLAIN_CODE_H_

#include <span>

#include "src/access/access_map.h"
#include "windrow/explain.h"

namespace windrow::internal {

// Sets the code, zero point and scale of a point whose cell, if it has one, counts the values of
// `data`. Sets nothing if the memory of data, scales or zero points is not known.
void explain_code(const Dequantise& dequantise, std::span<const TensorView> inputs,
                  const TensorView& data, ExplainedPoint& point);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_EXPLAIN_CODE_H_
