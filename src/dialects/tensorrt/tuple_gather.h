#ifndef WINDROW_DIALECTS_TENSORRT_TUPLE_GATHER_H_
#define WINDROW_DIALECTS_TENSORRT_TUPLE_GATHER_H_

#include "src/dialects/tuple_gather.h"
#include "windrow/tensorrt_attributes.h"

namespace windrow::internal {

// Mode ND.
inline TupleGather tuple_gather(const tensorrt::Gather& op) {
  return {op.num_elementwise_dims, "A4", "num_elementwise_dims", false, 1};
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_TENSORRT_TUPLE_GATHER_H_
