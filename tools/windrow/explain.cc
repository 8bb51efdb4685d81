#include "windrow/explain.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/windrow/attribute_text.h"
#include "tools/windrow/call_flags.h"
#include "tools/windrow/explain_inputs.h"
#include "tools/windrow/explain_node.h"
#include "tools/windrow/operator_id.h"
#include "tools/windrow/subcommands.h"

namespace windrow::tool {
namespace {

constexpr char kFooter[] =
    "An operator's input is given by its name (see windrow ops NAME): as a shape, whose elements\n"
    "then count from 0; as numbers in brackets; or as a .npy,\n"
    ".npz (FILE:NAME), .safetensors or .pb file; - is standard input.\n\n"
    "Examples:\n"
    "  windrow explain onnx.GatherND --data 3x4x2 --indices '[[0,1],[2,-1]]' --attr batch_dims=0\n"
    "  windrow explain onnx.ScatterND --data 5x --indices '[[1],[3],[1]]' --updates '[7,8,9]'\n"
    "  windrow explain lookup.onnx --node /embed/Gather --random 7 --dim batch=2\n";

struct ExplainArguments {
  std::string name;
  std::vector<std::string> attributes;
  std::optional<int> version;
  std::int64_t most = ExplainOptions().most_points;
  NodeQuestion question;  // but for the model, which is `name`
  CallFlags flags;
};

Json json_of(const Dims& dims) { return std::vector<std::int64_t>(dims.begin(), dims.end()); }

Json json_of(const std::optional<Dims>& cell) { return cell ? json_of(*cell) : Json(); }

Json json_of(const std::optional<std::int64_t>& number) { return number ? Json(*number) : Json(); }

Json json_of(const ExplainedPoint& point) {
  return {{"number", point.number},
          {"direct", json_of(point.direct)},
          {"cell", json_of(point.cell)},
          {"value", point.value}};
}

Json json_of(const ExplainedWrite& write) {
  Json json = json_of(write.point);
  json.update({{"before", write.before},
               {"after", write.after},
               {"earlier", json_of(write.earlier)},
               {"later", json_of(write.later)}});
  return json;
}

Json json_of(const ExplainedCell& cell) {
  return {{"cell", json_of(cell.cell)}, {"writes", cell.writes}, {"result", cell.result}};
}

template <class Part>
Json list_of(const std::vector<Part>& parts) {
  Json list = Json::array();
  for (const Part& part : parts) list.push_back(json_of(part));
  return list;
}

Json json_of(const Explanation& explanation) {
  return {{"operator", explanation.operator_name},
          {"equation", explanation.equation},
          {"numpy", explanation.numpy},
          {"points", explanation.points},
          {"searched", explanation.searched},
          {"illegal", explanation.illegal},
          {"walks", list_of(explanation.walks)},
          {"writes", list_of(explanation.writes)},
          {"cells", list_of(explanation.cells)}};
}

void print(const Explanation& explanation, Console& console) {
  if (console.json()) return console.print_json(json_of(explanation));
  // Names come from the operator table and strings are made printable by explain().
  console.print_verbatim(to_text(explanation));
}

Explanation explain_operator(const ExplainArguments& arguments,
                             const std::vector<std::string>& words, const ExplainOptions& options) {
  const OperatorId id = parse_operator_id(arguments.name, arguments.version);
  const OperatorInfo info = find_operator(id).value();
  const Attributes attributes = parse_attributes(info, arguments.attributes);
  const ExplainInputs inputs = parse_explain_inputs(info, words);
  return explain(id, attributes, inputs.views, arguments.flags.options(), options).value();
}

Explanation explain_node(const ExplainArguments& arguments, const std::vector<std::string>& words,
                         const ExplainOptions& options) {
  if (!words.empty())
    fail(ErrorCode::kInvalidArgument,
         "a model's inputs are given by --input NAME=FILE; not known: " + words.front());
  if (arguments.question.node.empty())
    fail(ErrorCode::kInvalidArgument, "--node is required with a model");
  if (!arguments.attributes.empty() || arguments.version)
    fail(ErrorCode::kInvalidArgument, "the model says attributes and version of its nodes");
  NodeQuestion question = arguments.question;
  question.model = arguments.name;
  const NodeCall call = find_node_call(question);
  return explain(call.id, call.attributes, call.inputs, arguments.flags.options(), options).value();
}

int explain_words(const ExplainArguments& arguments, const std::vector<std::string>& words,
                  Console& console) {
  ExplainOptions options;
  options.most_points = arguments.most;
  print(names_model(arguments.name) ? explain_node(arguments, words, options)
                                    : explain_operator(arguments, words, options),
        console);
  return kFine;
}

}  // namespace

void add_explain(CLI::App& app, Invocation& chosen) {
  CLI::App& command =
      *app.add_subcommand("explain", "Show where every element of one call comes from, and why");
  auto arguments = std::make_shared<ExplainArguments>();
  command
      .add_option(
          "OPERATOR", arguments->name,
          "As in: onnx.GatherND, openvino.Gather, tensorrt.Gather, array.Take; or an ONNX or "
          "OpenVINO model")
      ->required()
      ->type_name("");
  command.add_option("--attr", arguments->attributes, "An attribute; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  command
      .add_option("--version", arguments->version,
                  "The version, as its dialect counts (ONNX: an opset; OpenVINO: the operator's "
                  "own); without it, the newest")
      ->type_name("NUMBER");
  command
      .add_option("--node", arguments->question.node,
                  "The node of a model by its name, or by a value that it gives")
      ->type_name("NAME");
  command
      .add_option("--input", arguments->question.inputs,
                  "A tensor for an input of the node; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=FILE");
  command
      .add_option("--random", arguments->question.seed,
                  "Fill the node's other inputs with random numbers and legal indices")
      ->type_name("SEED");
  command
      .add_option("--dim", arguments->question.dims,
                  "The value of a symbolic dimension, or of INPUT.AXIS; repeat for each")
      ->allow_extra_args(false)
      ->type_name("NAME=NUMBER");
  command.add_option("--most", arguments->most, "Elements or updates to show at most (64)")
      ->check(CLI::Range(1, 1 << 20))
      ->type_name("COUNT");
  arguments->flags.add_options_to(command);
  add_json_flag(command, chosen);
  command.allow_extras();
  command.footer(kFooter);
  command.callback([arguments, &command, &chosen] {
    chosen.action = [arguments, words = command.remaining()](Console& console) {
      return explain_words(*arguments, words, console);
    };
  });
}

}  // namespace windrow::tool
