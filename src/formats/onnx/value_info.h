#ifndef WINDROW_FORMATS_ONNX_VALUE_INFO_H_
#define WINDROW_FORMATS_ONNX_VALUE_INFO_H_

#include "src/formats/onnx/schema.h"
#include "windrow/models.h"

namespace windrow::internal {

// What a file declares about a value. Types other than tensors give an unknown type, and ranks
// above kMaxRank an unknown shape.
ValueInfo read_value_info(const pb::ValueInfoProto& proto);

// Whether write_value_info() restores exactly this message from what read_value_info() gives.
bool is_plain(const pb::ValueInfoProto& proto);

void write_value_info(const ValueInfo& value, pb::ValueInfoProto& proto);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_VALUE_INFO_H_
