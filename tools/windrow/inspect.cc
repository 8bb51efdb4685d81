#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/call_flags.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/subcommands.h"
#include "tools/windrow/table.h"
#include "windrow/models.h"

namespace windrow::tool {
namespace {

constexpr char kFooter[] =
    "Lists the gather and scatter nodes of a model with what inference finds of their values, and "
    "the\n"
    "plan of each where its shapes are known; --dim gives the values of symbols and, as\n"
    "INPUT.AXIS=NUMBER, of dimensions of inputs without a name.\n\n"
    "Example:\n"
    "  windrow inspect lookup.onnx --dim batch=128\n";

struct InspectArguments {
  std::string model;
  std::vector<std::string> dims;
  CallFlags flags;
};

std::string listed(const std::vector<ValueInfo>& values) {
  std::string text;
  for (const ValueInfo& value : values) {
    if (!text.empty()) text += ", ";
    text += value.name.empty() ? "-" : value.name + " " + to_string(value);
  }
  return text;
}

std::string opsets_text(const Model& model) {
  std::string text;
  for (const auto& [domain, version] : model.opset_imports) {
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {}", domain.empty() ? "ai.onnx" : domain, version);
  }
  return model.dialect == "onnx" ? "opset " + text : "OpenVINO IR";
}

Json values_json(const std::vector<ValueInfo>& values) {
  Json list = Json::array();
  for (const ValueInfo& value : values) {
    Json shape = nullptr;
    if (value.dims) {
      shape = Json::array();
      for (const Dim& dim : *value.dims) {
        if (dim.is_known()) {
          shape.push_back(dim.value);
        } else {
          shape.push_back(dim.symbol.empty() ? Json(nullptr) : Json(dim.symbol));
        }
      }
    }
    const bool known = value.dtype != DType::kAbsent;
    list.push_back({{"name", value.name},
                    {"dtype", known ? Json(dtype_name(value.dtype)) : Json(nullptr)},
                    {"shape", shape}});
  }
  return list;
}

Json document_of(const Model& model, const std::vector<NodeReport>& reports) {
  Json nodes = Json::array();
  for (const NodeReport& report : reports) {
    nodes.push_back({{"node", report.node},
                     {"operator", report.operator_name},
                     {"axis", report.axis},
                     {"out_of_range", report.policy},
                     {"inputs", values_json(report.inputs)},
                     {"outputs", values_json(report.outputs)},
                     {"plan", report.plan},
                     {"warnings", report.notes}});
  }
  return {{"dialect", model.dialect},
          {"opsets", model.opset_imports},
          {"inputs", values_json(model.inputs)},
          {"outputs", values_json(model.outputs)},
          {"nodes", nodes},
          {"not_run", model.unsupported()}};
}

void print_model(Console& console, const std::string& path, const Model& model) {
  console.print_line(fmt::format("{}: {} {}, {}", path, model.nodes.size(),
                                 model.nodes.size() == 1 ? "node" : "nodes", opsets_text(model)));
  console.print_line({"  inputs:  ", listed(model.inputs)});
  console.print_line({"  outputs: ", listed(model.outputs)});
}

void print_nodes(Console& console, const std::vector<NodeReport>& reports) {
  if (reports.empty()) {
    console.print_line("");
    console.print_line("no gather or scatter nodes");
    return;
  }
  Table table;
  table.add({"NODE", "OPERATOR", "AXIS", "OUT OF RANGE", "INPUTS", "OUTPUT"});
  for (const NodeReport& report : reports) {
    table.add({report.node, report.operator_name, report.axis, report.policy, listed(report.inputs),
               listed(report.outputs)});
  }
  const std::vector<std::string> lines = table.lines();
  console.print_line("");
  console.print_line({Paint::kHeading, lines[0]});
  for (std::size_t i = 1; i < lines.size(); ++i) console.print_line(lines[i]);
}

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

void print_plans(Console& console, const std::vector<NodeReport>& reports) {
  for (const NodeReport& report : reports) {
    console.print_line("");
    console.print_line({Paint::kHeading, "plan of " + report.node});
    for (const std::string_view line : lines_of(report.plan)) console.print_line({"  ", line});
  }
}

int inspect(const InspectArguments& arguments, Console& console) {
  const Model model =
      with_known_dims(load_model(arguments.model).value(), {}, parse_symbols(arguments.dims));
  const std::vector<NodeReport> reports = model.inspect(arguments.flags.options()).value();
  for (const NodeReport& report : reports) {
    for (const std::string& note : report.notes) {
      console.warn(fmt::format("node '{}': {}", report.node, note));
    }
  }
  if (console.json()) console.print_json(document_of(model, reports));
  print_model(console, arguments.model, model);
  print_nodes(console, reports);
  print_plans(console, reports);
  const std::vector<std::string> others = model.unsupported();
  if (!others.empty()) {
    console.print_line("");
    console.print_line("not run here:");
  }
  for (const std::string& other : others) console.print_line({"  ", other});
  return kFine;
}

}  // namespace

void add_inspect(CLI::App& app, Invocation& chosen) {
  CLI::App& command = *app.add_subcommand(
      "inspect", "Show the gather and scatter nodes of a model and their plans");
  auto arguments = std::make_shared<InspectArguments>();
  command.add_option("MODEL", arguments->model, "An .onnx or .xml file")->required()->type_name("");
  command
      .add_option("--dim", arguments->dims, "The value of a symbolic dimension; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
  arguments->flags.add_options_to(command);
  add_json_flag(command, chosen);
  command.footer(kFooter);
  command.callback([arguments, &chosen] {
    chosen.action = [arguments](Console& console) { return inspect(*arguments, console); };
  });
}

}  // namespace windrow::tool
