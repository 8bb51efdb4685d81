#include <memory>
#include <string>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/explain_inputs.h"
#include "tools/windrow/explain_words.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/playground_call.h"

namespace windrow::tool {
namespace {

constexpr char kPlaygroundFooter[] =
    "One page, which explains calls of all operators without a network. Inputs are given as for\n"
    "windrow explain; tensors of files must have few elements. Without an operator the page opens\n"
    "with a call of its own. A browser is opened by the command of the Python package; the "
    "address\n"
    "is printed in any case.\n\n"
    "Examples:\n"
    "  windrow playground\n"
    "  windrow playground onnx.GatherND --data 3x4x2 --indices '[[0,1],[2,-1]]'\n"
    "  windrow playground onnx.Gather --data 4x --indices '[1,7]' --as openvino.Gather "
    "--no-browser\n"
    "  windrow playground onnx.Gather --data 4x --indices indices.npy --out page.html\n";

struct PlaygroundArguments {
  ExplainWords call;  // without inputs
  std::string other;  // --as
  std::string out;
  bool no_browser = false;
  CallFlags flags;
};

// Null if no operator is named.
Json named_call(const PlaygroundArguments& arguments, const std::vector<std::string>& inputs) {
  ExplainWords words = arguments.call;
  words.inputs = inputs;
  const bool is_told = !words.attributes.empty() || !words.dtypes.empty() || words.version ||
                       !inputs.empty() || !arguments.other.empty() ||
                       arguments.flags.change_options();
  if (words.name.empty() && is_told)
    fail(ErrorCode::kInvalidArgument,
         "what is said of a call needs its operator, as in windrow playground onnx.Gather --data "
         "4x --indices '[1,-1]'");
  if (words.name.empty()) return nullptr;
  if (names_model(words.name))
    fail(ErrorCode::kUnsupported,
         words.name + ": the playground takes operators; windrow explain shows nodes of models");
  InputFiles files;
  return playground_call(words, arguments.flags.options(), arguments.other,
                         [&files](const std::string& word, const std::string& name, DType type) {
                           return files.load_tensor(word, name, type);
                         });
}

int write_page(const std::string& path, const std::string& page, Console& console) {
  OutputFiles::check_targets({{"--out", path, OutputFiles::Content::kText}}, console);
  OutputFiles file(path, OutputFiles::Into::kFile, ".html");
  file.add_text(page, path);
  file.commit();
  if (console.json()) console.print_json({{"out", path}});
  console.print_line({"wrote ", shown_output(path)});
  return kFine;
}

int show_playground(const PlaygroundArguments& arguments, const std::vector<std::string>& inputs,
                    const CommandHooks& hooks, Console& console) {
  const Json call = named_call(arguments, inputs);
  const std::string path = hooks.playground_page ? hooks.playground_page() : std::string();
  if (!arguments.out.empty()) return write_page(arguments.out, page_with_call(path, call), console);
  const std::string address = page_address(path, call);
  if (console.json()) console.print_json({{"address", address}});
  console.print_line(address);
  if (arguments.no_browser || !hooks.open_in_browser) return kFine;
  console.flush();
  if (!hooks.open_in_browser(address).value())
    console.warn("no browser could be started: open the address in one");
  return kFine;
}

}  // namespace

void add_playground(CLI::App& app, Invocation& chosen) {
  CLI::App& command = *app.add_subcommand(
      "playground", "Open the page that explains calls in a browser, or write it to a file");
  auto arguments = std::make_shared<PlaygroundArguments>();
  command
      .add_option("OPERATOR", arguments->call.name,
                  "The operator of the call with which the page opens, as in onnx.GatherND")
      ->type_name("");
  add_word_options(command, arguments->call);
  command
      .add_option("--as", arguments->other,
                  "Another operator, with whose result for the same inputs the page compares")
      ->type_name("OPERATOR");
  command.add_option("--out,-o", arguments->out, "Write the page to this file and open no browser")
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command.add_flag("--no-browser", arguments->no_browser, "Print the page's address alone");
  arguments->flags.add_options_to(command);
  add_json_flag(command, chosen);
  command.allow_extras();
  command.footer(kPlaygroundFooter);
  command.callback([arguments, &command, &chosen] {
    chosen.action = [arguments, words = command.remaining(),
                     &hooks = chosen.hooks](Console& console) {
      return show_playground(*arguments, words, hooks, console);
    };
  });
}

}  // namespace windrow::tool
