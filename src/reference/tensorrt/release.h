#ifndef WINDROW_REFERENCE_TENSORRT_RELEASE_H_
#define WINDROW_REFERENCE_TENSORRT_RELEASE_H_

#include <initializer_list>
#include <span>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "windrow/dtype.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// What TensorRT itself takes, for `strict`.
namespace windrow::internal::reference {

// The element types that an input has since a release.
struct ReleaseTypes {
  int since;
  std::span<const DType> types;
};

// Rule S2 for one input: its type is one of the newest of `lists` that `release` has reached.
// Oldest list first; the first one is not younger than `release`.
Status check_release_type(const Call& call, int release, std::string_view input, DType dtype,
                          std::initializer_list<ReleaseTypes> lists);

// Rule S2 for data, by `lists`, and for indices, which are int32, or int64 from release 9 on.
Status check_release_types(const Call& call, int release, std::initializer_list<ReleaseTypes> lists,
                           const TensorView& data, const TensorView& indices);

// The indices of Scatter and OneHot: C4, or S3, as under strict every index is a coordinate,
// whatever the policy.
IndexUse release_index_use(const Call& call);

// Rule S1: no input has, and the result has not, more than 8 axes.
Status check_release_ranks(const Call& call, std::span<const TensorView> inputs, int result_rank);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_TENSORRT_RELEASE_H_
