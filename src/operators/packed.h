#ifndef WINDROW_OPERATORS_PACKED_H_
#define WINDROW_OPERATORS_PACKED_H_

#include <optional>

#include "src/access/operation.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Types of less than a byte: there are no kernels for half bytes and bits.
namespace windrow::internal {

// What an unpacked element is: int8 for int4, with the sign extended, so that sums and products are
// right modulo 16 and the order is kept; else uint8.
DType unpacked_type(DType packed);

// The same operation on bytes, if its rows are whole bytes: a loop walks the last axis alone, no
// index does, and its extent fills whole bytes. Not for reductions.
std::optional<Operation> as_bytes(const Operation& operation);

// A dense packed tensor with one element to a byte (unpacked_type), and back into a dense packed
// tensor of the same shape: the low bits count. Errors: kOutOfMemory.
Result<Tensor> unpack(const TensorView& packed);
void pack(const TensorView& unpacked, const MutableTensorView& packed);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PACKED_H_
