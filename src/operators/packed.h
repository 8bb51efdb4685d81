#ifndef WINDROW_OPERATORS_PACKED_H_
#define WINDROW_OPERATORS_PACKED_H_

#include <optional>

#include "src/access/operation.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// 4-bit types, two elements to a byte: there are no kernels for half bytes.
namespace windrow::internal {

// The same operation on bytes, if its rows are whole bytes: the last axis is even, a loop walks it
// alone and no index does.
std::optional<Operation> as_bytes(const Operation& operation);

// A dense 4-bit tensor with one element to a byte (uint8), and back into a dense 4-bit tensor of
// the same shape. Errors: kOutOfMemory.
Result<Tensor> unpack(const TensorView& packed);
void pack(const TensorView& unpacked, const MutableTensorView& packed);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PACKED_H_
