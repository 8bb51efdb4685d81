#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_WRITE_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_WRITE_H_

#include <cstdint>
#include <map>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/openvino_ir/ir_constants.h"
#include "src/formats/openvino_ir/ir_document.h"
#include "src/formats/openvino_ir/ir_graph.h"
#include "src/formats/openvino_ir/ir_graph_read.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "windrow/models.h"

namespace windrow::internal {

// An output port that is written: where edges begin, and what it says of its value.
struct IrWrittenPort {
  std::int64_t layer = 0;
  std::int64_t port = 0;
  std::string precision;
  std::vector<std::int64_t> dims;
};

// Writes one layer, part by part in the order of the functions, from what the members of a model
// say and from what was kept of a file. Where both say something the members hold.
class IrLayerWriter {
 public:
  // `kept` is the <layer> of IrKeptGraph or of ModelNode::kept; null: nothing was kept.
  IrLayerWriter(const pugi::xml_node& kept, XmlText& text) : kept_(kept), text_(text) {}

  // An attribute of the layer that was kept, else `otherwise`.
  std::string kept_or(const char* attribute, const std::string& otherwise) const;
  // Whether an attribute of <data> was kept.
  bool has_kept_data(const char* name) const;

  void open(std::int64_t id, const std::string& name, const std::string& type,
            const std::string& version);
  // Attributes by name.
  void write_data(const std::vector<std::pair<std::string, std::string>>& attributes);
  void write_inputs(const std::vector<const IrWrittenPort*>& sources);
  // The values of all outputs; one without a name is one that nobody reads. Errors: kUnsupported (a
  // type or a name that OpenVINO IR does not have).
  Result<std::vector<IrWrittenPort>> write_outputs(const std::vector<ValueInfo>& values,
                                                   const IrAliases& aliases);
  // The elements that were kept, but port maps, which are for the caller.
  void write_kept_elements();
  void close() { text_.close(); }

 private:
  // `port` says what the value is, not where its own port stands.
  void write_port(std::int64_t id, const IrWrittenPort& port, const std::string& names,
                  const pugi::xml_node& kept);
  Result<std::string> names_text(const std::string& value, const IrAliases& aliases,
                                 std::size_t position, const pugi::xml_node& kept) const;

  pugi::xml_node kept_;
  XmlText& text_;
  std::int64_t id_ = 0;
  std::string name_;
  std::size_t input_count_ = 0;
};

// What the graphs of one file share.
struct IrWriting {
  IrBin& bin;
  IrOperators operators;
};

// What is known about the values of a graph besides the graph itself.
struct IrKnownValues {
  IrAliases aliases;
  std::map<std::string, ValueInfo, std::less<>> types;  // of values that the graph does not declare
};

// Writes a graph as the element `name`: <net>, or a body that stands inside of `depth` layers.
// Errors: kUnsupported, kIo, kInvalidArgument (what was kept of a file is not as the reader makes
// it).
Result<IrBodyIds> write_ir_graph(const Graph& graph, const IrKnownValues& known, IrWriting& writing,
                                 std::string_view name, int depth, XmlText& text);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_GRAPH_WRITE_H_
