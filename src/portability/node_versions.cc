#include "src/portability/node_versions.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "src/models/check_inputs.h"
#include "src/models/infer_node.h"
#include "src/models/value_info.h"
#include "src/operators/operator_row.h"
#include "src/portability/judges.h"
#include "src/portability/node_view.h"
#include "src/portability/targets.h"
#include "src/ranges/ranges.h"
#include "windrow/lowest_opset.h"
#include "windrow/models.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

using VersionKey = std::tuple<std::string, std::string, std::string>;  // dialect, domain, name

const std::map<VersionKey, std::vector<OperatorInfo>>& versions_by_operator() {
  static const auto* const versions = [] {
    auto* const made = new std::map<VersionKey, std::vector<OperatorInfo>>();
    for (const OperatorInfo& info : list_operators())
      (*made)[{info.dialect, info.domain, info.name}].push_back(info);
    return made;
  }();
  return *versions;
}

}  // namespace

const std::vector<OperatorInfo>& versions_of(const std::string& dialect, const ModelNode& node) {
  static const std::vector<OperatorInfo> none;
  const auto* const found =
      find_in(versions_by_operator(), VersionKey(dialect, node.domain, node.op_type));
  return found == nullptr ? none : *found;
}

Status broken_in_version(const NodeFacts& facts, const OperatorInfo& version, bool proved) {
  const ModelNode& node = facts.place.node;
  std::vector<SymbolicShape> shapes;
  std::vector<OperandType> given;
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const ValueFact& fact = *facts.inputs[i];
    const bool has_shape = !proved || fact.shape_premises.empty();
    const bool has_type = !proved || fact.type_premises.empty();
    shapes.push_back(has_shape ? fact.dims : SymbolicShape());
    given.push_back({has_type ? fact.dtype : DType::kAbsent, !node.inputs[i].empty(),
                     has_type ? fact.other_type : std::string()});
  }
  if (given.empty()) given.push_back({DType::kAbsent, false});
  const OperatorId id{version.dialect, version.name, version.since_version};
  return infer_shape(id, node.attributes, shapes, {}, given).error();
}

std::string text_of_broken(const Status& status) {
  const std::string before = status.operator_name() + " [" + status.constraint() + "]: ";
  const std::string& message = status.message();
  return message.starts_with(before) ? message.substr(before.size()) : message;
}

std::string version_text(const std::string& dialect, int version) {
  return dialect == "onnx" ? "opset " + std::to_string(version)
                           : "version " + std::to_string(version) + " of the operator";
}

}  // namespace windrow::internal

namespace windrow {
namespace {

using internal::NodeFacts;

constexpr std::size_t kMostNodes = 10000;
// The first opset whose operators say what negative indices address.
constexpr int kNegativeIndices = 11;

// Why a version does not allow a node.
struct Obstacle {
  std::string rule;
  std::string what;
};

// What the fault of the model, or what the library cannot represent of the node, is in any version;
// nothing if the versions of the operator decide.
std::optional<Obstacle> obstacle_in_all(const NodeFacts& facts) {
  const std::string& label = facts.no_operator.constraint();
  const bool depends_on_version =
      facts.op != nullptr || label == internal::kOperatorVersion || label == internal::kOpsetImport;
  if (!depends_on_version) return Obstacle{label, facts.no_operator.message()};
  const ModelNode& node = facts.place.node;
  if (node.outputs.size() == 1 && node.bodies.empty()) return std::nullopt;
  return Obstacle{internal::kOperatorOutputs,
                  internal::text_of({node.op_type, " gives one output and takes no graphs"})};
}

// Whether the version leaves open what indices address that are negative in every run.
std::optional<Obstacle> negative_indices(const NodeFacts& facts, const OperatorInfo& version,
                                         internal::Extents& extents) {
  if (!version.domain.empty() || version.since_version >= kNegativeIndices) return std::nullopt;
  const internal::NodeOperator op{{version.dialect, version.name, version.since_version}, version};
  NodeFacts of_version = facts;
  of_version.op = &op;
  const std::optional<internal::NodeView> view = internal::view_node(of_version, extents, nullptr);
  if (!view) return std::nullopt;
  const std::optional<internal::Judgement> judgement = internal::judge_negative_index(*view);
  if (!judgement || judgement->verdict != Verdict::kHappens) return std::nullopt;
  const bool is_one_hot = view->family == internal::kOneHot;
  return Obstacle{is_one_hot ? "one-hot-negative-index" : "old-negative-index", judgement->what};
}

std::optional<Obstacle> obstacle_in(const NodeFacts& facts, const OperatorInfo& version,
                                    internal::Extents& extents) {
  const Status broken = internal::broken_in_version(facts, version);
  if (!broken) return Obstacle{broken.constraint(), internal::text_of_broken(broken)};
  return negative_indices(facts, version, extents);
}

struct Lowest {
  std::optional<int> version;  // the lowest that allows the node; absent: none does
  // In the version before it, or, if there is none, in the node's own; absent: the operator came
  // with the version.
  std::optional<Obstacle> obstacle;
};

// Looks for the lowest of the versions, which rise, that allows the node.
Lowest find_lowest(const NodeFacts& facts, const std::vector<OperatorInfo>& versions,
                   std::optional<int> declared, internal::Extents& extents) {
  if (std::optional<Obstacle> obstacle = obstacle_in_all(facts)) return {std::nullopt, obstacle};
  std::optional<Obstacle> last;
  std::optional<Obstacle> own;
  for (const OperatorInfo& version : versions) {
    std::optional<Obstacle> obstacle = obstacle_in(facts, version, extents);
    if (!obstacle) return {version.since_version, last};
    last = std::move(obstacle);
    if (declared && version.since_version <= *declared) own = last;
  }
  return {std::nullopt, own ? own : last};
}

void describe(const Lowest& lowest, NodeOpset& found) {
  found.lowest = lowest.version;
  if (!lowest.obstacle) {
    found.why = "came with opset " + std::to_string(*lowest.version);
    return;
  }
  found.rule = lowest.obstacle->rule;
  found.why = (lowest.version ? "not allowed before: " : "not allowed in any opset: ") +
              printable(lowest.obstacle->what);
}

// Collects what nodes need.
class OpsetCollector {
 public:
  OpsetCollector(const Model& model, internal::Extents& extents)
      : model_(model), extents_(extents) {}

  void visit(const NodeFacts& facts) {
    const ModelNode& node = facts.place.node;
    const std::vector<OperatorInfo>& versions = internal::versions_of(model_.dialect, node);
    if (versions.empty()) return;
    NodeOpset found;
    found.node = facts.place.path;
    found.operator_name = model_.dialect + "." + node.op_type;
    found.domain = node.domain;
    if (const int* const opset = internal::find_in(*facts.opset_imports, node.domain))
      found.declared = *opset;
    describe(find_lowest(facts, versions, found.declared, extents_), found);
    add_to_domain(found);
    result_.is_enough = result_.is_enough && found.is_enough();
    if (result_.nodes.size() < kMostNodes) {
      result_.nodes.push_back(std::move(found));
    } else {
      ++result_.left_out;
    }
  }

  LowestOpset take() { return std::move(result_); }

 private:
  void add_to_domain(const NodeOpset& found) {
    auto domain =
        std::find_if(result_.domains.begin(), result_.domains.end(),
                     [&found](const DomainOpset& known) { return known.domain == found.domain; });
    const bool is_new = domain == result_.domains.end();
    if (is_new) {
      domain = result_.domains.insert(domain, {found.domain, std::nullopt, std::nullopt, ""});
      if (const int* const opset = internal::find_in(model_.opset_imports, found.domain))
        domain->declared = *opset;
    }
    const bool needs_more =
        is_new || (domain->lowest && (!found.lowest || *found.lowest > *domain->lowest));
    if (!needs_more) return;
    domain->lowest = found.lowest;
    domain->node = found.node;
  }

  const Model& model_;
  internal::Extents& extents_;
  LowestOpset result_;
};

}  // namespace

Result<LowestOpset> lowest_opset(const Model& model, const InferOptions& infer) {
  if (model.dialect != "onnx")
    return internal::unsupported_error(
        "only ONNX models have opsets: in dialect ", model.dialect,
        " each operator has a version of its own, which its node names");
  internal::Extents extents;
  OpsetCollector collector(model, extents);
  const Status status =
      internal::find_ranges(model, internal::RangeOptions{infer}, extents,
                            [&collector](const NodeFacts& facts) { collector.visit(facts); });
  if (!status) return status;
  return collector.take();
}

}  // namespace windrow
