#include "tools/windrow/node_operator.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/console.h"
#include "tools/windrow/ops.h"
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

Result<OperatorInfo> operator_of(const Model& model, const ModelNode& node) {
  const std::string domain = node.domain == "ai.onnx" ? "" : node.domain;
  const auto opset = model.opset_imports.find(domain);
  OperatorId id{model.dialect, node.op_type, node.version};
  if (!node.unsupported.empty()) return Status(ErrorCode::kUnsupported, node.unsupported);
  if (opset != model.opset_imports.end()) id.version = opset->second;
  Result<OperatorInfo> info = find_operator(id);
  if (info && info->domain != domain) return Status(ErrorCode::kUnsupported, node.op_type);
  return info;
}

NodeOperators::NodeOperators(const Model& model) : model_(model) {
  for (OperatorInfo& info : list_operators()) {
    if (info.dialect == model.dialect) names_.insert(std::move(info.name));
  }
}

const OperatorInfo* NodeOperators::find(const ModelNode& node) {
  if (!node.unsupported.empty() || !names_.contains(node.op_type)) return nullptr;
  const auto key =
      std::tuple(std::string_view(node.domain), std::string_view(node.op_type), node.version);
  const auto [place, is_new] = infos_.try_emplace(key);
  if (is_new) {
    Result<OperatorInfo> info = operator_of(model_, node);
    if (info) place->second = *std::move(info);
  }
  return place->second ? &*place->second : nullptr;
}

Origins origins_of(const Model& model, bool conversions) {
  Origins origins;
  for (const ModelNode& node : model.nodes) {
    const bool hands_on = node.op_type == "Identity" || (conversions && node.op_type == "Convert");
    if (hands_on && node.inputs.size() == 1 && node.outputs.size() == 1)
      origins[node.outputs[0]] = origin_of(origins, node.inputs[0]);
  }
  return origins;
}

const std::string& origin_of(const Origins& origins, const std::string& name) {
  const auto source = origins.find(name);
  return source == origins.end() ? name : source->second;
}

}  // namespace windrow::tool
