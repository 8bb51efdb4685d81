#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/windrow/call_flags.h"
#include "tools/windrow/host_models.h"
#include "tools/windrow/input_types.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/preview.h"
#include "tools/windrow/random_inputs.h"
#include "tools/windrow/subcommands.h"
#include "tools/windrow/table.h"
#include "windrow/models.h"

namespace windrow::tool {
namespace {

constexpr char kFooter[] =
    "Prints name, type, shape and a preview of each output. Inputs are .npy or .pb files; if the "
    "model\n"
    "has one input, --input FILE is enough. Nothing is written when the run fails.\n\n"
    "Examples:\n"
    "  windrow run lookup.onnx --input ids=ids.npy --out results\n"
    "  windrow run lookup.onnx --random 7 --dim batch=128 --input table=table.npy\n"
    "  windrow run lookup.xml --random 7 --dim ids.0=128\n";

struct RunArguments {
  std::string model;
  std::vector<std::string> inputs;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> dims;
  std::string node;
  std::optional<std::string> out;
  std::string format = "npy";
  CallFlags flags;
  HostModels hosts;
};

using Paths = std::vector<std::filesystem::path>;

Model model_to_run(const RunArguments& arguments) {
  Model model = load_model(arguments.model).value();
  return arguments.node.empty() ? std::move(model) : model.only_node(arguments.node).value();
}

TensorsByName inputs_of(Model& model, const RunArguments& arguments) {
  TensorsByName tensors = load_inputs(model, arguments.inputs);
  if (arguments.seed) {
    model = with_known_dims(std::move(model), tensors, parse_symbols(arguments.dims));
    model = with_fixed_types(std::move(model), tensors);
    add_random_inputs(model, *arguments.seed, tensors);
  }
  return tensors;
}

Json json_of(const NamedTensors& outputs, const Paths& paths,
             const std::vector<std::string>& warnings) {
  Json list = Json::array();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    Json entry = {{"name", outputs[i].first}};
    entry.update(tensor_json(outputs[i].second));
    if (!paths.empty()) entry["file"] = paths[i].string();
    list.push_back(std::move(entry));
  }
  return {{"outputs", list}, {"warnings", warnings}};
}

void print(Console& console, const NamedTensors& outputs, const Paths& paths,
           const std::vector<std::string>& warnings) {
  if (console.json()) console.print_json(json_of(outputs, paths, warnings));
  Table table;
  for (const auto& [name, tensor] : outputs) table.add({name, type_text(tensor), preview(tensor)});
  for (const std::string& line : table.lines()) console.print_line(line);
  for (const std::filesystem::path& path : paths) console.print_line({"wrote ", path.native()});
}

int run(const RunArguments& arguments, Console& console) {
  const std::unique_ptr<Threads> threads = arguments.flags.threads();
  std::vector<std::string> warnings;
  ModelRunOptions options;
  options.call = arguments.flags.options();
  options.run.threads = threads.get();
  options.on_note = [&](const std::string& note) {
    console.warn(note);
    warnings.push_back(note);
  };
  Model model = model_to_run(arguments);
  const TensorsByName tensors = inputs_of(model, arguments);
  const NamedViews views(tensors.begin(), tensors.end());
  const NamedTensors outputs =
      arguments.node.empty()
          ? arguments.hosts.run(model, arguments.model, views, options, arguments.flags).value()
          : model.run(views, options).value();
  if (!arguments.out) {
    print(console, outputs, {}, warnings);
    return kFine;
  }
  console.hold();  // a failure of the files is all that is then told
  OutputFiles files(*arguments.out, OutputFiles::Into::kFolder);
  files.add(outputs, arguments.format);
  print(console, outputs, files.paths(), warnings);
  files.commit();
  return kFine;
}

}  // namespace

void add_run(CLI::App& app, Invocation& chosen) {
  CLI::App& command = *app.add_subcommand("run", "Run a model on files or random inputs");
  auto arguments = std::make_shared<RunArguments>();
  command.add_option("MODEL", arguments->model, "An .onnx or .xml file")->required()->type_name("");
  command.add_option("--input", arguments->inputs, "A tensor for an input; repeat for each input")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  CLI::Option* random =
      command
          .add_option("--random", arguments->seed,
                      "Fill the other inputs with random numbers and legal indices")
          ->type_name("SEED");
  command
      .add_option("--dim", arguments->dims,
                  "The value of a symbolic dimension, or of INPUT.AXIS; repeat for each")
      ->allow_extra_args(false)
      ->needs(random)
      ->type_name("NAME=NUMBER");
  command
      .add_option("--node", arguments->node,
                  "Run only the node of this name, or that gives this value")
      ->type_name("NAME");
  CLI::Option* out =
      command.add_option("--out", arguments->out, "Write each output to a file in this folder")
          ->check(refuse_empty_name)
          ->type_name("DIR");
  command.add_option("--format", arguments->format, "Kind of files to write (npy)")
      ->check(CLI::IsMember(std::vector<std::string>{"npy", "pb"}))
      ->needs(out)
      ->type_name("FORMAT");
  arguments->flags.add_options_to(command);
  arguments->flags.add_threads_to(command);
  arguments->hosts.add_options_to(command, chosen.hooks.run_in_host);
  add_json_flag(command, chosen);
  command.footer(kFooter);
  command.callback([arguments, &chosen] {
    chosen.action = [arguments](Console& console) { return run(*arguments, console); };
  });
}

}  // namespace windrow::tool
