#include "src/portability/fresh_names.h"

#include <algorithm>
#include <charconv>
#include <initializer_list>
#include <set>
#include <vector>

#include "src/models/walk_model.h"

namespace windrow::internal {
namespace {

// Collects the numbers that follow kFixedNames in the names of a model.
class UsedNumbers final : public ModelWalk {
 public:
  void enter(const std::string& /*path*/, const Graph& graph) override {
    for (const auto* const values :
         {&graph.inputs, &graph.default_inputs, &graph.outputs, &graph.values}) {
      for (const ValueInfo& value : *values) add(value.name);
    }
    for (const auto& [name, constant] : graph.constants) add(name);
    for (const auto& [name, constant] : graph.opaque_constants) add(name);
  }
  void visit(const NodePlace& place, std::size_t /*position*/) override {
    add(place.node.name);
    for (const std::string& output : place.node.outputs) add(output);
  }
  void leave() override {}

  void add(std::string_view name) {
    if (!name.starts_with(kFixedNames)) return;
    int number = 0;
    const char* const end = name.data() + name.size();
    const auto read = std::from_chars(name.data() + kFixedNames.size(), end, number);
    if (read.ec == std::errc() && number > 0) used_.insert(number);
  }

  int first_free() const {
    int free = 1;
    for (const int number : used_) {
      if (number == free) ++free;
    }
    return free;
  }

 private:
  std::set<int> used_;
};

}  // namespace

FreshNames::FreshNames(const Model& model) {
  UsedNumbers used;
  walk_model(model, used);
  for (const auto& [alias, value] : model.aliases) used.add(alias);
  beginning_ = std::string(kFixedNames) + std::to_string(used.first_free()) + "_";
}

std::string FreshNames::make(std::string_view what) {
  return beginning_ + std::to_string(++count_) + "_" + std::string(what);
}

}  // namespace windrow::internal
