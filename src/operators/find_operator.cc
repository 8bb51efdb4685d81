#include <algorithm>
#include <cctype>

#include "src/operators/operator_row.h"

namespace windrow {
namespace internal {
namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

// How many single-letter changes lead from a to b, letter case aside.
std::size_t edit_distance(std::string_view left, std::string_view right) {
  const std::string a = lower_case(left);
  const std::string b = lower_case(right);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      const std::size_t changed = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above + 1, row[j - 1] + 1, changed});
      diagonal = above;
    }
  }
  return row[b.size()];
}

// "; did you mean GatherND?" for names that are close, or "".
std::string suggest(std::string_view dialect, std::string_view name) {
  std::size_t best = name.size() / 2 + 1;
  std::string_view nearest;
  for (const OperatorRow& row : operator_rows()) {
    const std::size_t distance = edit_distance(row.name, name);
    if (row.dialect != dialect || distance >= best) continue;
    best = distance;
    nearest = row.name;
  }
  return nearest.empty() ? "" : "; did you mean " + std::string(nearest) + "?";
}

// "1, 7, 8"
std::string version_list(std::string_view dialect, std::string_view name) {
  std::string list;
  for (const OperatorRow& row : operator_rows())
    if (row.dialect == dialect && row.name == name)
      list += (list.empty() ? "" : ", ") + std::to_string(row.since);
  return list;
}

}  // namespace

Result<const OperatorRow*> find_row(std::string_view dialect, std::string_view name,
                                    std::optional<int> version) {
  const OperatorRow* newest = nullptr;
  const OperatorRow* oldest = nullptr;
  bool known_dialect = false;
  for (const OperatorRow& row : operator_rows()) {
    known_dialect |= row.dialect == dialect;
    if (row.dialect != dialect || row.name != name) continue;
    if (oldest == nullptr) oldest = &row;
    if (!version || (row.since <= *version && *version <= row.until)) newest = &row;
  }
  if (newest != nullptr) return newest;
  const std::string full = std::string(dialect) + "." + std::string(name);
  if (oldest != nullptr && oldest->until == oldest->since)
    return Status(ErrorCode::kUnsupported, full + ": there is no version " +
                                               std::to_string(*version) +
                                               "; there is: " + version_list(dialect, name));
  if (oldest != nullptr)
    return Status(ErrorCode::kUnsupported, full + ": version " + std::to_string(*version) +
                                               " is older than its first, " +
                                               std::to_string(oldest->since));
  if (!known_dialect)
    return Status(ErrorCode::kUnsupported,
                  full + ": there is no dialect '" + std::string(dialect) + "'");
  return Status(ErrorCode::kUnsupported,
                full + ": there is no such operator" + suggest(dialect, name));
}

namespace {

std::string group_name(InputGroup group) {
  if (group == InputGroup::kAxis) return "Taxis";
  if (group == InputGroup::kDepth) return "Tdepth";
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
                           is_fixed(input.group)});
  }
  info.attributes = row.attributes(row.since);
  info.output = row.output;
  info.summary = row.summary;
  info.shapes = row.shapes;
  return info;
}

}  // namespace
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
