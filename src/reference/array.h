#ifndef WINDROW_REFERENCE_ARRAY_H_
#define WINDROW_REFERENCE_ARRAY_H_

#include "src/reference/call.h"
#include "windrow/array_attributes.h"

// Every operator of the array dialect again, element by element, written from
// docs/operators/array.md: the slow witness. Nothing here is shared with access/, plan/, kernels/
// or dialects/.
//
// In all functions `inputs` are the operator's in its order and their element types have been
// checked. All else is checked here; errors carry the same code and constraint label as those of
// the fast path.
namespace windrow::internal::reference {

Result<Tensor> run(const array::Take& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const array::TakeAlongAxis& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const array::PutAlongAxis& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const array::IndexAdd& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const array::IndexReduce& op, Inputs inputs, const CallOptions& options);
Result<Tensor> run(const array::SegmentReduce& op, Inputs inputs, const CallOptions& options);

}  // namespace windrow::internal::reference

#endif  // WINDROW_REFERENCE_ARRAY_H_
