#ifndef WINDROW_DIALECTS_OPENVINO_TUPLE_GATHER_H_
#define WINDROW_DIALECTS_OPENVINO_TUPLE_GATHER_H_

#include "src/dialects/tuple_gather.h"
#include "windrow/openvino_attributes.h"

namespace windrow::internal {

// GatherND-8 broadcasts its batch axes; tuples may be empty.
inline TupleGather tuple_gather(const openvino::GatherND& op) {
  return {op.batch_dims, "A4", "batch_dims", op.version >= 8, 0};
}

}  // namespace windrow::internal

#endif  // WINDROW_DIALECTS_OPENVINO_TUPLE_GATHER_H_
