#include "tools/windrow/call.h"

#include <fmt/core.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/node_operator.h"
#include "tools/windrow/ops.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/page.h"
#include "windrow/counted.h"
#include "windrow/models.h"
#include "windrow/nearest_name.h"
#include "windrow/operators.h"

namespace windrow::tool {
namespace {

constexpr char kGroup[] = "Call options";
constexpr int kMostThreads = 4096;

// `kernels` may go on after the set's name, or have none.
void require_kernel_set(const std::string& kernels) {
  const std::string name = kernels.substr(0, kernels.find(','));
  if (name.empty() || name.find('=') != std::string::npos) return;
  std::string known;
  NearestName nearest(name);
  for (const KernelSet& set : list_kernel_sets()) {
    if (set.name == name && set.supported) return;
    if (set.name == name) {
      fail(ErrorCode::kUnsupported, fmt::format("--kernels {}: this machine can't run them", name));
    }
    known += (known.empty() ? "" : ", ") + set.name;
    nearest.consider(set.name);
  }
  fail(ErrorCode::kInvalidArgument, fmt::format("--kernels {}: no such kernel set; there are {}{}",
                                                name, known, nearest.hint()));
}

}  // namespace

void CallFlags::add_options_to(CLI::App& subcommand) {
  const std::vector<std::string> policies = {"error", "zero", "skip", "clamp", "modulo"};
  subcommand
      .add_option("--out-of-range", out_of_range_,
                  "What an index outside its axis does; zero: gathers only, skip: scatters")
      ->check(CLI::IsMember(policies))
      ->type_name("POLICY")
      ->group(kGroup);
  subcommand
      .add_option(
          "--negative", negative_,
          "What a negative index does: count from the end, what an index out of range does, "
          "or fail")
      ->check(CLI::IsMember(std::vector<std::string>{"from_end", "out_of_range", "error"}))
      ->type_name("MEANING")
      ->group(kGroup);
  subcommand
      .add_option("--padding-index", padding_index_,
                  "The index that stands for padding: zeros in a gather, no update in a scatter")
      ->type_name("INDEX")
      ->group(kGroup);
  subcommand
      .add_flag("--strict", strict_,
                "Refuse a call that the specification leaves undefined; check has another --strict")
      ->group(kGroup);
  subcommand
      .add_option("--duplicates", duplicates_, "Whether a scatter may write a cell twice (allow)")
      ->check(CLI::IsMember(std::vector<std::string>{"allow", "error"}))
      ->type_name("RULE")
      ->group(kGroup);
  subcommand
      .add_option("--kernels", kernels_,
                  "Kernels to use: plain, avx2 or avx512, on Arm neon or sve (the best there "
                  "are), and levers after commas, as in avx2,stream=off")
      ->type_name("SET")
      ->group(kGroup);
}

void CallFlags::add_threads_to(CLI::App& subcommand) {
  subcommand
      .add_option("--threads", thread_count_,
                  "Threads to use, at most (one per core that this process may use)")
      ->check(CLI::Range(1, kMostThreads))
      ->type_name("COUNT")
      ->group(kGroup);
}

CLI::Option* CallFlags::add_all_bad_to(CLI::App& subcommand) {
  return subcommand
      .add_flag("--all-bad{100}", listed_indices_,
                "If an index is out of range, list all that are, at most 100; --all-bad=NUMBER "
                "lists that number")
      ->check(CLI::PositiveNumber)
      ->group(kGroup);
}

CallOptions CallFlags::options() const {
  CallOptions options;
  options.out_of_range = parse_out_of_range(out_of_range_);
  options.negative = parse_negative(negative_);
  options.padding_index = padding_index_;
  options.strict = strict_;
  options.duplicates = parse_duplicates(duplicates_).value_or(Duplicates::kAllow);
  if (!kernels_.empty()) require_kernel_set(kernels_);
  options.kernels = kernels_;
  return options;
}

bool CallFlags::change_options() const noexcept {
  return !out_of_range_.empty() || !negative_.empty() || padding_index_ || strict_ ||
         !duplicates_.empty() || !kernels_.empty();
}

std::unique_ptr<Threads> CallFlags::threads() const {
  std::unique_ptr<Threads> threads = make_threads(thread_count_);
  if (threads == nullptr) {
    fail(ErrorCode::kOutOfMemory,
         fmt::format("the system does not give {}; try a smaller --threads",
                     counted(thread_count_ == 0 ? allowed_cores() : thread_count_, "thread")));
  }
  return threads;
}

namespace {

constexpr char kCallFooter[] =
    "FILEs are the operator's inputs in its order (see windrow ops NAME): .npy, .npz,\n"
    ".safetensors or .pb files. FILE:NAME is one tensor of an archive (without NAME, the one\n"
    "with the input's name), - is standard input, and none stands for an optional input that is\n"
    "left out. --dtype gives the type of an input's bits where a .npy file can't name it; POS\n"
    "is the input's number, from 0, or its name.\n\n"
    "Examples:\n"
    "  windrow call onnx.GatherND data.npy indices.npy --attr batch_dims=1 -o out.npy\n"
    "  windrow call openvino.Gather data.npy indices.npy axis.npy --attr batch_dims=1 --version 8\n"
    "  windrow call tensorrt.Gather in.npz:data - --attr mode=nd -o - < indices.npy > out.npy\n"
    "  windrow call onnx.TensorScatter cache.npy update.npy none --attr mode=circular \\\n"
    "    --dtype 0=bfloat16\n";

// Stands for an optional input that is left out.
constexpr char kLeftOut[] = "none";

struct CallArguments {
  std::string name;
  std::vector<std::string> files;
  std::vector<std::string> attributes;
  std::vector<std::string> dtypes;
  std::optional<int> version;
  std::optional<std::string> out;
  std::string format = "npy";
  bool reference = false;
  CallFlags flags;
};

std::vector<Tensor> load_inputs(const OperatorInfo& info, const CallArguments& arguments) {
  if (arguments.files.size() > info.inputs.size()) {
    fail(ErrorCode::kInvalidArgument,
         fmt::format("{} has {}, {} given", operator_text(info),
                     counted(info.inputs.size(), "input"),
                     counted(arguments.files.size(), "file is", "files are")));
  }
  const std::vector<DType> types = told_types(info, arguments.dtypes);
  InputFiles files;
  std::vector<Tensor> tensors;
  for (std::size_t i = 0; i < arguments.files.size(); ++i) {
    const bool given = arguments.files[i] != kLeftOut;
    tensors.push_back(given ? files.load_tensor(arguments.files[i], info.inputs[i].name, types[i])
                            : Tensor());
    if (given) require_told_type(info, i, types[i], tensors.back().dtype());
  }
  return tensors;
}

Tensor run_fast(const OperatorId& id, const Attributes& attributes,
                const std::vector<TensorView>& inputs, const CallArguments& arguments,
                Console& console, std::vector<std::string>& warnings) {
  const Plan plan =
      compile(id, attributes, specs_of(id, inputs).value(), arguments.flags.options()).value();
  for (const std::string& note : plan.notes()) {
    console.warn(note);
    warnings.push_back(note);
  }
  const std::unique_ptr<Threads> threads = arguments.flags.threads();
  RunOptions options;
  options.threads = threads.get();
  options.listed_indices = arguments.flags.listed_indices();
  return plan.run(inputs, options).value();
}

void print(Console& console, const OperatorInfo& info, const Tensor& output,
           const CallArguments& arguments, const std::vector<std::string>& warnings) {
  if (console.json()) {
    Json document = {{"operator", operator_text(info)}, {"output", {{"name", info.output}}}};
    document["output"].update(tensor_json(output));
    if (arguments.out) document["output"]["file"] = *arguments.out;
    document["warnings"] = warnings;
    console.print_json(document);
  }
  console.print_line({info.output, "  ", type_text(output), "  ", preview(output)});
  if (arguments.out) console.print_line({"wrote ", shown_output(*arguments.out)});
}

int call(const CallArguments& arguments, Console& console) {
  if (arguments.out)
    OutputFiles::check_targets({{"--out", *arguments.out, OutputFiles::Content::kBinary}}, console);
  const OperatorId id = parse_operator_id(arguments.name, arguments.version);
  const OperatorInfo info = find_operator(id).value();
  const Attributes attributes = parse_attributes(info, arguments.attributes);
  const std::vector<Tensor> tensors = load_inputs(info, arguments);
  const std::vector<TensorView> inputs(tensors.begin(), tensors.end());
  std::vector<std::string> warnings;
  const Tensor output =
      arguments.reference
          ? call_reference(id, attributes, inputs, arguments.flags.options()).value()
          : run_fast(id, attributes, inputs, arguments, console, warnings);
  std::optional<OutputFiles> files;
  if (arguments.out) {
    console.hold();  // a failure of the file is all that is then told
    files.emplace(*arguments.out, OutputFiles::Into::kFile, "." + arguments.format);
    files->add(output, *arguments.out, info.output);
  }
  print(console, info, output, arguments, warnings);
  if (files) files->commit();
  return kFine;
}

}  // namespace

void add_call(CLI::App& app, Invocation& chosen) {
  CLI::App& command = *app.add_subcommand("call", "Call one operator on tensor files");
  auto arguments = std::make_shared<CallArguments>();
  command
      .add_option("OPERATOR", arguments->name,
                  "As in: onnx.GatherND, openvino.Gather-8, tensorrt.Gather, array.Take")
      ->required()
      ->type_name("");
  command.add_option("FILE", arguments->files, "The operator's inputs")->required()->type_name("");
  command.add_option("--attr", arguments->attributes, "An attribute; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command
      .add_option("--version", arguments->version,
                  "The version, as its dialect counts (ONNX: an opset; OpenVINO: the operator's "
                  "own; TensorRT: a major release); without it, the newest")
      ->type_name("NUMBER");
  command.add_option("--dtype", arguments->dtypes, "The type of an input's bits; repeat for each")
      ->allow_extra_args(false)
      ->type_name("POS=TYPE");
  command
      .add_option("-o,--out", arguments->out,
                  "Write the result to this .npy, .npz, .safetensors or .pb file")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command
      .add_option("--format", arguments->format, "What goes to standard output with --out - (npy)")
      ->check(CLI::IsMember(std::vector<std::string>{"npy", "npz", "safetensors", "pb"}))
      ->type_name("FORMAT");
  CLI::Option* reference =
      command.add_flag("--reference", arguments->reference,
                       "Run the operator element by element, without a plan and kernels");
  arguments->flags.add_options_to(command);
  arguments->flags.add_threads_to(command);
  arguments->flags.add_all_bad_to(command)->excludes(reference);
  add_json_flag(command, chosen);
  command.footer(kCallFooter);
  set_action(command, chosen, arguments, &call);
}

}  // namespace windrow::tool
