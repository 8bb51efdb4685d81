#ifndef WINDROW_REFERENCE_QUANTISED_H_
#define WINDROW_REFERENCE_QUANTISED_H_

#include <cstdint>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

// GatherBlockQuantized and TakeQuantized: what a call asks for, and which rules its shapes break.
struct QuantisedCall {
  std::int64_t axis = 0;
  std::int64_t quantize_axis = 0;
  std::int64_t block_size = 0;
  std::int64_t bits = 0;
  std::string_view axis_name;
  bool is_onnx = false;  // ONNX Runtime's operator, which takes fewer ranks, axes, bits and blocks
  std::string_view scales_rule;
  std::string_view zero_points_rule;
  DType dtype = DType::kFloat32;  // of the result
};

// All rules but T1 to T3, and the result.
Result<Tensor> take_quantised(const Call& call, const IndexUse& use, const QuantisedCall& asked);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_QUANTISED_H_
