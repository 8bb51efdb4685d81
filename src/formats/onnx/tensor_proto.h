#ifndef WINDROW_FORMATS_ONNX_TENSOR_PROTO_H_
#define WINDROW_FORMATS_ONNX_TENSOR_PROTO_H_

#include <string>

#include "src/formats/onnx/external_data.h"
#include "src/formats/onnx/schema.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// A constant from any of its storage forms: raw_data, the typed fields, external data. Nothing is
// allocated before it is known that the elements are there; those of external data may be shared
// with other constants, and stay in their file until they are asked for. Errors (they begin with
// "tensor 'name': "): kFormat, kShape (rank), kUnsupported (types, segments), kOutOfMemory, and
// those of ExternalData::find.
Result<Constant> read_constant(const pb::TensorProto& proto, ExternalData& external);

// The same in memory.
Result<Tensor> read_tensor(const pb::TensorProto& proto, ExternalData& external);

// Everything but the elements.
pb::TensorProto make_tensor_header(const TensorView& tensor, const std::string& name);

// With raw_data, or string_data for strings. Errors: kOutOfMemory.
Result<pb::TensorProto> make_tensor_proto(const TensorView& tensor, const std::string& name);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_TENSOR_PROTO_H_
