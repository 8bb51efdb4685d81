#include <algorithm>
#include <set>

#include "src/operators/operator_row.h"
#include "windrow/nearest_name.h"

namespace windrow {
namespace internal {
namespace {

// "; did you mean GatherND?" if there is a similar name, else "".
std::string suggest(std::string_view dialect, std::string_view name) {
  NearestName nearest(name);
  for (const OperatorRow& row : operator_rows())
    if (row.dialect == dialect) nearest.consider(row.name);
  return nearest.hint();
}

// The dialects, "array, onnx, ..", and the nearest of them.
std::string list_dialects(std::string_view wanted) {
  std::set<std::string_view> dialects;
  for (const OperatorRow& row : operator_rows()) dialects.insert(row.dialect);
  std::string list;
  for (const std::string_view dialect : dialects)
    list += (list.empty() ? "" : ", ") + std::string(dialect);
  return list + nearest_hint(wanted, dialects);
}

// The versions of an operator: "1, 7, 8".
std::string version_list(std::string_view dialect, std::string_view name) {
  std::string list;
  for (const OperatorRow& row : operator_rows())
    if (row.dialect == dialect && row.name == name)
      list += (list.empty() ? "" : ", ") + std::to_string(row.since);
  return list;
}

// The error of find_row() if there is no row. `oldest`: the first row of the operator, or null.
Status no_row(std::string_view dialect, std::string_view name, std::optional<int> version,
              const OperatorRow* oldest) {
  const std::string full = std::string(dialect) + "." + std::string(name);
  if (oldest != nullptr && oldest->until == oldest->since)
    return Status(ErrorCode::kUnsupported, full + ": there is no version " +
                                               std::to_string(*version) +
                                               "; there is: " + version_list(dialect, name));
  if (oldest != nullptr)
    return Status(ErrorCode::kUnsupported, full + ": version " + std::to_string(*version) +
                                               " is older than its first, " +
                                               std::to_string(oldest->since));
  const auto rows = operator_rows();
  if (std::none_of(rows.begin(), rows.end(),
                   [&](const OperatorRow& row) { return row.dialect == dialect; }))
    return Status(ErrorCode::kUnsupported, full + ": there is no dialect '" + std::string(dialect) +
                                               "'; there are " + list_dialects(dialect));
  return Status(ErrorCode::kUnsupported,
                full + ": there is no such operator" + suggest(dialect, name));
}

std::string group_name(InputGroup group) {
  if (group == InputGroup::kAxis) return "Taxis";
  if (group == InputGroup::kDepth) return "Tdepth";
  if (group == InputGroup::kSlice) return "Tslice";
  if (group == InputGroup::kCodes) return "Tcodes";
  return group == InputGroup::kData ? "T" : "Tind";
}

OperatorInfo describe_row(const OperatorRow& row) {
  OperatorInfo info;
  info.dialect = row.dialect;
  info.domain = row.domain;
  info.name = row.name;
  info.since_version = row.since;
  info.until_version = row.until;
  info.deprecated = row.deprecated;
  info.scatter = row.scatter;
  info.out_of_range = row.policy;
  info.strict_out_of_range = row.strict_policy;
  for (const InputSchema& input : row.inputs) {
    const TypeSet types = row.types(input.group);
    info.inputs.push_back({std::string(input.name),
                           {types.begin(), types.end()},
                           group_name(input.group),
                           input.optional,
                           is_fixed(input.group),
                           input.counted_input,
                           input.instead_of});
  }
  info.attributes = row.attributes(row.since);
  info.output = row.output;
  info.summary = row.summary;
  info.shapes = row.shapes;
  return info;
}

}  // namespace

Result<const OperatorRow*> find_row(std::string_view dialect, std::string_view name,
                                    std::optional<int> version) {
  const std::span<const OperatorRow> rows = operator_rows();
  std::size_t first = 0;
  while (first < rows.size() && (rows[first].name != name || rows[first].dialect != dialect))
    first += rows[first].versions;
  if (first == rows.size()) return no_row(dialect, name, version, nullptr);
  for (std::size_t i = first + rows[first].versions; i-- > first;)
    if (!version || (rows[i].since <= *version && *version <= rows[i].until)) return &rows[i];
  return no_row(dialect, name, version, &rows[first]);
}

}  // namespace internal

std::vector<OperatorInfo> list_operators() {
  std::vector<OperatorInfo> list;
  for (const internal::OperatorRow& row : internal::operator_rows())
    list.push_back(internal::describe_row(row));
  return list;
}

Result<OperatorInfo> find_operator(const OperatorId& id) {
  const auto row = internal::find_row(id.dialect, id.name, id.version);
  if (!row) return row.error();
  return internal::describe_row(**row);
}

}  // namespace windrow
