#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/call_flags.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/node_kinds.h"
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

Json report_json(const NodeReport& report) {
  return {{"node", report.node},
          {"operator", report.operator_name},
          {"axis", report.axis},
          {"out_of_range", report.policy},
          {"inputs", values_json(report.inputs)},
          {"outputs", values_json(report.outputs)},
          {"plan", report.plan},
          {"warnings", report.notes}};
}

Json document_of(const Model& model, Json nodes) {
  return {{"dialect", model.dialect},
          {"opsets", model.opset_imports},
          {"inputs", values_json(model.inputs)},
          {"outputs", values_json(model.outputs)},
          {"operators", NodeKinds(model).json()},
          {"nodes", std::move(nodes)},
          {"not_run", model.unsupported()}};
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

// The plans of the nodes; those that read the same are one.
class Plans {
 public:
  void add(const std::string& node, const std::string& text) {
    if (last_ == positions_.end() || last_->first != text) last_ = find(text);
    Nodes& nodes = plans_[last_->second];
    if (nodes.count++ < kShown) nodes.names += (nodes.names.empty() ? "" : ", ") + node;
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

  Positions positions_;  // by the plan's text
  Positions::const_iterator last_ = positions_.end();
  std::vector<Nodes> plans_;
};

void print_model(Console& console, const std::string& path, const Model& model,
                 const NodeKinds& kinds) {
  console.print_line(fmt::format("{}: {}, {}", path, kinds.count_text(), opsets_text(model)));
  console.print_line({"  inputs:  ", listed(model.inputs)});
  console.print_line({"  outputs: ", listed(model.outputs)});
  if (!model.nodes.empty()) console.print_line({"  nodes:   ", kinds.text()});
}

void print_table(Console& console, const Table& table) {
  bool is_heading = true;
  table.for_each_line([&](const std::string& line) {
    if (is_heading) {
      console.print_line({Paint::kHeading, line});
    } else {
      console.print_line(line);
    }
    is_heading = false;
  });
}

int inspect(const InspectArguments& arguments, Console& console) {
  const Model model =
      with_known_dims(load_model(arguments.model).value(), {}, parse_symbols(arguments.dims));
  Json nodes = Json::array();
  Table table;
  table.add({"NODE", "OPERATOR", "AXIS", "OUT OF RANGE", "INPUTS", "OUTPUT"});
  Plans plans;
  const Status status = model.inspect(arguments.flags.options(), [&](const NodeReport& report) {
    for (const std::string& note : report.notes) {
      console.warn(fmt::format("node '{}': {}", report.node, note));
    }
    if (console.json()) {
      nodes.push_back(report_json(report));
      return;
    }
    table.add({report.node, report.operator_name, report.axis, report.policy, listed(report.inputs),
               listed(report.outputs)});
    plans.add(report.node, report.plan);
  });
  if (!status) throw Error(status);
  if (console.json()) {
    console.print_json(document_of(model, std::move(nodes)));
    return kFine;
  }
  const NodeKinds kinds(model);
  print_model(console, arguments.model, model, kinds);
  console.print_line("");
  if (plans.empty()) {
    console.print_line("no gather or scatter nodes");
  } else {
    print_table(console, table);
  }
  plans.print(console);
  kinds.print_inside(console);
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
