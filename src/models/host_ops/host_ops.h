#ifndef WINDROW_MODELS_HOST_OPS_HOST_OPS_H_
#define WINDROW_MODELS_HOST_OPS_HOST_OPS_H_

#include <memory>
#include <string_view>

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

// Nodes that a graph needs around the operators, and that are not operators themselves.

// Whether this is a node of that operator in the dialect's own domain that is not marked
// unsupported.
bool is_standard(const ModelNode& node, std::string_view op_type);
inline bool is_constant(const ModelNode& node) { return is_standard(node, "Constant"); }
inline bool is_identity(const ModelNode& node) { return is_standard(node, "Identity"); }

// The value of a Constant node under an opset of ai.onnx: the attribute's own tensor if it has one.
// Errors: kFormat (not exactly one value), kUnsupported (an attribute that is newer than the
// opset).
Result<std::shared_ptr<const Tensor>> constant_value(const ModelNode& node, int opset);

// Checks that the node has `inputs` inputs and `outputs` outputs, none of them omitted. Errors:
// kFormat.
Status check_arity(const ModelNode& node, std::size_t inputs, std::size_t outputs);

}  // namespace windrow::internal

#endif  // WINDROW_MODELS_HOST_OPS_HOST_OPS_H_
