#ifndef WINDROW_DIALECTS_SCATTER_H_
#define WINDROW_DIALECTS_SCATTER_H_

#include <span>

#include "src/access/operation.h"
#include "src/dialects/maps.h"
#include "src/dialects/rules.h"
#include "windrow/options.h"
#include "windrow/tensor.h"

// Scatters of elements and of tuples, as ONNX and OpenVINO have them: inputs data, indices,
// updates.
namespace windrow::internal {

// C1: one rank, at least 1.
Status check_element_ranks(const Rules& rules, std::span<const TensorSpec> inputs);
// C2: updates have the shape of indices; C3: indices are not longer than data off the axis.
Status check_element_shapes(const Rules& rules, std::span<const TensorSpec> inputs, int axis);

// C1: data and indices of rank 1 or more; C2: tuples not longer than the rank of data; C3: the
// shape of updates. `takes_single`: one update may come as a tensor of any rank.
Status check_tuple_shapes(const Rules& rules, std::span<const TensorSpec> inputs,
                          bool takes_single);

// What is not an address: how updates combine, and the rules that indices and duplicates break.
struct ScatterUse {
  Combine combine = Combine::kAssign;
  bool from_data = true;  // a reduction starts with data's cell
  IndexUse indices;
};

// `map` addresses input 0 for the points of input 2. `index_rule`: "C4"; S1 replaces it where
// negative indices are refused.
Operation scatter_operation(const Rules& rules, std::span<const TensorSpec> inputs, AccessMap map,
                            const ScatterUse& use, const CallOptions& options,
                            std::string_view index_rule = "C4");

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_SCATTER_H_
