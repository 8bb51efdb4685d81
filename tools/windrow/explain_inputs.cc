#include "tools/windrow/explain_inputs.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/check_text.h"
#include "tools/windrow/console.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/model_inputs.h"
#include "tools/windrow/node_operator.h"
#include "tools/windrow/ops.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/random_inputs.h"
#include "windrow/models.h"

namespace windrow::tool {
namespace {

// A larger constant is not read: an explanation shows a few of its elements, and opens at once.
constexpr std::int64_t kMostConstantBytes = std::int64_t{1} << 26;

// Type and shape of a value that the graph declares, without elements.
TensorView declared_view(const Graph& graph, const std::string& name) {
  const auto value = std::find_if(graph.inputs.begin(), graph.inputs.end(),
                                  [&](const ValueInfo& input) { return input.name == name; });
  bool known = value != graph.inputs.end() && value->dtype != DType::kAbsent && value->dims;
  Shape shape;
  if (known)
    for (const Dim& dim : *value->dims)
      known = known && dim.is_known() && shape.push_back(dim.value);
  if (!known)
    fail(ErrorCode::kInvalidArgument,
         fmt::format("type or shape of '{}' is not known: give --input {}=FILE, or --random SEED "
                     "with --dim",
                     name, name));
  return {value->dtype, shape, nullptr};
}

TensorView view_of(const Graph& graph, const std::string& name, NodeCall& call) {
  if (name.empty()) return {};
  if (const auto given = call.tensors.find(name); given != call.tensors.end()) return given->second;
  const auto constant = graph.constants.find(name);
  if (constant == graph.constants.end()) return declared_view(graph, name);
  const Constant& elements = constant->second;
  if (elements.byte_count() > kMostConstantBytes) {
    call.notes.push_back(
        fmt::format("'{}' is a constant of {} MiB, which is not read: its elements "
                    "are shown by their positions alone",
                    name, elements.byte_count() >> 20));
    return {elements.dtype(), elements.shape(), nullptr};
  }
  call.constants.push_back(elements.tensor().value());
  return call.constants.back()->view();
}

bool is_known(const ValueInfo& value) { return value.dtype != DType::kAbsent && value.dims; }

// Fills in what other operators give, which inference knows with the help of others alone.
void add_inferred_inputs(const Model& whole, const CommandHooks& hooks, Model& alone) {
  if (std::all_of(alone.inputs.begin(), alone.inputs.end(), is_known)) return;
  const Result<Inference> found = whole.infer(infer_options(whole, hooks, "explain"));
  if (!found) return;
  for (ValueInfo& input : alone.inputs) {
    const auto value = found->values().find(input.name);
    if (value != found->values().end()) input = value->second;
  }
}

// What the node reads in a run of the model by a host.
TensorsByName observed_inputs(const Model& whole, const NodeQuestion& question,
                              const CommandHooks& hooks, InputFiles& files) {
  if (!hooks.observe_in_host)
    fail(ErrorCode::kUnsupported,
         fmt::format("the inputs are those of the model: what is before the node runs in a host, "
                     "which the Python package does: python -m windrow explain {} --node {}",
                     shown_file(question.path), question.node));
  Model model = whole;
  TensorsByName tensors =
      inputs_of_run(model, question.inputs, question.seed, question.dims, files);
  NamedTensors given;
  for (auto& [name, tensor] : tensors) given.emplace_back(name, std::move(tensor));
  NamedTensors seen = hooks.observe_in_host(question.path, question.node, given).value();
  tensors.clear();
  for (auto& [name, tensor] : seen) tensors.emplace(name, std::move(tensor));
  return tensors;
}

// The tensors of a node that stands alone; dimensions that they show become known.
TensorsByName own_inputs(Model& alone, const NodeQuestion& question, InputFiles& files) {
  TensorsByName tensors = load_inputs(alone, question.inputs, files);
  if (question.seed || !question.dims.empty()) {
    alone = with_known_dims(std::move(alone), tensors, parse_symbols(question.dims));
    alone = with_fixed_types(std::move(alone), tensors);
  }
  if (question.seed) add_random_inputs(alone, *question.seed, tensors);
  return tensors;
}

}  // namespace

void add_word_options(CLI::App& command, ExplainWords& call) {
  command.add_option("--attr", call.attributes, "An attribute; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command
      .add_option("--version", call.version,
                  "The version, as its dialect counts (ONNX: an opset; OpenVINO: the operator's "
                  "own); without it, the newest")
      ->type_name("NUMBER");
  command.add_option("--dtype", call.dtypes, "The type of an input; repeat for each")
      ->allow_extra_args(false)
      ->type_name("INPUT=TYPE");
}

bool names_model(const std::string& word) {
  if (word == kStandardStream || word.ends_with(".onnx") || word.ends_with(".xml")) return true;
  const std::string dialect = word.substr(0, word.find('.'));
  const std::vector<OperatorInfo> operators = list_operators();
  std::error_code ignored;
  return std::none_of(operators.begin(), operators.end(),
                      [&](const OperatorInfo& info) { return info.dialect == dialect; }) &&
         std::filesystem::exists(word, ignored);
}

std::vector<NodeName> node_names(const Model& model) {
  NodeOperators operators(model);
  std::vector<NodeName> names;
  for (const ModelNode& node : model.nodes)
    if (const OperatorInfo* info = operators.find(node); info != nullptr)
      names.push_back({node.name.empty() ? node.outputs.front() : node.name, operator_text(*info)});
  return names;
}

NodeCall find_node_call(const Model& whole, const NodeQuestion& question, const CommandHooks& hooks,
                        InputFiles& files) {
  Model model = whole.only_node(question.node).value();
  add_inferred_inputs(whole, hooks, model);
  NodeCall call;
  call.tensors = name_other_inputs(whole, model, question.inputs, files)
                     ? observed_inputs(whole, question, hooks, files)
                     : own_inputs(model, question, files);
  const ModelNode& node = model.nodes.front();
  const OperatorInfo info = operator_of(model, node).value();
  call.id = {info.dialect, info.name, info.since_version};
  call.attributes = node.attributes;
  for (const std::string& name : node.inputs) call.inputs.push_back(view_of(model, name, call));
  return call;
}

namespace {

constexpr std::size_t kMostWidth = 1000;

bool has_text(const PictureFiles& pictures, const Console& console) {
  return !console.json() && (pictures.text || isatty(STDOUT_FILENO) == 1);
}

// Written aside; commit() gives it its name.
void stage(const std::string& path, const std::string& ending, const std::string& picture,
           std::optional<OutputFiles>& file) {
  file.emplace(path, OutputFiles::Into::kFile, ending);
  file->add_text(picture, path);
}

}  // namespace

void add_picture_options(CLI::App& command, PictureFiles& pictures) {
  command.add_option("--svg", pictures.svg, "Write a picture of the call to this file")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command
      .add_option("--html", pictures.page,
                  "Write a page for browsers to this file: point at elements, step through writes")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command.add_flag("--picture", pictures.text,
                   "Print a picture of characters too; it is printed anyway to a terminal");
}

void check_picture_files(const PictureFiles& pictures, Console& console) {
  using Content = OutputFiles::Content;
  OutputFiles::check_targets(
      {{"--svg", pictures.svg, Content::kText}, {"--html", pictures.page, Content::kText}},
      console);
}

bool wants_pictures(const PictureFiles& pictures, const Console& console) {
  return !pictures.svg.empty() || !pictures.page.empty() || has_text(pictures, console);
}

void draw_pictures(const Explanation& explanation, std::span<const Comparison> comparisons,
                   const PictureFiles& pictures, Console& console) {
  std::optional<OutputFiles> svg;
  std::optional<OutputFiles> page;
  if (!pictures.svg.empty()) stage(pictures.svg, ".svg", to_svg(explanation), svg);
  if (!pictures.page.empty())
    stage(pictures.page, ".html", to_html(explanation, comparisons), page);
  if (has_text(pictures, console)) {
    TerminalOptions options;
    options.width = static_cast<int>(std::min(console.widths().prose, kMostWidth));
    options.colour = may_colour(STDOUT_FILENO);
    console.print_verbatim("\n" + to_terminal(explanation, options));
  }
  OutputFiles::commit_all({svg ? &*svg : nullptr, page ? &*page : nullptr});
  for (const std::string& path : {pictures.svg, pictures.page})
    if (!path.empty()) console.print_line({"wrote ", shown_output(path)});
}

}  // namespace windrow::tool
