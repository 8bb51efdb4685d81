#ifndef WINDROW_REFERENCE_TENSORRT_OPERATORS_H_
#define WINDROW_REFERENCE_TENSORRT_OPERATORS_H_

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>

#include "src/reference/call.h"
#include "src/reference/indices.h"
#include "windrow/dtype.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal::reference {

// Rule A3: `mode` is one of `modes`.
Status check_mode(const Call& call, std::string_view mode,
                  std::initializer_list<std::string_view> modes);

// Rule A1: the axis of data, which layers count from the front alone.
Result<int> check_layer_axis(const Call& call, std::int64_t axis);

// What TensorRT itself takes, for `strict`.

// The element types that an input has since a release.
struct ReleaseTypes {
  int since;
  std::span<const DType> types;
};

// Rule S2 for the input `name`: its type is one of the newest of `lists` that the layer's release
// has reached. Oldest list first; the first one is not younger than the release.
Status check_release_type(const Call& call, std::string_view name, const TensorView& input,
                          std::initializer_list<ReleaseTypes> lists);

// Rule S2 for data, by `lists`, and for `indices`, which are int32, or int64 from release 9 on.
Status check_release_types(const Call& call, std::initializer_list<ReleaseTypes> lists,
                           const TensorView& indices);

// The indices of Scatter and OneHot: C4, or S3, as under strict every index is a coordinate,
// whatever the policy.
IndexUse release_index_use(const Call& call);

// Rule S1: no input has, and the result has not, more than 8 axes.
Status check_release_ranks(const Call& call, int result_rank);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_TENSORRT_OPERATORS_H_
