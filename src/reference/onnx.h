#ifndef WINDROW_REFERENCE_ONNX_H_
#define WINDROW_REFERENCE_ONNX_H_

#include "src/reference/call.h"
#include "windrow/onnx_attributes.h"

// Every ONNX operator again, element by element, written from docs/operators/onnx.md: the slow
// witness. Nothing here is shared with access/, plan/, kernels/ or dialects/.
//
// In all functions `op.version` is the operator's own version (13, not opset 17), `inputs` are the
// operator's in its order (an absent optional one is a default view) and their element types have
// been checked against that version. Shapes, attributes, options and indices are checked here;
// errors carry the same code and constraint label as those of the fast path.
namespace windrow::internal::reference {

Result<Tensor> run(const onnx::Gather& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const onnx::GatherElements& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const onnx::GatherND& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const onnx::Scatter& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const onnx::ScatterElements& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const onnx::ScatterND& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const onnx::TensorScatter& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const onnx::OneHot& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const onnx::ArrayFeatureExtractor& op, Inputs inputs,
                   const CallOptions& options);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ONNX_H_
