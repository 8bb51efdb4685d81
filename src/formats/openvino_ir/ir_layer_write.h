#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_LAYER_WRITE_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_LAYER_WRITE_H_

#include <cstdint>
#include <pugixml.hpp>
#include <string>
#include <utility>
#include <vector>

#include "src/formats/openvino_ir/ir_names.h"
#include "src/formats/openvino_ir/xml_text.h"
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

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_LAYER_WRITE_H_
