#ifndef WINDROW_FORMATS_ONNX_TENSOR_PROTO_H_
#define WINDROW_FORMATS_ONNX_TENSOR_PROTO_H_

#include <string>
#include <utility>
#include <vector>

#include "src/formats/onnx/external_data.h"
#include "src/formats/onnx/graph_write.h"
#include "windrow/attributes.h"
#include "windrow/models.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

namespace windrow::internal {

// Errors: kUnsupported (graphs, sparse tensors, types, lists of tensors), kFormat and what
// read_tensor gives.
Result<AttributeValue> read_attribute(const pb::AttributeProto& proto, ExternalData& external);

// Writes everything but the name. Errors: kUnsupported (a tensor of a type that ONNX lacks),
// kOutOfMemory.
Status write_attribute(const AttributeValue& value, pb::AttributeProto& proto);

// What a file declares about a value. Types other than tensors give an unknown type, and ranks
// above kMaxRank an unknown shape.
ValueInfo read_value_info(const pb::ValueInfoProto& proto);

// Whether write_value_info() restores exactly this message from what read_value_info() gives.
bool is_plain(const pb::ValueInfoProto& proto);

void write_value_info(const ValueInfo& value, pb::ValueInfoProto& proto);

// Reads a constant from any of its storage forms: raw_data, the typed fields, external data.
// Nothing is allocated before it is known that the elements are there. Elements in external data
// may be shared with other constants, and stay in their file until they are asked for. Errors (they
// begin with "tensor 'name': "): kFormat, kShape (rank), kUnsupported (types, segments),
// kOutOfMemory, and those of ExternalData::find.
Result<Constant> read_constant(const pb::TensorProto& proto, ExternalData& external);

// The same, with the elements in memory.
Result<Tensor> read_tensor(const pb::TensorProto& proto, ExternalData& external);

// Where the elements of a constant of that name are; the path is empty if they are in the model's
// own file. They must be in external data, or be elements that were left out when the file was
// parsed. Errors: those of read_constant() but kOutOfMemory, kUnsupported (strings, other storage
// forms).
Result<TensorPlace> place_constant(const pb::TensorProto& proto, const std::string& name,
                                   const ExternalData& external);

// Makes `proto` a tensor without its elements. Errors: kUnsupported (a type that ONNX does not
// have).
Status write_tensor_header(DType type, const Shape& shape, const std::string& name,
                           pb::TensorProto& proto);

// Makes `proto` a tensor, with raw_data, or string_data for strings. Errors: kOutOfMemory, and as
// above.
Status write_tensor_proto(const TensorView& tensor, const std::string& name,
                          pb::TensorProto& proto);

// Records where the elements are outside the message, by the keys "location" and the like.
void set_external(const std::vector<std::pair<std::string, std::string>>& entries,
                  pb::TensorProto& proto);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_TENSOR_PROTO_H_
