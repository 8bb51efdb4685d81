#include "src/formats/openvino_ir/ir_names.h"

#include <cstddef>
#include <set>

namespace windrow::internal {
namespace {

class Namer {
 public:
  Namer(const IrDocument& document, const IrGraph& graph) : document_(document), graph_(graph) {
    names_.values.resize(document.layers.size());
    for (const std::size_t layer : graph.order)
      names_.values[layer].resize(document.layers[layer].outputs.size());
  }

  // Names that a file gives to values come before names that are made up, whatever the order of
  // layers: a file that is written from a model gives all of them, and so reads as the same model.
  IrNames name_all() {
    for_each_output([this](const IrLayer&, const IrPort& port, std::string& value) {
      if (!port.names.empty()) claim(port.names.front(), value);
    });
    for_each_output([this](const IrLayer& layer, const IrPort& port, std::string& value) {
      if (!value.empty() || claim(layer.name, value)) return;
      const std::string number = std::to_string(port.id);
      if (claim(layer.name + ":" + number, value)) return;
      std::string name = layer.name + ":" + std::to_string(layer.id) + ":" + number;
      while (!claim(name, value)) name += '\'';
    });
    for_each_output([this](const IrLayer&, const IrPort& port, const std::string& value) {
      for (const std::string& name : port.names) add_alias(name, value);
    });
    for (const std::size_t layer : graph_.order) {
      const std::vector<std::string>& values = names_.values[layer];
      if (!values.empty()) add_alias(document_.layers[layer].name, values.front());
    }
    return std::move(names_);
  }

 private:
  template <class Visit>
  void for_each_output(Visit visit) {
    for (const std::size_t layer : graph_.order) {
      const IrLayer& found = document_.layers[layer];
      for (std::size_t i = 0; i < found.outputs.size(); ++i)
        visit(found, found.outputs[i], names_.values[layer][i]);
    }
  }

  bool claim(const std::string& name, std::string& value) {
    const bool is_free = taken_.insert(name).second;
    if (is_free) value = name;
    return is_free;
  }

  void add_alias(const std::string& name, const std::string& value) {
    if (taken_.insert(name).second) names_.aliases.emplace(name, value);
  }

  const IrDocument& document_;
  const IrGraph& graph_;
  std::set<std::string> taken_;
  IrNames names_;
};

}  // namespace

IrNames name_values(const IrDocument& document, const IrGraph& graph) {
  return Namer(document, graph).name_all();
}

}  // namespace windrow::internal
