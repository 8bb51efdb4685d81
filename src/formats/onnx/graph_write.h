#ifndef WINDROW_FORMATS_ONNX_GRAPH_WRITE_H_
#define WINDROW_FORMATS_ONNX_GRAPH_WRITE_H_

#include "src/formats/onnx/constant_writer.h"
#include "src/formats/onnx/schema.h"
#include "windrow/models.h"

namespace windrow::internal {

// Write what a Graph says and what it has kept of its file. Errors: kUnsupported (a type that ONNX
// lacks), kInvalidArgument (`kept` is of another format), and those of ConstantWriter.
Status write_graph(const Graph& graph, ConstantWriter& constants, pb::GraphProto& proto);
Status write_function(const ModelFunction& function, ConstantWriter& constants,
                      pb::FunctionProto& proto);

// Fills a message with what was kept of it.
Status parse_kept(const std::string& kept, google::protobuf::MessageLite& message);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_GRAPH_WRITE_H_
