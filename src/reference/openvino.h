#ifndef WINDROW_REFERENCE_OPENVINO_H_
#define WINDROW_REFERENCE_OPENVINO_H_

#include "src/reference/call.h"
#include "windrow/openvino_attributes.h"

// Every OpenVINO operator again, element by element, written from docs/operators/openvino.md: the
// slow witness. Nothing here is shared with access/, plan/, kernels/ or dialects/.
//
// In all functions `op.version` is the operator's own version, `inputs` are the operator's in its
// order and their element types have been checked against that version. All else is checked here
// (the axis input by its value); errors carry the same code and constraint label as those of the
// fast path.
namespace windrow::internal::reference {

Result<Tensor> run(const openvino::Gather& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const openvino::GatherElements& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const openvino::GatherND& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const openvino::ScatterUpdate& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const openvino::ScatterElementsUpdate& op, Inputs inputs,
                   const CallOptions& options);
Result<Tensor> run(const openvino::ScatterNDUpdate& op, Inputs inputs, const CallOptions& options);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_OPENVINO_H_
