#ifndef WINDROW_FORMATS_ONNX_SCHEMA_H_
#define WINDROW_FORMATS_ONNX_SCHEMA_H_

#include <onnx/onnx_pb.h>

namespace windrow::internal {

// ONNX's protobuf messages; windrow::onnx is another namespace.
namespace pb = ::onnx;

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_SCHEMA_H_
