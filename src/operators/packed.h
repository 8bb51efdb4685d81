#ifndef WINDROW_OPERATORS_PACKED_H_
#define WINDROW_OPERATORS_PACKED_H_

#include <optional>

#include "src/access/access_map.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Types of less than a byte, for which there are no kernels.
namespace windrow::internal {

// The type of an unpacked element: for int4 it is int8, with the sign extended, so that sums and
// products are correct modulo 16 and the order is kept; for others it is uint8.
DType unpacked_type(DType packed);

// The same operation on bytes, if its rows are whole bytes: one loop walks the last axis alone, no
// index does, and its extent fills whole bytes. Not for reductions.
std::optional<Operation> as_bytes(const Operation& operation);

// Converts a dense packed tensor to one byte per element (unpacked_type), and back to a dense
// packed tensor of the same shape, of which the low bits count. Errors: kOutOfMemory.
Result<Tensor> unpack(const TensorView& packed);
void pack(const TensorView& unpacked, const MutableTensorView& packed);

}  // namespace windrow::internal

#endif  // WINDROW_OPERATORS_PACKED_H_
