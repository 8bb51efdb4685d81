#ifndef WINDROW_FORMATS_ONNX_GRAPH_WRITE_H_
#define WINDROW_FORMATS_ONNX_GRAPH_WRITE_H_

#include <string>
#include <utility>

#include "src/formats/aside_file.h"
#include "src/formats/onnx/messages.h"
#include "windrow/constant.h"
#include "windrow/models.h"

namespace windrow::internal {

// Writes initializers into a model's message, or their elements into a file beside it.
class ConstantWriter {
 public:
  // All elements go into the message.
  ConstantWriter() = default;
  // Elements of at least 1 KiB go into `data`, whose name in the model's folder is `location`.
  ConstantWriter(AsideFile& data, std::string location)
      : data_(&data), location_(std::move(location)) {}

  // Errors: kUnsupported (a type that ONNX does not have), kIo, kOutOfMemory, and those of
  // Constant::tensor().
  Status write(const std::string& name, const Constant& constant, pb::TensorProto& proto);

 private:
  Status write_external(const Tensor& tensor, pb::TensorProto& header);

  AsideFile* data_ = nullptr;
  std::string location_;
};

// Write what a Graph says and what it has kept of its file. Errors: kUnsupported (a type that ONNX
// lacks), kInvalidArgument (`kept` is of another format), and those of ConstantWriter.
Status write_graph(const Graph& graph, ConstantWriter& constants, pb::GraphProto& proto);
Status write_function(const ModelFunction& function, ConstantWriter& constants,
                      pb::FunctionProto& proto);

// Fills a message with what was kept of it.
Status parse_kept(const std::string& kept, pb::Message& message);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_GRAPH_WRITE_H_
