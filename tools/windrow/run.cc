#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/page.h"
#include "tools/windrow/random_inputs.h"
#include "windrow/counted.h"
#include "windrow/models.h"

namespace windrow::tool {
namespace {

constexpr char kRunFooter[] =
    "Prints the name, type, shape and a preview of each output. Inputs are .npy, .npz,\n"
    ".safetensors or .pb files; FILE:NAME is one tensor of an archive. --input FILE without a\n"
    "name is enough if the model has one input, or for an archive whose tensors have the names\n"
    "of inputs. In place of a file, - is standard input and --out - standard output. If the run\n"
    "fails, nothing is written.\n\n"
    "Examples:\n"
    "  windrow run lookup.onnx --input ids=ids.npy --out results\n"
    "  windrow run lookup.onnx --inputs inputs.npz --out results.safetensors\n"
    "  windrow run lookup.onnx --random 7 --dim batch=128 --input table=table.npy\n"
    "  windrow run lookup.xml --random 7 --dim ids.0=128\n";

struct RunArguments {
  std::string model;
  InputTexts inputs;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> dims;
  std::string node;
  std::optional<std::string> out;
  std::string format;
  CallFlags flags;
  HostModels hosts;
};

using Paths = std::vector<std::filesystem::path>;

Model model_to_run(const RunArguments& arguments, const InputFiles& files,
                   const std::string& path) {
  Model model = files.load_model(path);
  return arguments.node.empty() ? std::move(model) : model.only_node(arguments.node).value();
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
  for (std::size_t i = 0; i < paths.size(); ++i)
    if (i == 0 || paths[i] != paths[i - 1])
      console.print_line({"wrote ", shown_output(paths[i].native())});
}

// Writes the outputs and prints them: an archive, one file on standard output, or a folder.
void write(const RunArguments& arguments, const NamedTensors& outputs,
           const std::vector<std::string>& warnings, Console& console) {
  const std::string& out = *arguments.out;
  const bool to_stream = out == kStandardStream;
  console.hold();  // a failure of the files is all that is then told
  std::string format = arguments.format;
  if (format.empty()) format = to_stream && outputs.size() != 1 ? "npz" : "npy";
  const std::string ending =
      to_stream ? "." + format : std::filesystem::path(out).extension().string();
  const bool is_archive = TensorArchive::is_archive("x" + ending);
  if (is_archive && !arguments.format.empty() && ending != "." + arguments.format)
    fail(ErrorCode::kInvalidArgument,
         fmt::format("--out {} --format {}: the name says another format", out, format));
  if (is_archive) {
    OutputFiles files(out, OutputFiles::Into::kFile, ending);
    files.add_archive(outputs, out);
    print(console, outputs, Paths(outputs.size(), out), warnings);
    files.commit();
  } else if (to_stream && outputs.size() != 1) {
    fail(ErrorCode::kInvalidArgument,
         fmt::format("--out - --format {}: the model has {}; npz and safetensors hold them all",
                     format, counted(outputs.size(), "output")));
  } else {
    OutputFiles files(out, to_stream ? OutputFiles::Into::kFile : OutputFiles::Into::kFolder,
                      ending);
    if (to_stream) {
      files.add(outputs[0].second, out, outputs[0].first);
    } else {
      files.add(outputs, format);
    }
    print(console, outputs, files.paths(), warnings);
    files.commit();
  }
}

int run(const RunArguments& arguments, Console& console) {
  if (arguments.out)
    OutputFiles::check_targets({{"--out", *arguments.out, OutputFiles::Content::kBinary}}, console);
  const std::unique_ptr<Threads> threads = arguments.flags.threads();
  std::vector<std::string> warnings;
  ModelRunOptions options;
  options.call = arguments.flags.options();
  options.run.threads = threads.get();
  options.run.listed_indices = arguments.flags.listed_indices();
  options.on_note = [&](const std::string& note) {
    console.warn(note);
    warnings.push_back(note);
  };
  InputFiles files;
  const std::string path = files.model_path(arguments.model);
  Model model = model_to_run(arguments, files, path);
  const TensorsByName tensors =
      inputs_of_run(model, arguments.inputs, arguments.seed, arguments.dims, files);
  const NamedViews views(tensors.begin(), tensors.end());
  const NamedTensors outputs =
      arguments.node.empty()
          ? arguments.hosts.run(model, path, views, options, arguments.flags).value()
          : model.run(views, options).value();
  if (arguments.out) {
    write(arguments, outputs, warnings, console);
  } else {
    print(console, outputs, {}, warnings);
  }
  return kFine;
}

}  // namespace

void add_run(CLI::App& app, Invocation& chosen) {
  CLI::App& command = *app.add_subcommand("run", "Run a model on files or random inputs");
  auto arguments = std::make_shared<RunArguments>();
  command.add_option("MODEL", arguments->model, "An ONNX model (.onnx) or an OpenVINO IR (.xml)")
      ->required()
      ->type_name("");
  add_input_options(command, arguments->inputs, "the inputs of their names");
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
      command
          .add_option("--out", arguments->out,
                      "Write each output to a file in this folder, or all to this .npz or "
                      ".safetensors file")
          ->check(refuse_empty_name)
          ->type_name("PATH");
  command.add_option("--format", arguments->format, "Kind of files to write (npy)")
      ->check(CLI::IsMember(std::vector<std::string>{"npy", "npz", "safetensors", "pb"}))
      ->needs(out)
      ->type_name("FORMAT");
  arguments->flags.add_options_to(command);
  arguments->flags.add_threads_to(command);
  arguments->flags.add_all_bad_to(command);
  arguments->hosts.add_options_to(command, chosen.hooks.run_in_host);
  add_json_flag(command, chosen);
  command.footer(kRunFooter);
  set_action(command, chosen, arguments, &run);
}

}  // namespace windrow::tool
