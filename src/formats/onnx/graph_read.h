#ifndef WINDROW_FORMATS_ONNX_GRAPH_READ_H_
#define WINDROW_FORMATS_ONNX_GRAPH_READ_H_

#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include "src/formats/onnx/external_data.h"
#include "src/formats/onnx/graph_write.h"
#include "windrow/models.h"

namespace windrow::internal {

// "ai.onnx" and "" are two spellings of one domain.
std::string plain_domain(const std::string& domain);

// Reads the graphs of one model: the main one, bodies, and the nodes of functions. What a Graph or
// a ModelNode has no place for stays in the message, which becomes its `kept`: so every read
// function takes out of its message what it reads. Errors: kFormat, kShape, kOutOfMemory, kIo.
class GraphReader {
 public:
  using FunctionNames = std::set<std::pair<std::string, std::string>>;  // domain, name

  GraphReader(ExternalData external, FunctionNames functions)
      : external_(std::move(external)), functions_(std::move(functions)) {}

  Status read(pb::GraphProto& proto, Graph& graph);
  Status read_function(pb::FunctionProto& proto, ModelFunction& function);

 private:
  template <class Proto>
  Status read_nodes(Proto& proto, Graph& graph);
  Status read_node(pb::NodeProto& proto, std::size_t position, ModelNode& node);
  Status read_attributes(pb::NodeProto& proto, ModelNode& node);
  Status read_attribute_of(pb::AttributeProto& proto, ModelNode& node, bool& kept);
  Status read_bodies(pb::AttributeProto& proto, ModelNode& node);
  Status read_initializers(pb::GraphProto& proto, Graph& graph);
  Status keep_initializer(pb::TensorProto& proto, const std::string& why, Graph& graph);

  ExternalData external_;
  FunctionNames functions_;
  bool in_function_ = false;
};

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ONNX_GRAPH_READ_H_
