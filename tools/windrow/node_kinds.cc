#include "tools/windrow/node_kinds.h"

#include <fmt/core.h>

#include <algorithm>
#include <vector>

#include "windrow/counted.h"

namespace windrow::tool {
namespace {

constexpr std::size_t kShown = 20;

}  // namespace

NodeKinds::NodeKinds(const Model& model) : count_(model.nodes.size()), main_count_(count_) {
  bool has_more = !model.functions.empty();
  for (const ModelNode& node : model.nodes) {
    ++kind_of(node).count;
    has_more = has_more || !node.bodies.empty();
  }
  if (has_more) add_inside(model);
}

void NodeKinds::add_inside(const Model& model) {
  model.visit_nodes([&](const NodePlace& place) {
    if (&place.graph == &model) return;
    ++count_;
    Kind& kind = kind_of(place.node);
    ++kind.count;
    ++kind.inside;
  });
}

NodeKinds::Kind& NodeKinds::kind_of(const ModelNode& node) {
  if (last_ == nullptr || last_->first.first != node.op_type || last_->first.second != node.domain)
    last_ = &*kinds_.try_emplace({node.op_type, node.domain}).first;
  return last_->second;
}

Json NodeKinds::json() const {
  Json list = Json::array();
  for (const auto& [name, kind] : kinds_)
    list.push_back({{"op_type", name.first},
                    {"domain", name.second},
                    {"nodes", kind.count},
                    {"in_bodies_and_functions", kind.inside}});
  return list;
}

std::string NodeKinds::count_text() const {
  const std::size_t inside = count_ - main_count_;
  return counted(count_, "node") +
         (inside == 0 ? "" : fmt::format(", {} of them in bodies and functions", inside));
}

std::vector<NodeKinds::Count> NodeKinds::most_frequent_first() const {
  std::vector<Count> counts;
  for (const auto& [name, kind] : kinds_)
    counts.push_back({name.first, name.second, kind.count, kind.inside});
  std::stable_sort(counts.begin(), counts.end(),
                   [](const Count& a, const Count& b) { return a.count > b.count; });
  return counts;
}

std::string NodeKinds::text() const {
  const std::vector<Count> counts = most_frequent_first();
  std::string text;
  for (std::size_t i = 0; i < std::min(counts.size(), kShown); ++i) {
    const Count& kind = counts[i];
    text += fmt::format("{}{} {}{}{}", i == 0 ? "" : ", ", kind.count, kind.domain,
                        kind.domain.empty() ? "" : ".", kind.op_type);
  }
  if (counts.size() > kShown) text += fmt::format(" and {} more", counts.size() - kShown);
  return text;
}

}  // namespace windrow::tool
