#ifndef WINDROW_FORMATS_ONNX_ATTRIBUTE_H_
#define WINDROW_FORMATS_ONNX_ATTRIBUTE_H_

#include "src/formats/onnx/external_data.h"
#include "src/formats/onnx/schema.h"
#include "windrow/attributes.h"
#include "windrow/status.h"

namespace windrow::internal {

// Errors: kUnsupported (graphs, sparse tensors, types, lists of tensors), kFormat and what
// read_tensor gives.
Result<AttributeValue> read_attribute(const pb::AttributeProto& proto, ExternalData& external);

// Writes everything but the name. Errors: kUnsupported (a tensor of a type that ONNX lacks),
// kOutOfMemory.
Status write_attribute(const AttributeValue& value, pb::AttributeProto& proto);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_ATTRIBUTE_H_
