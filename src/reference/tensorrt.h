#ifndef WINDROW_REFERENCE_TENSORRT_H_
#define WINDROW_REFERENCE_TENSORRT_H_

#include "src/reference/call.h"
#include "windrow/tensorrt_attributes.h"

// Every TensorRT layer again, element by element, written from docs/operators/tensorrt.md: the slow
// witness. Nothing here is shared with access/, plan/, kernels/ or dialects/.
//
// In all functions `op.version` is the major release and the rules T1 to T4 have been checked. All
// else is checked here; errors carry the same code and constraint label as those of the fast path.
namespace windrow::internal::reference {

Result<Tensor> run(const tensorrt::Gather& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const tensorrt::Scatter& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const tensorrt::OneHot& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const tensorrt::KVCacheUpdate& op, Inputs inputs, const CallOptions& options);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_TENSORRT_H_
