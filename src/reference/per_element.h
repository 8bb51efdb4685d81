#ifndef WINDROW_REFERENCE_PER_ELEMENT_H_
#define WINDROW_REFERENCE_PER_ELEMENT_H_

#include <string_view>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "src/reference/loops.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// One index for every element along an axis: GatherElements and its scatters.
namespace windrow::internal::reference {

// C1 of the gathers.
Status check_gather_ranks(const Call& call);

// C1 of the scatters.
Status check_equal_ranks(const Call& call);

// No extent of indices off the axis is larger than that of data.
Status check_window(const Call& call, std::string_view rule, int axis);

// C2 and C3 of the scatters.
Status check_element_shapes(const Call& call, int axis);

// These two check the size of the result and the indices; all else has been checked.
Result<Tensor> gather_elements(const Call& call, const IndexUse& use, int axis);
Result<Tensor> scatter_elements(const Call& call, const IndexUse& use, int axis, const Fold& fold);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_PER_ELEMENT_H_
