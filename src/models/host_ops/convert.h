#ifndef WINDROW_MODELS_HOST_OPS_CONVERT_H_
#define WINDROW_MODELS_HOST_OPS_CONVERT_H_

#include "windrow/models.h"

// OpenVINO's Convert (destination_type "i32") and TensorRT's Cast (to_type "int32"): the elements
// of a tensor in another type.
namespace windrow::internal {

bool is_convert(const Model& model, const ModelNode& node);

// The type that such a node gives. Errors: kFormat (the attribute is missing, or names no type),
// kUnsupported (one that can't be converted to). Precondition: is_convert.
Result<DType> convert_type(const ModelNode& node);

// The elements of `from` as `type`; docs/formats/openvino_ir.md says what becomes of each. Errors:
// kUnsupported for a type that cannot be converted from or to, kOutOfMemory.
Result<Tensor> convert(const TensorView& from, DType type);
// The same into a dense tensor of the shape of `from`. The two must not overlap.
Status convert_into(const TensorView& from, const MutableTensorView& to);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_HOST_OPS_CONVERT_H_
