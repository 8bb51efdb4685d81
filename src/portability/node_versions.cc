#include "src/portability/node_versions.h"

#include <map>
#include <tuple>

#include "src/models/find_in.h"
#include "src/operators/infer.h"

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
