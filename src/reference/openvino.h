#ifndef WINDROW_REFERENCE_OPENVINO_H_
#define WINDROW_REFERENCE_OPENVINO_H_

#include <span>

#include "windrow/openvino_attributes.h"
#include "windrow/options.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Every OpenVINO operator again, element by element, written from docs/operators/openvino.md: the
// slow witness. Nothing here is shared with access/, plan/, kernels/ or dialects/.
//
// In all functions `op.version` is the operator's own version, `inputs` are the operator's in its
// order and their element types have been checked against that version. All else is checked here
// (the axis input by its value); errors carry the same code and constraint label as those of the
// fast path.
namespace windrow::internal::reference {

Result<Tensor> run(const openvino::Gather& op, std::span<const TensorView> inputs,
                   const CallOptions& options);
Result<Tensor> run(const openvino::GatherElements& op, std::span<const TensorView> inputs,
                   const CallOptions& options);
Result<Tensor> run(const openvino::GatherND& op, std::span<const TensorView> inputs,
                   const CallOptions& options);
Result<Tensor> run(const openvino::ScatterUpdate& op, std::span<const TensorView> inputs,
                   const CallOptions& options);
Result<Tensor> run(const openvino::ScatterElementsUpdate& op, std::span<const TensorView> inputs,
                   const CallOptions& options);
Result<Tensor> run(const openvino::ScatterNDUpdate& op, std::span<const TensorView> inputs,
                   const CallOptions& options);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_OPENVINO_H_
