#include "tools/windrow/ops.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "windrow/operators.h"

namespace windrow::tool {
namespace {

constexpr char kOpsFooter[] =
    "Without a name: one line per operator and version. With one: the inputs, their types and the\n"
    "attributes of each of its versions.\n\n"
    "Examples:\n"
    "  windrow ops\n"
    "  windrow ops GatherND\n"
    "  windrow ops openvino.Gather\n";

// The rows of one operator, named "GatherND" for every dialect that has it or "onnx.GatherND" for
// one; all rows without a name.
std::vector<OperatorInfo> rows_of(const std::string& name) {
  std::vector<OperatorInfo> rows = list_operators();
  if (name.empty()) return rows;
  const std::size_t dot = name.find('.');
  const std::string plain = dot == std::string::npos ? name : name.substr(dot + 1);
  const std::string dialect = dot == std::string::npos ? "" : name.substr(0, dot);
  std::erase_if(rows, [&](const OperatorInfo& row) {
    return row.name != plain || (!dialect.empty() && row.dialect != dialect);
  });
  // The library knows what to say of a name that is not there.
  if (rows.empty()) (void)find_operator({dialect.empty() ? "onnx" : dialect, plain, {}}).value();
  return rows;
}

std::string versions_text(const std::vector<OperatorInfo>& rows, std::size_t i) {
  if (rows[i].dialect != "onnx") return std::to_string(rows[i].since_version);
  if (is_newest(rows, i)) return fmt::format("{}+", rows[i].since_version);
  if (rows[i].since_version == rows[i].until_version) return std::to_string(rows[i].since_version);
  return fmt::format("{}-{}", rows[i].since_version, rows[i].until_version);
}

// What its versions count.
std::string counted_text(const OperatorInfo& row) {
  return row.dialect == "onnx" ? "opset" : "version";
}

// The first input that has the result's type.
const OperatorInput& typed_input(const OperatorInfo& row) {
  return *std::find_if(row.inputs.begin(), row.inputs.end(),
                       [](const OperatorInput& input) { return input.type_group == "T"; });
}

std::string attributes_text(const OperatorInfo& row) {
  std::string text;
  for (const OperatorAttribute& attribute : row.attributes) {
    text += (text.empty() ? "" : " ") + attribute_text(attribute);
  }
  return text.empty() ? "none" : text;
}

void print_overview(Console& console, const std::vector<OperatorInfo>& rows) {
  Table table;
  table.add({"OPERATOR", "DOMAIN", "VERSIONS", "ATTRIBUTES", "TYPES"});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    table.add({operator_text(rows[i]), domain_text(rows[i]), versions_text(rows, i),
               attributes_text(rows[i]), type_list(typed_input(rows[i]).dtypes)});
  }
  const std::vector<std::string> lines = table.lines();
  console.print_line({Paint::kHeading, lines[0]});
  for (std::size_t i = 1; i < lines.size(); ++i) console.print_line(lines[i]);
}

void print_details(Console& console, const std::vector<OperatorInfo>& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const OperatorInfo& row = rows[i];
    if (i > 0) console.print_line("");
    console.print_line({{Paint::kHeading, operator_text(row)},
                        fmt::format("  {} {} {}{}", domain_text(row), counted_text(row),
                                    versions_text(rows, i), row.deprecated ? ", deprecated" : "")});
    console.print_line({"  ", row.summary});
    Table table;
    for (const OperatorInput& input : row.inputs) {
      const std::string optional = input.optional ? " (optional)" : "";
      table.add({"  " + input.name + optional, type_list(input.dtypes)});
    }
    table.add({"  " + row.output + " (result)", "as " + typed_input(row).name});
    for (const std::string& line : table.lines()) console.print_line(line);
    console.print_line({"  shape: ", row.shapes});
    console.print_line({"  attributes: ", attributes_text(row)});
  }
}

int ops(const std::string& name, Console& console) {
  const std::vector<OperatorInfo> rows = rows_of(name);
  if (console.json()) {
    console.print_json(operators_document(rows));
  } else if (name.empty()) {
    print_overview(console, rows);
  } else {
    print_details(console, rows);
  }
  return kFine;
}

}  // namespace

void add_ops(CLI::App& app, Invocation& chosen) {
  CLI::App& command = *app.add_subcommand("ops", "List the operators, their versions and types");
  auto name = std::make_shared<std::string>();
  command.add_option("NAME", *name, "One operator, as in: GatherND, openvino.Gather, array.Take")
      ->type_name("");
  add_json_flag(command, chosen);
  command.footer(kOpsFooter);
  set_action(command, chosen, name, &ops);
}

namespace {

struct Family {
  std::string_view name;
  std::vector<DType> members;
};

const std::vector<Family>& families() {
  static const std::vector<Family> all = {
      {"int8-64", {DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64}},
      {"uint8-64", {DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64}},
      {"float16-64", {DType::kFloat16, DType::kFloat32, DType::kFloat64}},
      {"complex64-128", {DType::kComplex64, DType::kComplex128}},
  };
  return all;
}

bool contains(const std::vector<DType>& types, DType type) {
  return std::find(types.begin(), types.end(), type) != types.end();
}

// The family that is whole in `types` and that `type` belongs to, or null.
const Family* whole_family_of(DType type, const std::vector<DType>& types) {
  for (const Family& family : families()) {
    if (!contains(family.members, type)) continue;
    const bool whole = std::all_of(family.members.begin(), family.members.end(),
                                   [&](DType member) { return contains(types, member); });
    if (whole) return &family;
  }
  return nullptr;
}

}  // namespace

std::string type_list(const std::vector<DType>& types) {
  std::vector<DType> sorted = types;
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const DType type : sorted) {
    const Family* family = whole_family_of(type, sorted);
    const bool listed_already = family != nullptr && family->members.front() != type;
    if (listed_already) continue;
    if (!text.empty()) text += ' ';
    text += family != nullptr ? family->name : dtype_name(type);
  }
  return text;
}

namespace {

template <class T>
Json number_json(T value) {
  return std::isfinite(value) ? Json(value) : Json(to_text(value));
}

struct ToJson {
  Json operator()(float value) const { return number_json(value); }
  Json operator()(double value) const { return number_json(value); }
  template <class T>
  Json operator()(const std::complex<T>& value) const {
    return Json::array({number_json(value.real()), number_json(value.imag())});
  }
  template <class T>
  Json operator()(const T& value) const {
    return Json(value);
  }
};

}  // namespace

Json to_json(const Element& element) { return std::visit(ToJson(), element); }

}  // namespace windrow::tool
