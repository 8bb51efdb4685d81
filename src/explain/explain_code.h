#ifndef WINDROW_EXPLAIN_EXPLAIN_CODE_H_
#define WINDROW_EXPLAIN_EXPLAIN_CODE_H_

#include <cstdint>
#include <span>

#include "src/access/access_map.h"
#include "windrow/explain.h"

namespace windrow::internal {

// Sets the code, zero point and scale of a point whose cell, if it has one, counts the values of
// `data`. Sets nothing if the memory of data, scales or zero points is not known.
void explain_code(const Dequantise& dequantise, std::span<const TensorView> inputs,
                  const TensorView& data, ExplainedPoint& point);

// `data` with its values counted one by one, of which a byte has several; their texts as of
// ExplainedTensor::values. An absent tensor if no byte of `data` has several.
ExplainedTensor count_values(const Dequantise& dequantise, const TensorView& data,
                             const ExplainedTensor& explained, std::int64_t most_values);

}  // namespace windrow::internal

#endif  // WINDROW_EXPLAIN_EXPLAIN_CODE_H_
