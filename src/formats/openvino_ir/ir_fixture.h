#ifndef WINDROW_FORMATS_OPENVINO_IR_IR_FIXTURE_H_
#define WINDROW_FORMATS_OPENVINO_IR_IR_FIXTURE_H_

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "src/formats/byte_source.h"
#include "src/formats/openvino_ir/ir_files.h"
#include "src/formats/test_support.h"
#include "windrow/models.h"

// OpenVINO IR made by hand, for tests.
namespace windrow::internal {

inline std::string ports(const char* list, const std::vector<std::string>& found) {
  if (found.empty()) return {};
  std::string text = std::string("<") + list + ">";
  for (const std::string& port : found) text += port;
  return text + "</" + list + ">";
}

// ` name="value"`.
inline std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + value + "\"";
}

inline std::string attribute(const std::string& name, int value) {
  return attribute(name, std::to_string(value));
}

inline std::string input_port(int id) { return "<port" + attribute("id", id) + "/>"; }

// `more` are attributes or dimensions: R"(names="y"><dim>2</dim)".
inline std::string output_port(int id, const std::string& precision = "FP32",
                               const std::string& more = "") {
  return "<port" + attribute("id", id) + attribute("precision", precision) + " " + more +
         "></port>";
}

inline std::string layer(int id, const std::string& name, const std::string& type,
                         const std::string& content, const std::string& version = "opset1") {
  return "<layer" + attribute("id", id) + attribute("name", name) + attribute("type", type) +
         attribute("version", version) + ">" + content + "</layer>";
}

inline std::string parameter(int id, const std::string& name, const std::string& shape,
                             const std::string& type = "f32") {
  return layer(id, name, "Parameter",
               "<data" + attribute("shape", shape) + attribute("element_type", type) + "/>" +
                   ports("output", {output_port(0)}));
}

inline std::string constant(int id, const std::string& name, const std::string& type,
                            const std::string& shape, int offset, int size) {
  return layer(id, name, "Const",
               "<data" + attribute("element_type", type) + attribute("shape", shape) +
                   attribute("offset", offset) + attribute("size", size) + "/>" +
                   ports("output", {output_port(0)}));
}

// One input and one output.
inline std::string unary(int id, const std::string& name, const std::string& type,
                         const std::string& data = "", const std::string& version = "opset1") {
  return layer(id, name, type,
               data + ports("input", {input_port(0)}) + ports("output", {output_port(1)}), version);
}

inline std::string result(int id) {
  return layer(id, "result" + std::to_string(id), "Result", ports("input", {input_port(0)}));
}

inline std::string edge(int from, int from_port, int to, int to_port) {
  return "<edge" + attribute("from-layer", from) + attribute("from-port", from_port) +
         attribute("to-layer", to) + attribute("to-port", to_port) + "/>";
}

// A graph inside of a layer.
inline std::string body(const std::string& name, const std::string& layers,
                        const std::string& edges) {
  return "<" + name + "><layers>" + layers + "</layers><edges>" + edges + "</edges></" + name + ">";
}

// An entry of a port map: `kind` is "input" or "output".
inline std::string map_entry(const std::string& kind, int port, int layer_id,
                             const std::string& more = "") {
  return "<" + kind + attribute("external_port_id", port) +
         attribute("internal_layer_id", layer_id) + " " + more + "/>";
}

inline std::string net(const std::string& layers, const std::string& edges,
                       const std::string& version = "11") {
  return "<?xml version='1.0'?><net" + attribute("name", "m") + attribute("version", version) +
         "><layers>" + layers + "</layers><edges>" + edges + "</edges></net>";
}

inline Result<Model> read_ir_text(const std::string& xml, std::string_view bin = {}) {
  const MemorySource source(bin);
  return parse_ir(xml, &source, Status());
}

// Comparing models, for tests.

// Whether what a file says beyond the members is compared, too.
enum class Kept { kCompared, kLeftOut };

inline bool same_values(const std::vector<ValueInfo>& a, const std::vector<ValueInfo>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const ValueInfo& x, const ValueInfo& y) {
                      return x.name == y.name && x.dtype == y.dtype && x.dims == y.dims;
                    });
}

inline bool same_graph(const Graph& a, const Graph& b, Kept kept);

inline bool same_node(const ModelNode& a, const ModelNode& b, Kept kept) {
  bool same = a.name == b.name && a.op_type == b.op_type && a.inputs == b.inputs &&
              a.outputs == b.outputs && a.version == b.version && a.attributes == b.attributes &&
              a.unsupported == b.unsupported && a.bodies.size() == b.bodies.size() &&
              (kept == Kept::kLeftOut || a.kept == b.kept);
  for (std::size_t i = 0; same && i < a.bodies.size(); ++i)
    same = a.bodies[i].attribute == b.bodies[i].attribute &&
           same_graph(*a.bodies[i].graph, *b.bodies[i].graph, kept);
  return same;
}

inline bool same_graph(const Graph& a, const Graph& b, Kept kept) {
  const auto same_constant = [](const auto& x, const auto& y) {
    return x.first == y.first && same_bits(elements(x.second), elements(y.second));
  };
  const auto same_nodes = [kept](const ModelNode& x, const ModelNode& y) {
    return same_node(x, y, kept);
  };
  return same_values(a.inputs, b.inputs) && same_values(a.outputs, b.outputs) &&
         same_values(a.values, b.values) && a.opaque_constants == b.opaque_constants &&
         (kept == Kept::kLeftOut || (a.name == b.name && a.kept == b.kept)) &&
         std::equal(a.constants.begin(), a.constants.end(), b.constants.begin(), b.constants.end(),
                    same_constant) &&
         std::equal(a.nodes.begin(), a.nodes.end(), b.nodes.begin(), b.nodes.end(), same_nodes);
}

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_OPENVINO_IR_IR_FIXTURE_H_
