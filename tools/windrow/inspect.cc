#include "tools/windrow/inspect.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/check_text.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/fields_json.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/node_operator.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/page.h"
#include "windrow/models.h"

namespace windrow::tool {
namespace {

constexpr char kInspectFooter[] =
    "Lists the gather and scatter nodes of a model with what inference finds about their\n"
    "values, and the plan of each node whose shapes are known. --dim gives the values of\n"
    "symbols and, as INPUT.AXIS=NUMBER, of unnamed dimensions of inputs.\n\n"
    "Examples:\n"
    "  windrow inspect lookup.onnx --dim batch=128\n"
    "  windrow inspect lookup.onnx --html lookup.html\n";

struct InspectArguments {
  std::string model;
  std::vector<std::string> dims;
  std::string page;  // the HTML file to write; empty: none
  CallFlags flags;
};

// Without the line breaks; a stream would end early where memory does.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// The plans of the nodes; those that read the same are one.
class Plans {
 public:
  void add(const NodeReport& report) {
    const std::string none = "none: " + report.no_plan;
    const std::string& text = report.plan == nullptr ? none : texts_.find(report.plan);
    if (last_ == positions_.end() || last_->first != text) last_ = find(text);
    Nodes& nodes = plans_[last_->second];
    if (nodes.count++ < kShown)
      nodes.names += (nodes.names.empty() ? "" : ", ") + shown_path(report.path);
  }

  bool empty() const noexcept { return plans_.empty(); }

  void print(Console& console) const {
    for (const Nodes& nodes : plans_) {
      std::string heading = "plan of " + nodes.names;
      if (nodes.count > kShown) heading += fmt::format(" and {} more", nodes.count - kShown);
      console.print_line("");
      console.print_line({Paint::kHeading, heading});
      for (const std::string_view line : lines_of(*nodes.plan)) console.print_line({"  ", line});
    }
  }

 private:
  static constexpr std::size_t kShown = 8;  // nodes that a heading names

  struct Nodes {
    const std::string* plan = nullptr;
    std::string names;
    std::size_t count = 0;
  };

  using Positions = std::map<std::string, std::size_t>;

  Positions::const_iterator find(const std::string& text) {
    const auto known = positions_.find(text);
    if (known != positions_.end()) return known;
    const auto added = positions_.emplace(text, plans_.size()).first;
    plans_.push_back({&added->first, {}, 0});
    return added;
  }

  PlanTexts texts_{[](const PlanDescription& plan) { return to_string(plan); }};
  Positions positions_;  // by the plan's text
  Positions::const_iterator last_ = positions_.end();
  std::vector<Nodes> plans_;
};

void warn_of(const NodeReport& report, Console& console) {
  for (const std::string& note : report.notes)
    console.warn(fmt::format("node '{}': {}", shown_path(report.path), note));
}

void print_model(Console& console, const std::string& path, const Model& model,
                 const NodeKinds& kinds) {
  console.print_line(fmt::format("{}: {}, {}", path, kinds.count_text(), opsets_text(model)));
  console.print_line({"  inputs:  ", values_text(model.inputs)});
  console.print_line({"  outputs: ", values_text(model.outputs)});
  if (!model.nodes.empty()) console.print_line({"  nodes:   ", kinds.text()});
}

// What every form of the report is made from.
struct Inspected {
  const Model& model;
  const InspectArguments& arguments;
  const CommandHooks& hooks;
  InspectPage* page;  // null: none is written
};

// Calls `visit` with every report, which joins the page if there is one. Throws Error.
Inference visit_reports(const Inspected& inspected,
                        const std::function<void(const NodeReport&)>& visit) {
  InspectPage* const page = inspected.page;
  Inference found = inspected.model
                        .inspect(inspected.arguments.flags.options(),
                                 infer_options(inspected.model, inspected.hooks, "inspect"),
                                 [&](const NodeReport& report) {
                                   if (page != nullptr) page->add(report);
                                   visit(report);
                                 })
                        .value();
  if (page != nullptr) page->add(found);
  return found;
}

void print_as_json(const Inspected& inspected, Console& console) {
  InspectDocument document(console, inspected.model);
  const Inference found = visit_reports(inspected, [&](const NodeReport& report) {
    warn_of(report, console);
    document.add(report);
  });
  document.finish(found, inspected.arguments.page);
}

void print_as_text(const Inspected& inspected, Console& console) {
  const auto& [model, arguments, hooks, page] = inspected;
  Table table;
  table.add({"NODE", "OPERATOR", "AXIS", "OUT OF RANGE", "INPUTS", "OUTPUT"});
  Plans plans;
  ValueTexts texts;
  const Inference found = visit_reports(inspected, [&](const NodeReport& report) {
    warn_of(report, console);
    table.add({shown_path(report.path), report.operator_name, to_string(report.axis), report.policy,
               texts.list(report.inputs), texts.list(report.outputs)});
    plans.add(report);
  });
  const NodeKinds kinds(model);
  print_model(console, shown_file(arguments.model), model, kinds);
  console.print_line("");
  if (plans.empty()) {
    console.print_line("no gather or scatter nodes");
  } else {
    print_table(console, table);
  }
  plans.print(console);
  print_findings(console, found);
  const std::vector<std::string> others = model.unsupported();
  if (!others.empty()) {
    console.print_line("");
    console.print_line("not run here:");
  }
  for (const std::string& other : others) console.print_line({"  ", other});
  if (!arguments.page.empty()) console.print_line({"wrote ", shown_output(arguments.page)});
}

void print(const Inspected& inspected, Console& console) {
  if (console.json()) {
    print_as_json(inspected, console);
  } else {
    print_as_text(inspected, console);
  }
}

int inspect(const InspectArguments& arguments, const CommandHooks& hooks, Console& console) {
  OutputFiles::check_targets({{"--html", arguments.page, OutputFiles::Content::kText}}, console);
  InputFiles inputs;
  const Model model = with_known_dims(inputs.load_model(inputs.model_path(arguments.model)), {},
                                      parse_symbols(arguments.dims));
  if (arguments.page.empty()) {
    print({model, arguments, hooks, nullptr}, console);
    return kFine;
  }
  console.hold();  // a failure of the file is all that is then told
  InspectPage page(model, std::filesystem::path(shown_file(arguments.model)).filename().string());
  print({model, arguments, hooks, &page}, console);
  OutputFiles files(arguments.page, OutputFiles::Into::kFile, ".html");
  files.add_text(page.html(), arguments.page);
  files.commit();
  return kFine;
}

}  // namespace

void add_inspect(CLI::App& app, Invocation& chosen) {
  CLI::App& command = *app.add_subcommand(
      "inspect", "Show the gather and scatter nodes of a model and their plans");
  auto arguments = std::make_shared<InspectArguments>();
  command.add_option("MODEL", arguments->model, "An ONNX model (.onnx) or an OpenVINO IR (.xml)")
      ->required()
      ->type_name("");
  command
      .add_option("--dim", arguments->dims, "The value of a symbolic dimension; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
  command
      .add_option("--html", arguments->page, "Write the same to this file as a page for browsers")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  arguments->flags.add_options_to(command);
  add_json_flag(command, chosen);
  command.footer(kInspectFooter);
  command.callback([arguments, &chosen] {
    chosen.action = [arguments, &hooks = chosen.hooks](Console& console) {
      return inspect(*arguments, hooks, console);
    };
  });
}

namespace {

Json shape_json(const SymbolicShape& dims) {
  if (!dims) return nullptr;
  Json shape = Json::array();
  for (const Dim& dim : *dims) {
    if (dim.is_known()) {
      shape.push_back(dim.value);
    } else {
      shape.push_back(dim.symbol.empty() ? Json(nullptr) : Json(dim.symbol));
    }
  }
  return shape;
}

// `inferred`: whether the values say what they rest on.
Json values_json(const std::vector<ValueInfo>& values, bool inferred = false) {
  Json list = Json::array();
  for (const ValueInfo& value : values) {
    const bool known = value.dtype != DType::kAbsent;
    list.push_back({{"name", value.name},
                    {"dtype", known ? Json(dtype_name(value.dtype)) : Json(nullptr)},
                    {"shape", shape_json(value.dims)}});
    if (inferred) list.back()["basis"] = basis_name(value.basis);
  }
  return list;
}

// Without the plan.
Json report_json(const NodeReport& report) {
  return {{"node", report.node},
          {"path", report.path},
          {"operator", report.operator_name},
          {"axis",
           {{"text", to_string(report.axis)},
            {"axes", field_json(report.axis.axes)},
            {"rank", field_json(report.axis.rank)},
            {"batch_dims", report.axis.batch_dims}}},
          {"out_of_range", report.policy},
          {"inputs", values_json(report.inputs, true)},
          {"outputs", values_json(report.outputs, true)},
          {"warnings", report.notes},
          {"no_plan", report.plan == nullptr ? Json(report.no_plan) : Json(nullptr)}};
}

std::string plan_text(const PlanDescription& plan) {
  return json_text(field_json(plan), JsonForm::kLine);
}

// The members of an object, without its braces, as they stand in the document.
std::string members_text(const Json& object) {
  const std::string text = json_text(object, JsonForm::kIndented);
  return text.substr(1, text.size() - 3);
}

}  // namespace

InspectDocument::InspectDocument(Console& console, const Model& model)
    : console_(console), model_(model), plans_(&plan_text) {}

void InspectDocument::begin() {
  if (begun_) return;
  begun_ = true;
  const Json head = {{"dialect", model_.dialect},
                     {"opsets", model_.opset_imports},
                     {"inputs", values_json(model_.inputs)},
                     {"outputs", values_json(model_.outputs)},
                     {"operators", NodeKinds(model_).json()}};
  console_.print_verbatim("{" + members_text(head) + ",\n  \"nodes\": [");
}

void InspectDocument::add(const NodeReport& report) {
  begin();
  std::string line = json_text(report_json(report), JsonForm::kLine);
  line.pop_back();
  line += ",\"plan\":" + (report.plan == nullptr ? "null" : plans_.find(report.plan)) + "}";
  console_.print_verbatim((has_nodes_ ? ",\n    " : "\n    ") + line);
  has_nodes_ = true;
}

void InspectDocument::finish(const Inference& found, const std::string& page) {
  begin();
  Json rest = {{"findings", findings_json(found.findings)},
               {"findings_left_out", found.findings.left_out},
               {"notes", found.notes},
               {"not_run", model_.unsupported()}};
  if (!page.empty()) rest["html"] = page;
  console_.print_verbatim((has_nodes_ ? "\n  ]," : "],") + members_text(rest) + "\n}\n");
}

namespace {

constexpr std::size_t kMostNodes = 2000;  // rows of the table of gathers and scatters
constexpr std::size_t kMostRows = 500;    // of each other table

std::string interface_of(const Model& model) {
  HtmlTable table({"", "Name", "Type"}, kMostRows);
  const auto add = [&table](const char* kind, const std::vector<ValueInfo>& values) {
    for (const ValueInfo& value : values) table.add({{kind}, {value.name}, {to_string(value)}});
  };
  add("input", model.inputs);
  add("input with a default", model.default_inputs);
  add("output", model.outputs);
  return page_section("Interface", table.html("values"));
}

std::string kinds_of(const NodeKinds& kinds) {
  HtmlTable table({"Operator", "Domain", "Nodes", "of them in bodies and functions"}, kMostRows);
  for (const NodeKinds::Count& kind : kinds.most_frequent_first())
    table.add({{kind.op_type},
               {kind.domain},
               {std::to_string(kind.count)},
               {std::to_string(kind.inside)}});
  return page_section("All nodes by operator", table.html("operators"));
}

std::string others_of(const Model& model) {
  HtmlTable table({"Operator and nodes"}, kMostRows);
  for (const std::string& other : model.unsupported()) table.add({{other}});
  return table.count() == 0 ? "" : page_section("Not run here", table.html("operators"));
}

std::vector<std::string> lines_of(const std::vector<ValueInfo>& values) {
  std::vector<std::string> lines;
  for (const ValueInfo& value : values) lines.push_back(value_text(value));
  return lines;
}

std::string plan_html(const PlanDescription& plan) {
  return fmt::format(
      "<details><summary>plan: kernel {}, {} bytes a row</summary><pre>{}</pre></details>",
      html_text(plan.kernel), plan.row_bytes, html_lines(to_string(plan)));
}

// "2 of them are gathers or scatters"
std::string gathers_text(std::size_t count) {
  if (count == 0) return "none of them is a gather or scatter";
  return count == 1 ? "1 of them is a gather or scatter"
                    : fmt::format("{} of them are gathers or scatters", count);
}

}  // namespace

InspectPage::InspectPage(const Model& model, std::string title)
    : model_(model),
      title_(std::move(title)),
      plans_(&plan_html),
      nodes_({"Node", "Operator", "Axis", "Out of range", "Inputs", "Outputs"}, kMostNodes),
      warnings_({"Node", "Warning"}, kMostRows),
      findings_({"Finding"}, kMostRows) {}

void InspectPage::add(const NodeReport& report) {
  for (const std::string& note : report.notes) warnings_.add({{shown_path(report.path)}, {note}});
  nodes_.add(
      {{shown_path(report.path)},
       {report.operator_name},
       {to_string(report.axis)},
       {report.policy},
       lines_of(report.inputs),
       lines_of(report.outputs)},
      report.plan == nullptr ? "no plan: " + html_text(report.no_plan) : plans_.find(report.plan));
}

void InspectPage::add(const Inference& found) {
  for (const Finding& finding : found.findings.list) findings_.add({{to_string(finding)}});
  if (found.findings.left_out > 0)
    findings_.add({{fmt::format("and {} more", found.findings.left_out)}});
  for (const std::string& note : found.notes) findings_.add({{"note: " + note}});
}

std::string InspectPage::html() const {
  const NodeKinds kinds(model_);
  const std::string subtitle =
      fmt::format("{}, {}; {}", html_text(kinds.count_text()), html_text(opsets_text(model_)),
                  gathers_text(nodes_.count()));
  std::string html = interface_of(model_);
  if (warnings_.count() > 0) html += page_section("Warnings", warnings_.html("warnings"));
  if (findings_.count() > 0)
    html += page_section("Broken rules, contradictions and notes", findings_.html("findings"));
  html += page_section("Gathers and scatters",
                       nodes_.count() == 0 ? "<p>There are none.</p>\n" : nodes_.html("nodes"));
  html += kinds_of(kinds) + others_of(model_);
  return page_html(title_, subtitle, html);
}

std::string value_text(const ValueInfo& value) { return values_text({value}); }

std::string values_text(const std::vector<ValueInfo>& values) { return ValueTexts().list(values); }

std::string ValueTexts::list(const std::vector<ValueInfo>& values) {
  std::string text;
  for (const ValueInfo& value : values) {
    if (!text.empty()) text += ", ";
    if (value.name.empty()) {
      text += '-';
      continue;
    }
    text += value.name;
    text += ' ';
    text += type_of(value);
    if (value.basis == Basis::kClaimed) text += " (claimed)";
  }
  return text;
}

const std::string& ValueTexts::type_of(const ValueInfo& value) {
  for (const Known& known : known_)
    if (known.value.dtype == value.dtype && known.value.dims == value.dims && !known.type.empty())
      return known.type;
  Known& known = known_[next_];
  next_ = (next_ + 1) % known_.size();
  known.value.dtype = value.dtype;
  known.value.dims = value.dims;
  known.type = to_string(value);
  return known.type;
}

std::string opsets_text(const Model& model) {
  std::string text;
  for (const auto& [domain, version] : model.opset_imports) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", domain.empty() ? "ai.onnx" : domain, version);
  }
  return model.dialect == "onnx" ? "opset " + text : "OpenVINO IR";
}

const std::string& PlanTexts::find(const std::shared_ptr<const PlanDescription>& plan) {
  const auto known = texts_.find(plan);
  if (known != texts_.end()) return known->second;
  if (texts_.size() == kMost) texts_.clear();
  return texts_.emplace(plan, text_of_(*plan)).first->second;
}

}  // namespace windrow::tool
