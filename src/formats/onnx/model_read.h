#ifndef WINDROW_FORMATS_ONNX_MODEL_READ_H_
#define WINDROW_FORMATS_ONNX_MODEL_READ_H_

#include "src/formats/onnx/external_data.h"
#include "src/formats/onnx/graph_write.h"
#include "windrow/models.h"

namespace windrow::internal {

// Makes the model of a parsed file. Tensors are moved out of `proto` one by one, so that they need
// not fit into memory twice. Errors: kFormat, kUnsupported, kShape, kOutOfMemory, kIo.
Result<Model> read_model(pb::ModelProto& proto, ExternalData external);

// Errors: those of write_graph().
Result<pb::ModelProto> make_model_proto(const Model& model, ConstantWriter& constants);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_MODEL_READ_H_
