#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/models/walk_model.h"
#include "src/portability/node_edit.h"
#include "src/portability/verify_fix.h"
#include "src/ranges/ranges.h"
#include "windrow/fix.h"

namespace windrow {
namespace internal {
namespace {

// The rules of a report that need a fix: those of findings by the node's path, and those of
// contracts by the model's input.
struct WantedFixes {
  std::map<std::string_view, std::set<std::string_view>> nodes;
  std::map<std::string_view, std::set<std::string_view>> inputs;
};

WantedFixes wanted_fixes(const CheckReport& report, const FixOptions& options) {
  WantedFixes wanted;
  for (const PortabilityFinding& finding : report.findings) {
    if (finding.verdict != Verdict::kCannot) wanted.nodes[finding.node].insert(finding.rule);
  }
  if (!options.unsafe) return wanted;
  for (const InputContract& contract : report.contracts)
    wanted.inputs[contract.input].insert(contract.rules.begin(), contract.rules.end());
  return wanted;
}

// Finds the opset of ai.onnx for each node, by the node's number in Model::visit_nodes.
class OpsetWalk final : public ModelWalk {
 public:
  explicit OpsetWalk(const Model& model) : model_(model) {}
  void enter(const std::string& /*path*/, const Graph& /*graph*/) override {
    if (depth_++ == 0) begins_.push_back(visited_);
  }
  void visit(const NodePlace& /*place*/, std::size_t /*position*/) override { ++visited_; }
  void leave() override { --depth_; }

  EditScope scope_of(std::size_t node, bool unsafe) const {
    const auto root = static_cast<std::size_t>(
        std::upper_bound(begins_.begin(), begins_.end(), node) - begins_.begin() - 1);
    EditScope scope;
    scope.unsafe = unsafe;
    scope.in_function = root > 0;
    const OpsetImports& imports =
        root == 0 ? model_.opset_imports : model_.functions[root - 1].opset_imports;
    if (const Result<int> opset = opset_of(imports, ""); opset) scope.opset = *opset;
    return scope;
  }

 private:
  const Model& model_;
  int depth_ = 0;
  std::size_t visited_ = 0;
  std::vector<std::size_t> begins_;
};

// Why a rule's change of a node is not made, by the node's path and the rule.
using Refusals = std::map<std::pair<std::string, std::string>, std::string, std::less<>>;

// Decides how the nodes of a model change, one after another.
class Fixer {
 public:
  Fixer(const Model& model, const CheckReport& report, const FixOptions& options,
        const Refusals& refusals)
      : unsafe_(options.unsafe),
        refusals_(refusals),
        wanted_(wanted_fixes(report, options)),
        opsets_(model),
        names_(model) {
    walk_model(model, opsets_);
  }

  void visit(const NodeFacts& facts, Extents& extents) {
    const std::size_t number = visited_++;
    if (!status_) return;
    std::set<std::string_view> rules;
    if (const auto found = wanted_.nodes.find(facts.place.path); found != wanted_.nodes.end())
      rules = found->second;
    const bool may_have_contract = !wanted_.inputs.empty();
    if (rules.empty() && !may_have_contract) return;
    const std::optional<NodeView> found = view_node(facts, extents, nullptr);
    if (!found) return;
    const NodeView* const view =
        found->without_premises == nullptr ? &*found : found->without_premises.get();
    if (view->indices.is_given()) {
      const auto contract = wanted_.inputs.find(view->indices.fact.source_input);
      if (contract != wanted_.inputs.end())
        rules.insert(contract->second.begin(), contract->second.end());
    }
    if (!rules.empty()) fix(*view, rules, number);
  }

  std::map<std::size_t, NodeChange>& changes() { return changes_; }
  std::vector<ModelFix>& applied() { return applied_; }
  std::vector<ModelFix>& left() { return left_; }
  const Status& status() const { return status_; }

 private:
  void fix(const NodeView& view, const std::set<std::string_view>& rules, std::size_t number) {
    NodeEdit edit(view, opsets_.scope_of(number, unsafe_), names_);
    std::map<std::string_view, std::string> why_not;
    for (const std::string_view rule : rules)
      why_not[rule] = "--fix has no change for this rule: its advice is followed by hand";
    std::map<Fix, FixOutcome, std::less<>> made;
    for (const FixRow& row : fix_rows()) {
      const auto open = why_not.find(row.rule);
      if (open == why_not.end()) continue;
      const auto refused = refusals_.find(std::pair(view.place->path, std::string(row.rule)));
      if (refused != refusals_.end()) {
        open->second = refused->second;
        continue;
      }
      // One change serves every rule that asks for it.
      const auto done = made.find(row.fix);
      Result<FixOutcome> outcome = done == made.end() ? row.fix(edit) : done->second;
      if (!outcome) {
        status_ = outcome.error().with_context("node '" + view.place->node.name + "'");
        return;
      }
      if (outcome->kind == FixOutcome::Kind::kLeft) {
        open->second = std::move(outcome->what);
        continue;
      }
      add(applied_, row.rule, view, outcome->what, outcome->kind);
      made.emplace(row.fix, *std::move(outcome));
      why_not.erase(open);
    }
    for (auto& [rule, why] : why_not)
      add(left_, rule, view, std::move(why), FixOutcome::Kind::kSafe);
    if (!made.empty()) changes_.emplace(number, std::move(edit).take());
  }

  static void add(std::vector<ModelFix>& list, std::string_view rule, const NodeView& view,
                  std::string what, FixOutcome::Kind kind) {
    list.push_back({std::string(rule), view.place->path, std::move(what),
                    kind == FixOutcome::Kind::kSafe, kind == FixOutcome::Kind::kRounds});
  }

  const bool unsafe_;
  const Refusals& refusals_;
  const WantedFixes wanted_;
  OpsetWalk opsets_;
  FreshNames names_;
  std::size_t visited_ = 0;
  std::map<std::size_t, NodeChange> changes_;  // by the node's number
  std::vector<ModelFix> applied_;
  std::vector<ModelFix> left_;
  Status status_;
};

// Whether the value is read in a graph or a body in it, or is an output.
bool is_read(const Graph& graph, const std::string& name) {
  const auto is_it = [&name](const std::string& input) { return input == name; };
  for (const ModelNode& node : graph.nodes) {
    if (std::any_of(node.inputs.begin(), node.inputs.end(), is_it)) return true;
    for (const NodeBody& body : node.bodies) {
      if (is_read(*body.graph, name)) return true;
    }
  }
  return std::any_of(graph.outputs.begin(), graph.outputs.end(),
                     [&name](const ValueInfo& output) { return output.name == name; });
}

// Puts the changed nodes into a copy of the model, whose nodes come in the order of
// Model::visit_nodes.
class ChangeWriter {
 public:
  explicit ChangeWriter(std::map<std::size_t, NodeChange>& changes) : changes_(changes) {}

  void write(Graph& graph) {
    std::vector<ModelNode> nodes;
    nodes.reserve(graph.nodes.size());
    std::set<std::string> replaced;
    for (ModelNode& node : graph.nodes) {
      const auto change = changes_.find(next_++);
      if (change == changes_.end()) {
        write_bodies(node);
        nodes.push_back(std::move(node));
      } else {
        put(std::move(change->second), graph, nodes, replaced);
        ++written_;
      }
    }
    graph.nodes = std::move(nodes);
    for (const std::string& name : replaced) {
      if (graph.constants.contains(name) && !is_read(graph, name)) graph.constants.erase(name);
    }
  }

 private:
  static void put(NodeChange change, Graph& graph, std::vector<ModelNode>& nodes,
                  std::set<std::string>& replaced) {
    for (ModelNode& node : change.before) nodes.push_back(std::move(node));
    nodes.push_back(std::move(change.node));
    for (ModelNode& node : change.behind) nodes.push_back(std::move(node));
    graph.constants.merge(change.constants);
    for (ValueInfo& value : change.values) graph.values.push_back(std::move(value));
    replaced.insert(change.replaced.begin(), change.replaced.end());
  }

  void write_bodies(ModelNode& node) {
    for (NodeBody& body : node.bodies) {
      const std::size_t before = written_;
      auto copy = std::make_shared<Graph>(*body.graph);
      write(*copy);
      if (written_ != before) body.graph = std::move(copy);
    }
  }

  std::map<std::size_t, NodeChange>& changes_;
  std::size_t next_ = 0;
  std::size_t written_ = 0;
};

// The model with every change that is not refused.
Result<FixedModel> changed_model(const Model& model, const CheckReport& report,
                                 const FixOptions& options, const Refusals& refusals) {
  Fixer fixer(model, report, options, refusals);
  Extents extents;
  const Status found = find_ranges(model, {options.infer}, extents,
                                   [&](const NodeFacts& facts) { fixer.visit(facts, extents); });
  if (!found) return found;
  if (!fixer.status()) return fixer.status();
  FixedModel fixed{model, std::move(fixer.applied()), std::move(fixer.left())};
  ChangeWriter writer(fixer.changes());
  writer.write(fixed.model);
  for (ModelFunction& function : fixed.model.functions) writer.write(function.graph);
  return fixed;
}

}  // namespace
}  // namespace internal

Result<FixedModel> fix_model(const Model& model, const CheckReport& report,
                             const FixOptions& options) {
  if (model.dialect == "tensorrt")
    return Status(ErrorCode::kUnsupported,
                  "a TensorRT network is not in a file: change the calls that build it");
  internal::Refusals refusals;
  // Each round but the last refuses a change that was made in it.
  while (true) {
    Result<FixedModel> fixed = internal::changed_model(model, report, options, refusals);
    if (!fixed || fixed->applied.empty()) return fixed;
    Result<std::vector<ModelFix>> faults =
        internal::remaining_findings(model, *fixed, report, options.infer);
    if (!faults) return faults.error();
    if (faults->empty()) return fixed;
    for (ModelFix& fault : *faults)
      refusals.emplace(std::pair(std::move(fault.node), std::move(fault.rule)),
                       std::move(fault.what));
  }
}

}  // namespace windrow

namespace windrow::internal {
namespace {

// Attributes and versions come first, then types and shapes, then values. Clips come before changes
// of negative indices, since a clip keeps those that count from the end.
constexpr std::array kRows = {
    FixRow{"scatter-nd-reduction-none", drop_default_reduction},
    FixRow{"reduction-boolean-extreme", fold_booleans},
    FixRow{"scatter-deprecated", rename_scatter},
    FixRow{"scatter-old", rename_scatter},
    FixRow{"gather-negative-index", raise_version},
    FixRow{"old-negative-index", raise_version},
    FixRow{"old-negative-index", rename_scatter},
    FixRow{"scatter-nd-race", scatter_elements_of_rows},
    FixRow{"gather-nd-fused-batch", split_fused_batch},
    FixRow{"feature-extractor", extract_with_gather},

    FixRow{"index-type", widen_indices},
    FixRow{"one-hot-float-indices", widen_indices},
    FixRow{"one-hot-scalar-indices", unsqueeze_one_hot},
    FixRow{"reduction-half", widen_payload},
    FixRow{"type-not-in-tensorrt", widen_payload},
    FixRow{"reduction-half-sums", sum_in_float32},
    FixRow{"reduction-nan", mark_nan},
    FixRow{"axis-not-constant", freeze_axis},
    FixRow{"axis-of-4-bits", freeze_axis},
    FixRow{"scatter-update-scalar-indices", unsqueeze_scalar_indices},
    FixRow{"scatter-nd-single-element", squeeze_single_update},
    FixRow{"gather-batch-of-one", drop_batch_of_one},
    FixRow{"gather-nd-broadcast-batch", broadcast_batch},
    FixRow{"gather-elements-smaller-extents", cut_data},
    FixRow{"tuple-length-unknown", fix_tuple_length},

    FixRow{"gather-short-index-range", gather_rows_of_one},
    FixRow{"gather-short-index-range", clip_indices},
    FixRow{"gather-index-range", clip_indices},
    FixRow{"gather-elements-index-range", clip_indices},
    FixRow{"gather-nd-index-range", clip_indices},
    FixRow{"scatter-elements-index-range", clip_indices},
    FixRow{"scatter-nd-index-range", clip_indices},
    FixRow{"scatter-update-index-range", clip_indices},
    FixRow{"feature-extractor-index-range", clip_indices},
    FixRow{"index-beyond-32-bits", clip_indices},

    FixRow{"old-negative-index", count_from_front},
    FixRow{"scatter-update-negative-index", count_from_front},
    FixRow{"scatter-negative-index", count_from_front},
    FixRow{"gather-negative-index-dynamic", count_from_front},
};

}  // namespace

std::span<const FixRow> fix_rows() { return kRows; }

}  // namespace windrow::internal
