#include "windrow/explain.h"

#include <fmt/core.h>

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/explain_inputs.h"
#include "tools/windrow/explain_words.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/node_operator.h"

namespace windrow::tool {
namespace {

constexpr char kExplainFooter[] =
    "An operator's input is given by its name (see windrow ops NAME): as a shape, whose\n"
    "elements then count from 0; as numbers in brackets; or as a .npy, .npz (FILE:NAME),\n"
    ".safetensors or .pb file, with - for standard input. Unless --dtype gives another type,\n"
    "inputs are float32 and indices int64. Updates that are not given count from 0, if the rule\n"
    "fixes their shape.\n\n"
    "Examples:\n"
    "  windrow explain onnx.GatherND --data 3x4x2 --indices '[[0,1],[2,-1]]' --attr batch_dims=0\n"
    "  windrow explain onnx.ScatterND --data 5x --indices '[[1],[3],[1]]' --updates '[7,8,9]'\n"
    "  windrow explain onnx.Gather --data 4x --indices '[1,-1,7]' --as openvino.Gather\n"
    "  windrow explain onnx.Gather --data 4x3 --indices '[2,-1]' --svg gather.svg --html "
    "gather.html\n"
    "  windrow explain lookup.onnx --node /embed/Gather --random 7 --dim batch=2\n"
    "  windrow explain lookup.onnx --node /embed/Gather --inputs inputs.npz\n";

struct ExplainArguments {
  ExplainWords call;                  // without inputs
  std::vector<std::string> others;    // --as
  std::vector<std::string> elements;  // --element
  std::int64_t most = ExplainOptions().most_points;
  NodeQuestion question;  // its model is the name of `call`
  PictureFiles pictures;
  CallFlags flags;
};

// "1,0", or "" for the element of a scalar.
Dims parse_element(const std::string& text) {
  Dims position;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    std::int64_t number = 0;
    const auto parsed = std::from_chars(at, end, number);
    const bool is_last = parsed.ptr == end;
    if (parsed.ec != std::errc() || !position.push_back(number) ||
        (!is_last && (*parsed.ptr != ',' || parsed.ptr + 1 == end)))
      fail(
          ErrorCode::kInvalidArgument,
          fmt::format("--element {}: must be a position in the output, as in --element 1,0", text));
    at = is_last ? end : parsed.ptr + 1;
  }
  return position;
}

ExplainOptions explain_options(const ExplainArguments& arguments) {
  ExplainOptions options;
  options.most_points = arguments.most;
  for (const std::string& element : arguments.elements)
    options.elements.push_back(parse_element(element));
  return options;
}

NodeCall operator_call(const ExplainArguments& arguments, const std::vector<std::string>& words) {
  InputFiles files;
  ExplainWords call_words = arguments.call;
  call_words.inputs = words;
  WordsCall named =
      call_of_words(call_words, arguments.flags.options(),
                    [&files](const std::string& word, const std::string& name, DType expected) {
                      return files.load_tensor(word, name, expected);
                    });
  NodeCall call;
  call.id = std::move(named.id);
  call.attributes = std::move(named.attributes);
  call.given = std::move(named.inputs.tensors);
  call.inputs = std::move(named.inputs.views);
  return call;
}

void refuse_words_of_operators(const ExplainArguments& arguments,
                               const std::vector<std::string>& words) {
  if (!words.empty())
    fail(ErrorCode::kInvalidArgument,
         "a model's inputs are given by --input NAME=FILE; not known: " + words.front());
  const ExplainWords& call = arguments.call;
  if (!call.attributes.empty() || call.version || !call.dtypes.empty())
    fail(ErrorCode::kInvalidArgument,
         "the model says attributes, types and version of its nodes: --attr, --dtype and --version "
         "are for operators");
}

std::vector<Comparison> compare_others(const ExplainArguments& arguments, const NodeCall& call) {
  std::vector<Comparison> comparisons;
  for (const std::string& other : arguments.others)
    comparisons.push_back(
        compare_with(call.id, call.attributes, call.inputs, other,
                     {arguments.flags.options(), explain_options(arguments), arguments.most})
            .value());
  return comparisons;
}

void print(const Explanation& explanation, const std::vector<Comparison>& comparisons,
           Console& console) {
  if (console.json()) return console.print_json(explanation_document(explanation, comparisons));
  // Names come from the operator table and strings are made printable by explain().
  console.print_verbatim(to_text(explanation));
  for (const Comparison& comparison : comparisons)
    console.print_verbatim("\n" + to_text(comparison));
}

int explain_call(const ExplainArguments& arguments, const NodeCall& call, Console& console) {
  check_picture_files(arguments.pictures, console);
  for (const std::string& note : call.notes) console.warn(note);
  ExplainOptions options = explain_options(arguments);
  const auto explained = [&] {
    return explain(call.id, call.attributes, call.inputs, arguments.flags.options(), options)
        .value();
  };
  console.hold();
  const std::vector<Comparison> comparisons = compare_others(arguments, call);
  print(explained(), comparisons, console);
  options.corner = true;
  if (wants_pictures(arguments.pictures, console))
    draw_pictures(explained(), comparisons, arguments.pictures, console);
  return kFine;
}

// Of a model with several nodes that could be meant.
int list_nodes(const std::vector<NodeName>& nodes, Console& console) {
  if (console.json()) {
    Json list = Json::array();
    for (const NodeName& node : nodes)
      list.push_back({{"node", node.name}, {"operator", node.operator_name}});
    console.print_json({{"nodes", list}});
    return kFine;
  }
  Table table;
  table.add({"NODE", "OPERATOR"});
  for (const NodeName& node : nodes) table.add({node.name, node.operator_name});
  print_table(console, table);
  console.print_line("");
  console.print_line({"choose one of them: --node ", nodes.front().name});
  return kFine;
}

int explain_words(const ExplainArguments& arguments, const std::vector<std::string>& words,
                  const CommandHooks& hooks, Console& console) {
  if (!names_model(arguments.call.name))
    return explain_call(arguments, operator_call(arguments, words), console);
  refuse_words_of_operators(arguments, words);
  NodeQuestion question = arguments.question;
  InputFiles files;
  question.path = files.model_path(arguments.call.name);
  const Model model = files.load_model(question.path);
  if (question.node.empty()) {
    const std::vector<NodeName> nodes = node_names(model);
    if (nodes.size() > 1) return list_nodes(nodes, console);
    if (nodes.empty())
      fail(ErrorCode::kInvalidArgument,
           arguments.call.name + " has no gather or scatter to explain");
    question.node = nodes.front().name;
  }
  return explain_call(arguments, find_node_call(model, question, hooks, files), console);
}

}  // namespace

void add_explain(CLI::App& app, Invocation& chosen) {
  CLI::App& command =
      *app.add_subcommand("explain", "Show where every element of one call comes from, and why");
  auto arguments = std::make_shared<ExplainArguments>();
  command
      .add_option(
          "OPERATOR", arguments->call.name,
          "As in: onnx.GatherND, openvino.Gather, tensorrt.Gather, array.Take; or an ONNX or "
          "OpenVINO model")
      ->required()
      ->type_name("");
  add_word_options(command, arguments->call);
  command
      .add_option("--as", arguments->others,
                  "Another operator: show where its result for the same inputs parts from this "
                  "one's, and why; repeat for each")
      ->allow_extra_args(false)
      ->type_name("OPERATOR[:NAME=VALUE,..]");
  command
      .add_option("--element", arguments->elements,
                  "A position in the output, as in 1,0, that is to be explained; repeat for each")
      ->allow_extra_args(false)
      ->type_name("POSITION");
  command
      .add_option("--node", arguments->question.node,
                  "The node of a model by its name, or by a value that it gives; without it a list "
                  "of them, if there are several")
      ->type_name("NAME");
  add_input_options(command, arguments->question.inputs,
                    "the inputs of the node, or of the model, whose part before the node then runs "
                    "in an installed host");
  command
      .add_option("--random", arguments->question.seed,
                  "Fill the other inputs with random numbers and legal indices")
      ->type_name("SEED");
  command
      .add_option("--dim", arguments->question.dims,
                  "The value of a symbolic dimension, or of INPUT.AXIS; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
  command.add_option("--most", arguments->most, "Elements or updates to show at most (64)")
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("COUNT");
  add_picture_options(command, arguments->pictures);
  arguments->flags.add_options_to(command);
  add_json_flag(command, chosen);
  command.allow_extras();
  command.footer(kExplainFooter);
  command.callback([arguments, &command, &chosen] {
    chosen.action = [arguments, words = command.remaining(),
                     &hooks = chosen.hooks](Console& console) {
      return explain_words(*arguments, words, hooks, console);
    };
  });
}

}  // namespace windrow::tool
