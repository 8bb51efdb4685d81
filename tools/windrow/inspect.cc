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

#include "tools/windrow/call_flags.h"
#include "tools/windrow/findings.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/inspect_json.h"
#include "tools/windrow/inspect_page.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/model_text.h"
#include "tools/windrow/node_kinds.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/plan_texts.h"
#include "tools/windrow/subcommands.h"
#include "tools/windrow/table.h"
#include "windrow/models.h"

namespace windrow::tool {
namespace {

constexpr char kFooter[] =
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
  command.footer(kFooter);
  command.callback([arguments, &chosen] {
    chosen.action = [arguments, &hooks = chosen.hooks](Console& console) {
      return inspect(*arguments, hooks, console);
    };
  });
}

}  // namespace windrow::tool
