#include "src/formats/openvino_ir/ir_layer_write.h"

#include <cstddef>
#include <set>

#include "src/formats/openvino_ir/ir_port_maps.h"
#include "src/formats/openvino_ir/ir_text.h"
#include "src/models/openvino_types.h"

namespace windrow::internal {
namespace {

// Adds what was kept of an element's attributes, but for those that are written already.
template <class IsWritten>
void write_kept_attributes(const pugi::xml_node& kept, XmlText& text, const IsWritten& is_written) {
  for (const pugi::xml_attribute& attribute : kept.attributes())
    if (!is_written(attribute.name()))
      text.attribute(attribute.name(), std::string_view(attribute.value()));
}

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

void write_dims(const std::vector<std::int64_t>& dims, XmlText& text) {
  for (const std::int64_t extent : dims) text.element("dim", std::to_string(extent));
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
  write_kept_attributes(kept_, text_, [](std::string_view attribute) {
    return is_one_of(attribute, {"id", "name", "type", "version"});
  });
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
  write_kept_attributes(kept, text_,
                        [&written](std::string_view name) { return written.contains(name); });
  for (const pugi::xml_node& child : kept.children()) text_.copy(child);
  text_.close();
}

void IrLayerWriter::write_inputs(const std::vector<const IrWrittenPort*>& sources) {
  input_count_ = sources.size();
  if (sources.empty()) return;
  text_.open("input");
  pugi::xml_node kept = kept_.child("input").child("port");
  for (std::size_t i = 0; i < sources.size(); ++i) {
    text_.open("port");
    text_.attribute("id", static_cast<std::int64_t>(i));
    text_.attribute("precision", std::string_view(sources[i]->precision));
    write_kept_attributes(kept, text_, [](std::string_view attribute) {
      return is_one_of(attribute, {"id", "precision"});
    });
    write_dims(sources[i]->dims, text_);
    for (const pugi::xml_node& child : kept.children()) text_.copy(child);
    text_.close();
    kept = kept.next_sibling("port");
  }
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
  for (std::size_t i = 0; i < values.size(); ++i) {
    const ValueInfo& value = values[i];
    const auto id = static_cast<std::int64_t>(input_count_ + i);
    ports.push_back({id_, id, precision_of(value, kept), dims_of(value)});
    if (ports.back().precision.empty())
      return Status(ErrorCode::kUnsupported,
                    "OpenVINO has no element type " + std::string(dtype_name(value.dtype)));
    const Result<std::string> names = names_text(value.name, aliases, i, kept);
    if (!names) return names.error();
    text_.open("port");
    text_.attribute("id", id);
    text_.attribute("precision", std::string_view(ports.back().precision));
    if (!names->empty()) text_.attribute("names", std::string_view(*names));
    write_kept_attributes(kept, text_, [](std::string_view attribute) {
      return is_one_of(attribute, {"id", "precision", "names"});
    });
    write_dims(ports.back().dims, text_);
    for (const pugi::xml_node& child : kept.children()) text_.copy(child);
    text_.close();
    kept = kept.next_sibling("port");
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
