#include "src/formats/openvino_ir/ir_names.h"

#include <cstdint>

#include "src/models/find_in.h"

namespace windrow::internal {
namespace {

// The name of a value that neither its port nor its layer names.
std::string numbered_name(const IrOutput& output) {
  return std::string(output.layer_name) + ":" + std::to_string(output.inputs + output.position);
}

class Namer {
 public:
  Namer(const IrDocument& document, const IrGraph& graph) : document_(document), graph_(graph) {
    names_.values.resize(document.layers.size());
    names_.displaced.resize(document.layers.size());
    for (const std::size_t layer : graph.order) {
      names_.values[layer].resize(document.layers[layer].outputs.size());
      names_.displaced[layer].resize(document.layers[layer].outputs.size());
    }
  }

  // Names that a file gives to values come before names that are made up, whatever the order of
  // layers: a file that is written from a model gives all of them, and so reads as the same model.
  IrNames name_all() {
    for_each_output([this](std::size_t layer, std::size_t output, const IrPort& port) {
      if (!port.names.empty()) claim(port.names.front(), layer, output, kGiven);
    });
    for_each_output([this](std::size_t layer, std::size_t output, const IrPort&) {
      if (names_.values[layer][output].empty()) make_up(layer, output);
    });
    for_each_output([this](std::size_t layer, std::size_t output, const IrPort& port) {
      for (const std::string& name : port.names) add_alias(name, names_.values[layer][output]);
    });
    for (const std::size_t layer : graph_.order) {
      const std::vector<std::string>& values = names_.values[layer];
      if (!values.empty()) add_alias(document_.layers[layer].name, values.front());
    }
    return std::move(names_);
  }

 private:
  // Takes the place of the layer for a name that the file gives.
  static constexpr std::size_t kGiven = static_cast<std::size_t>(-1);

  template <class Visit>
  void for_each_output(Visit visit) {
    for (const std::size_t layer : graph_.order) {
      const std::vector<IrPort>& outputs = document_.layers[layer].outputs;
      for (std::size_t i = 0; i < outputs.size(); ++i) visit(layer, i, outputs[i]);
    }
  }

  void make_up(std::size_t layer, std::size_t output) {
    const IrLayer& found = document_.layers[layer];
    const IrOutput place{found.name, found.inputs.size(), output};
    if (claim(found.name, layer, output, layer)) return;
    std::string name = numbered_name(place);
    if (claim(name, layer, output, layer)) return;
    // A file may have very many layers that share a name.
    std::int64_t& next = next_[found.name];
    while (!claim(name + "'" + std::to_string(next), layer, output, layer)) ++next;
    ++next;
  }

  // Gives the value a name if it is free. `owner` is the layer for which it is made up, or kGiven.
  // A value loses to another one by the order of layers, unless that one's name is given and its
  // own is not.
  bool claim(const std::string& name, std::size_t layer, std::size_t output, std::size_t owner) {
    const auto [taken, is_free] = taken_.emplace(name, owner);
    if (is_free) {
      names_.values[layer][output] = name;
    } else if (owner == kGiven || (taken->second != kGiven && taken->second != layer)) {
      names_.displaced[layer][output] = true;
    }
    return is_free;
  }

  void add_alias(const std::string& name, const std::string& value) {
    if (taken_.emplace(name, kGiven).second) names_.aliases.emplace(name, value);
  }

  const IrDocument& document_;
  const IrGraph& graph_;
  std::map<std::string, std::size_t> taken_;
  std::map<std::string_view, std::int64_t> next_;  // by the layers' name
  IrNames names_;
};

}  // namespace

IrNames name_values(const IrDocument& document, const IrGraph& graph) {
  return Namer(document, graph).name_all();
}

std::vector<std::string> port_names(const std::string& value, const IrAliases& aliases,
                                    const IrOutput& output) {
  std::vector<std::string> names = {value};
  const std::vector<std::string>* const others = find_in(aliases, value);
  if (others == nullptr) return names;
  for (const std::string& alias : *others)
    if (output.position > 0 || alias != output.layer_name) names.push_back(alias);
  return names;
}

bool may_have_names(const std::string& value, const std::vector<std::string>& names,
                    const IrOutput& output) {
  if (!names.empty()) return names.front() == value;
  return value == output.layer_name || value == numbered_name(output);
}

}  // namespace windrow::internal
