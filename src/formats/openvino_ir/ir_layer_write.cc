#include "src/formats/openvino_ir/ir_layer_write.h"

#include <cstddef>
#include <set>

#include "src/formats/openvino_ir/ir_port_maps.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/openvino_types.h"
#include "src/models/text.h"

namespace windrow::internal {
namespace {

std::string precision_of(const ValueInfo& value, const pugi::xml_node& kept) {
  const pugi::xml_attribute other = kept.attribute("precision");
  if (value.dtype == DType::kAbsent && other) return other.value();
  return std::string(openvino_precision(value.dtype));
}

std::vector<std::int64_t> dims_of(const ValueInfo& value) {
  std::vector<std::int64_t> dims;
  if (!value.dims) return dims;
  for (const Dim& dim : *value.dims) dims.push_back(dim.value);
  return dims;
}

}  // namespace

std::string IrLayerWriter::kept_or(const char* attribute, const std::string& otherwise) const {
  const pugi::xml_attribute kept = kept_.attribute(attribute);
  return kept ? kept.value() : otherwise;
}

bool IrLayerWriter::has_kept_data(const char* name) const {
  return kept_.child("data").attribute(name);
}

void IrLayerWriter::open(std::int64_t id, const std::string& name, const std::string& type,
                         const std::string& version) {
  id_ = id;
  name_ = name;
  text_.open("layer");
  text_.attribute("id", id);
  text_.attribute("name", name);
  text_.attribute("type", type);
  text_.attribute("version", version);
  text_.copy_attributes(kept_, {"id", "name", "type", "version"});
}

void IrLayerWriter::write_data(const std::vector<std::pair<std::string, std::string>>& attributes) {
  const pugi::xml_node kept = kept_.child("data");
  if (attributes.empty() && !kept) return;
  text_.open("data");
  std::set<std::string_view> written;
  for (const auto& [name, value] : attributes) {
    text_.attribute(name, std::string_view(value));
    written.insert(name);
  }
  text_.copy_attributes(
      kept, [&](std::string_view name, std::string_view) { return written.contains(name); });
  text_.copy_children(kept);
  text_.close();
}

void IrLayerWriter::write_port(std::int64_t id, const IrWrittenPort& port, const std::string& names,
                               const pugi::xml_node& kept) {
  text_.open("port");
  text_.attribute("id", id);
  text_.attribute("precision", std::string_view(port.precision));
  if (!names.empty()) text_.attribute("names", std::string_view(names));
  text_.copy_attributes(kept, {"id", "precision", "names"});
  for (const std::int64_t extent : port.dims) text_.element("dim", std::to_string(extent));
  text_.copy_children(kept);
  text_.close();
}

void IrLayerWriter::write_inputs(const std::vector<const IrWrittenPort*>& sources) {
  input_count_ = sources.size();
  if (sources.empty()) return;
  text_.open("input");
  pugi::xml_node kept = kept_.child("input").child("port");
  for (std::size_t i = 0; i < sources.size(); ++i, kept = kept.next_sibling("port"))
    write_port(static_cast<std::int64_t>(i), *sources[i], kept.attribute("names").value(), kept);
  text_.close();
}

Result<std::string> IrLayerWriter::names_text(const std::string& value, const IrAliases& aliases,
                                              std::size_t position,
                                              const pugi::xml_node& kept) const {
  if (value.empty()) return std::string();
  const IrOutput place{name_, input_count_, position};
  const std::vector<std::string> names = port_names(value, aliases, place);
  const pugi::xml_attribute kept_text = kept.attribute("names");
  std::vector<std::string> all = split_names(kept_text.value());
  if (!kept_text || !may_have_names(value, all, place)) return join_names(names);
  const std::set<std::string> known(all.begin(), all.end());
  bool has_more = false;
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (known.contains(names[i])) continue;
    all.push_back(names[i]);
    has_more = true;
  }
  return has_more ? join_names(all) : Result<std::string>(kept_text.value());
}

Result<std::vector<IrWrittenPort>> IrLayerWriter::write_outputs(
    const std::vector<ValueInfo>& values, const IrAliases& aliases) {
  std::vector<IrWrittenPort> ports;
  if (values.empty()) return ports;
  text_.open("output");
  pugi::xml_node kept = kept_.child("output").child("port");
  for (std::size_t i = 0; i < values.size(); ++i, kept = kept.next_sibling("port")) {
    const ValueInfo& value = values[i];
    const auto id = static_cast<std::int64_t>(input_count_ + i);
    ports.push_back({id_, id, precision_of(value, kept), dims_of(value)});
    if (ports.back().precision.empty())
      return unsupported_error("OpenVINO has no element type ", dtype_name(value.dtype));
    const Result<std::string> names = names_text(value.name, aliases, i, kept);
    if (!names) return names.error();
    write_port(id, ports.back(), *names, kept);
  }
  text_.close();
  return ports;
}

void IrLayerWriter::write_kept_elements() {
  for (const pugi::xml_node& child : kept_.children())
    if (!is_one_of(child.name(), {"data", "input", "output"}) && !IrPortMaps::is_map(child))
      text_.copy(child);
}

}  // namespace windrow::internal
