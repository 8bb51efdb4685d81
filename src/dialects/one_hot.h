#ifndef WINDROW_DIALECTS_ONE_HOT_H_
#define WINDROW_DIALECTS_ONE_HOT_H_

#include <cstdint>
#include <span>

#include "src/access/operation.h"
#include "src/dialects/maps.h"
#include "src/dialects/shape_rules.h"
#include "windrow/tensor.h"

// OneHot of ONNX and TensorRT: where the three inputs stand, and what differs in the rules.
namespace windrow::internal {

struct OneHotInputs {
  std::size_t indices = 0;
  std::size_t depth = 1;
  std::size_t values = 2;
  bool depth_may_have_an_axis = false;  // of one element
};

// C1: values have shape [2]; A1: axis in [-q-1, q]; C2: the rank of the result; C3: depth has one
// element, whose value is known and not negative.
Result<SymbolicShape> check_one_hot(const Rules& rules, std::int64_t axis,
                                    const KnownInputs& inputs, const OneHotInputs& places);

Operation build_one_hot(const Rules& rules, std::int64_t axis, std::span<const TensorSpec> inputs,
                        const OneHotInputs& places, const IndexUse& use);

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_ONE_HOT_H_
