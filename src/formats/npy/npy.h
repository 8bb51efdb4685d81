#ifndef WINDROW_FORMATS_NPY_NPY_H_
#define WINDROW_FORMATS_NPY_NPY_H_

#include "src/formats/byte_sink.h"
#include "src/formats/byte_source.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Reads a .npy file of format version 1 to 3. Fortran order becomes row-major order. Allocates no
// more than a small multiple of the source's size. `expected`: see parse_npy_type. Errors: kFormat,
// kUnsupported, kShape, kOutOfMemory, kIo.
Result<Tensor> read_npy(const ByteSource& source, DType expected);

// Writes header and elements. Errors: kUnsupported (a string that .npy can't hold), kOutOfMemory,
// kIo.
Status write_npy(const TensorView& tensor, ByteSink& file);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_NPY_NPY_H_
