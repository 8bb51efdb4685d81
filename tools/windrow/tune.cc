#include <fmt/core.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/output_files.h"
#include "windrow/machine_costs.h"
#include "windrow/threads.h"

namespace windrow::tool {
namespace {

constexpr char kTuneFooter[] =
    "Plans choose by what parts of a run cost on a machine. This measures each cost by runs of\n"
    "plans, in about ten seconds, on a machine that should do nothing else. Calls use the file\n"
    "that the environment variable WINDROW_COSTS names; no result depends on it.\n\n"
    "Examples:\n"
    "  windrow tune\n"
    "  windrow tune -o costs.txt && export WINDROW_COSTS=$PWD/costs.txt\n";

struct TuneArguments {
  std::optional<std::string> out;
  double seconds = MeasureOptions().seconds;
};

Json costs_json(const MeasuredCosts& measured) {
  Json costs = Json::array();
  for (const MachineCost& cost : measured.costs)
    costs.push_back({{"name", cost.name},
                     {"unit", cost.unit},
                     {"meaning", cost.meaning},
                     {"preset", cost.preset},
                     {"value", cost.value},
                     {"measured", cost.measured}});
  return {{"processor", measured.processor}, {"costs", std::move(costs)}};
}

void print(Console& console, const MeasuredCosts& measured, const TuneArguments& arguments) {
  if (console.json()) {
    Json document = costs_json(measured);
    if (arguments.out) document["file"] = *arguments.out;
    return console.print_json(document);
  }
  console.print_line({"measured on ", measured.processor});
  Table table;
  table.add({"COST", "DEFAULT", "HERE", "UNIT", "WHAT"});
  for (const MachineCost& cost : measured.costs)
    table.add({cost.name, fmt::format("{:.4g}", cost.preset),
               cost.measured ? fmt::format("{:.4g}", cost.value) : "not measured", cost.unit,
               cost.meaning});
  print_table(console, table);
  if (arguments.out) console.print_line({"wrote ", shown_output(*arguments.out)});
}

int tune(const TuneArguments& arguments, Console& console) {
  if (arguments.out)
    OutputFiles::check_targets({{"--out", *arguments.out, OutputFiles::Content::kText}}, console);
  const std::unique_ptr<Threads> threads = make_threads(2);
  const MeasuredCosts measured =
      measure_machine_costs({.seconds = arguments.seconds, .threads = threads.get()}).value();
  std::optional<OutputFiles> files;
  if (arguments.out) {
    console.hold();  // a failure of the file is all that is then told
    files.emplace(*arguments.out, OutputFiles::Into::kFile, ".txt");
    files->add_text(measured.file, *arguments.out);
  }
  print(console, measured, arguments);
  if (files) files->commit();
  return kFine;
}

}  // namespace

void add_tune(CLI::App& app, Invocation& chosen) {
  CLI::App& command =
      *app.add_subcommand("tune", "Measure the costs by which plans choose on this machine");
  auto arguments = std::make_shared<TuneArguments>();
  command.add_option("-o,--out", arguments->out, "Write a file for WINDROW_COSTS")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  // For tests: how long to measure.
  command.add_option("--seconds", arguments->seconds)->check(CLI::Range(0.0, 3600.0))->group("");
  add_json_flag(command, chosen);
  command.footer(kTuneFooter);
  set_action(command, chosen, arguments, &tune);
}

}  // namespace windrow::tool
