#include "src/formats/openvino_ir/ir_kept.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <new>
#include <optional>

#include "src/formats/openvino_ir/ir_graph.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/check_inputs.h"
#include "src/models/types.h"
#include "src/models/value_info.h"

namespace windrow::internal {
namespace {

bool is_body(std::string_view name) {
  return std::find(std::begin(kIrBodies), std::end(kIrBodies), name) != std::end(kIrBodies);
}

// Text between elements has no meaning here.
void keep_children(const pugi::xml_node& element, std::initializer_list<std::string_view> said,
                   XmlText& text) {
  for (const pugi::xml_node& child : element.children())
    if (child.type() == pugi::node_element && !is_one_of(child.name(), said)) text.copy(child);
}

// A precision other than the one that is written for its type: "U2".
bool is_other_precision(std::string_view text) {
  return dtype_of_openvino(text) == DType::kAbsent && text != openvino_precision(DType::kAbsent);
}

// Names are kept all or not at all.
void keep_output_port(const pugi::xml_node& port, bool has_names, XmlText& text) {
  text.copy_attributes(port, [](std::string_view name, std::string_view value) {
    return is_one_of(name, {"id", "names"}) || (name == "precision" && !is_other_precision(value));
  });
  if (!has_names) text.attribute("names", std::string_view(port.attribute("names").value()));
}

// Each port is at its position; those after the last port with anything to keep are left out.
template <class Keep>
std::string keep_ports(const char* list, const std::vector<IrPort>& ports, const Keep& keep) {
  return element_text(list, [&](XmlText& text) {
    std::size_t bare = 0;
    for (std::size_t i = 0; i < ports.size(); ++i) {
      const std::string port = element_text("port", [&](XmlText& kept) {
        keep(ports[i].element, i, kept);
        keep_children(ports[i].element, {"dim"}, kept);
      });
      if (port.empty()) {
        ++bare;
        continue;
      }
      for (; bare > 0; --bare) text.append("<port/>");
      text.append(port);
    }
  });
}

std::string keep_data(const pugi::xml_node& data, const IrSaid& said) {
  return element_text("data", [&](XmlText& text) {
    text.copy_attributes(
        data, [&](std::string_view name, std::string_view) { return said.has_data(name); });
    keep_children(data, {}, text);
  });
}

// Keeps the elements of a layer that no member of the model describes.
Status keep_elements(const IrLayer& layer, XmlText& text) {
  std::optional<IrPortMaps> maps;
  for (const pugi::xml_node& child : layer.element.children()) {
    const std::string_view name = child.name();
    if (child.type() != pugi::node_element || is_body(name) ||
        is_one_of(name, {"data", "input", "output"}))
      continue;
    if (!IrPortMaps::is_map(child)) {
      text.copy(child);
      continue;
    }
    if (!maps) maps.emplace(layer);
    if (Status status = maps->write(child, text); !status) return status;
  }
  return {};
}

Status bad_kept() { return argument_error("what was kept of a file is not of OpenVINO IR"); }

Status parse(std::string_view kept, const char* name, pugi::xml_document& document) {
  const pugi::xml_parse_result parsed = document.load_buffer(kept.data(), kept.size());
  if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
  return parsed && document.child(name) ? Status() : bad_kept();
}

}  // namespace

std::string result_name(std::size_t position) { return "Result_" + std::to_string(position); }

Result<std::string> keep_layer(const IrLayer& layer, const IrSaid& said) {
  Status status;
  std::string kept = element_text("layer", [&](XmlText& text) {
    text.copy_attributes(layer.element, [&](std::string_view name, std::string_view value) {
      return is_one_of(name, {"id", "type"}) || (name == "name" && value == said.name) ||
             (name == "version" && said.version && value == *said.version);
    });
    if (!layer.element.attribute("version")) text.attribute("version", std::string_view());
    text.append(keep_data(layer.element.child("data"), said));
    text.append(keep_ports("input", layer.inputs, [](const auto& port, std::size_t, XmlText& to) {
      to.copy_attributes(port, {"id", "precision"});
    }));
    text.append(
        keep_ports("output", layer.outputs, [&](const auto& port, std::size_t i, XmlText& to) {
          keep_output_port(port, said.has_names[i], to);
        }));
    status = keep_elements(layer, text);
  });
  if (!status) return status.with_context(layer_text(layer));
  return kept;
}

IrGraphKeeper::IrGraphKeeper(const pugi::xml_node& graph) {
  const bool is_net = std::string_view(graph.name()) == "net";
  text_.open("graph");
  text_.open("rest");
  text_.copy_attributes(graph, [is_net](std::string_view name, std::string_view value) {
    return name == "name" || (is_net && name == "version" && value == kIrVersion);
  });
  keep_children(graph, {"layers", "edges"}, text_);
  text_.close();
}

Status IrGraphKeeper::add(std::string_view kind, std::string_view of, const IrLayer& layer,
                          const IrSaid& said, const IrBlob* bytes) {
  const Result<std::string> kept = keep_layer(layer, said);
  if (!kept) return kept.error();
  if (kept->empty() && bytes == nullptr) return {};
  text_.open(kind);
  text_.attribute("of", of);
  if (bytes != nullptr) {
    text_.attribute("offset", bytes->offset);
    text_.attribute("size", bytes->bytes);
  }
  text_.append(kept->empty() ? "<layer/>" : *kept);
  text_.close();
  return {};
}

IrBlob IrGraphKeeper::add_bytes(std::string_view bytes) {
  const IrBlob blob{static_cast<std::int64_t>(bytes_.size()),
                    static_cast<std::int64_t>(bytes.size())};
  bytes_ += bytes;
  return blob;
}

std::string IrGraphKeeper::take() {
  text_.close();
  std::string text = text_.text();
  if (!bytes_.empty()) (text += '\0') += bytes_;
  return text;
}

Status parse_kept_layer(const std::string& kept, pugi::xml_document& document) {
  document.reset();
  return kept.empty() ? Status() : parse(kept, "layer", document);
}

Status IrKeptGraph::parse(const std::string& kept) {
  if (kept.empty()) return {};
  const std::size_t end = std::min(kept.find('\0'), kept.size());
  bytes_ = std::string_view(kept).substr(std::min(end + 1, kept.size()));
  Status status = internal::parse(std::string_view(kept).substr(0, end), "graph", document_);
  if (!status) return status;
  for (const pugi::xml_node& place : document_.child("graph").children()) {
    const pugi::xml_node layer = place.child("layer");
    if (layer) layers_[place.name()].emplace(place.attribute("of").value(), layer);
  }
  return {};
}

pugi::xml_node IrKeptGraph::rest() const { return document_.child("graph").child("rest"); }

pugi::xml_node IrKeptGraph::layer(std::string_view kind, std::string_view of) const {
  const auto* const layers = find_in(layers_, kind);
  const pugi::xml_node* const layer = layers == nullptr ? nullptr : find_in(*layers, of);
  return layer == nullptr ? pugi::xml_node() : *layer;
}

Result<std::string_view> IrKeptGraph::bytes(std::string_view name) const {
  const pugi::xml_node place = layer("constant", name).parent();
  const std::optional<std::int64_t> offset = parse_integer(place.attribute("offset").value());
  const std::optional<std::int64_t> size = parse_integer(place.attribute("size").value());
  const auto end = static_cast<std::int64_t>(bytes_.size());
  if (!offset || !size || *offset < 0 || *size < 0 || *offset > end || *size > end - *offset)
    return bad_kept();
  return bytes_.substr(static_cast<std::size_t>(*offset), static_cast<std::size_t>(*size));
}

}  // namespace windrow::internal
