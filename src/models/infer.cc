#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/check_inputs.h"
#include "src/models/inferred_model.h"
#include "windrow/models.h"

namespace windrow {
namespace {

// The number of findings that a result holds.
constexpr std::size_t kMostFindings = 1000;

// The values in the order of their names. Each has the first bytes of its name as a number, which
// is enough to compare most pairs without reading the names.
std::vector<std::pair<std::uint64_t, ValueInfo*>> sort_by_name(std::vector<ValueInfo>& values) {
  std::vector<std::pair<std::uint64_t, ValueInfo*>> sorted;
  sorted.reserve(values.size());
  for (ValueInfo& value : values) {
    std::uint64_t key = 0;
    for (std::size_t i = 0; i < sizeof key; ++i)
      key = key << 8 | (i < value.name.size() ? static_cast<unsigned char>(value.name[i]) : 0U);
    sorted.emplace_back(key, &value);
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : a.second->name < b.second->name;
  });
  return sorted;
}

ValueInfos by_name(std::vector<ValueInfo>& values) {
  // In the order of names each insertion is at the end.
  ValueInfos result;
  for (const auto& [key, value] : sort_by_name(values)) {
    std::string name = value->name;
    result.emplace_hint(result.end(), std::move(name), std::move(*value));
  }
  return result;
}

// Moves the values of a graph and its bodies into the result.
void take_values(internal::InferredGraph& graph, Inference& inference) {
  inference.graphs.push_back({graph.path(), by_name(graph.values())});
  for (const std::unique_ptr<internal::InferredGraph>& body : graph.bodies())
    take_values(*body, inference);
}

// The path of a node as messages show it: without "main/".
std::string_view shown_node(std::string_view path) {
  constexpr std::string_view kMain = "main/";
  if (path.starts_with(kMain)) path.remove_prefix(kMain.size());
  return path;
}

}  // namespace

std::string to_string(const Finding& finding) {
  std::string text;
  if (!finding.node.empty())
    text = "node '" + std::string(shown_node(finding.node)) + "': ";
  else if (finding.graph != "main")
    text = "graph '" + finding.graph + "': ";
  text += finding.status.message();
  const char* const whose =
      finding.claimed_by == Basis::kOnnx ? "' is what onnx infers)" : "' is what the file claims)";
  if (!finding.claim.empty()) text += " (if '" + finding.claim + whose;
  return text;
}

Status Inference::first_broken_rule() const {
  const Finding* const found = internal::find_where(findings.list, [](const Finding& finding) {
    return finding.kind == Finding::Kind::kBrokenRule;
  });
  if (found == nullptr) return {};
  return found->status.with_context("node '" + std::string(shown_node(found->node)) + "'");
}

Result<Inference> Model::infer(const InferOptions& options) const {
  Result<internal::InferredModel> inferred = internal::InferredModel::of(*this, options);
  if (!inferred) return inferred.error();
  Inference inference{{}, inferred->findings(kMostFindings), inferred->notes()};
  for (const auto& root : inferred->roots()) take_values(*root->graph, inference);
  return inference;
}

}  // namespace windrow
