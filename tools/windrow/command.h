#ifndef WINDROW_TOOLS_WINDROW_COMMAND_H_
#define WINDROW_TOOLS_WINDROW_COMMAND_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/console.h"
#include "windrow/check.h"
#include "windrow/check_fields.h"
#include "windrow/explain.h"
#include "windrow/fix.h"
#include "windrow/lowest_opset.h"
#include "windrow/models.h"

namespace windrow::tool {

// Runs the model of a file as a whole in a host runtime: path, host ("": any), inputs, threads
// (0: the host's choice). Outputs in the graph's order. Errors: kUnsupported if there is no host,
// kOutOfMemory, kInvalidArgument with the host's own message.
using RunInHost = std::function<Result<NamedTensors>(
    const std::string& path, const std::string& host, const NamedViews& inputs, int threads)>;

// Tensors for inputs of a model, by name; null: none.
using GivenTensors = std::shared_ptr<const NamedTensors>;

// Runs the part of a model before a node in a host runtime: path, the node's name, inputs of the
// model. Returns the values that the node reads, by the names of its inputs. Errors: as for
// RunInHost.
using ObserveInHost = std::function<Result<NamedTensors>(
    const std::string& path, const std::string& node, const NamedTensors& inputs)>;

// What `windrow check` was asked for.
struct CheckRequest {
  std::string model;     // a path
  std::string runtimes;  // as parse_targets() reads them; empty: every one
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::map<std::string, AssumedRange, std::less<>> assume;
  bool show_cannot = false;
  GivenTensors inputs;
  bool attempt = false;  // to run suspected nodes alone
  std::string host;      // "": any
  // How often every gather and scatter node is repeated; absent: 20 times those of rules on races.
  std::optional<std::int64_t> runs;
  std::optional<double> tolerance;  // of floats in two hosts; absent: by type
  bool strict = false;  // whether indices that were in range in the given values excuse nothing
};

// Checks a model, including what only runs in host runtimes can show. Errors: those of the library,
// kUnsupported if there is no host.
using CheckInHost = std::function<Result<CheckReport>(const CheckRequest& request)>;

// What `windrow check --fix` was asked for.
struct FixRequest {
  std::string model;    // a path
  std::string out;      // the file to write
  GivenTensors inputs;  // with which runs are compared; null: samples are drawn
  bool unsafe = false;  // FixOptions::unsafe
};

// How the runs of a model before and after its change compare in one host, as in FixVerification;
// the host is "windrow" where Windrow itself runs the operators.
struct FixRuns {
  std::string host;
  int equal = 0;
  int refused = 0;
  int gained = 0;
  int repaired = 0;
  std::string failure;
  std::vector<std::string> reasons;  // a sentence for each run that is counted as refused
};

// What `windrow check --fix` changed.
struct FixOutcome {
  std::string out;  // the file that was written; empty: none, since nothing was changed
  std::vector<ModelFix> applied;
  std::vector<ModelFix> left;
  std::vector<FixRuns> runs;
  std::vector<std::string> notes;  // what was not tried, and why
};

// Changes a model that only hosts can run, verifies the change and writes the model. Errors: as for
// CheckInHost, and kInvalidArgument for a change that is not verified.
using FixInHost =
    std::function<Result<FixOutcome>(const FixRequest& request, const CheckReport& report)>;

// Opens an address in the user's browser. Returns false if none could be started.
using OpenInBrowser = std::function<Result<bool>(const std::string& address)>;

// What the program that contains the command can do. A function is empty if it can't.
struct CommandHooks {
  RunInHost run_in_host = {};  // for models with operators that can't run here: an error without it
  // InferOptions::infer_others for ONNX models.
  std::function<Result<GraphValueInfos>(const Model&)> infer_others = {};
  CheckInHost check_in_host = {};
  FixInHost fix_in_host = {};
  ObserveInHost observe_in_host = {};
  // Where the playground's page is, if this build has it.
  std::function<std::string()> playground_page = {};
  OpenInBrowser open_in_browser = {};
};

// A report with the name of the model that was checked.
struct CheckedModel {
  std::string model;
  CheckReport report;
  std::optional<FixOutcome> fixes = std::nullopt;  // absent: no change was asked for
};

// What lowest_opset() found, with the name of the model.
struct OpsetReport {
  std::string model;
  LowestOpset needs;
};

// Whether a finding that is not proved impossible is at least as severe as `fail_on`: the name of a
// severity, or "never". Errors: kInvalidArgument.
Result<bool> check_fails(const CheckReport& report, std::string_view fail_on);

// The report as `windrow check --format` writes it, with a newline at its end. `fail_on` is the
// least severity that the format "junit" counts as a failure. Errors: kInvalidArgument (an unknown
// name).
Result<std::string> format_check(const CheckedModel& checked, std::string_view format,
                                 std::string_view fail_on);

// The command `windrow` with these arguments, the first of which is its name. Reads and writes
// files and the standard streams and returns the exit code. Ignores SIGPIPE and SIGXFSZ from then
// on.
int run_command(int argc, const char* const* argv, const CommandHooks& hooks = {});

template <FieldsOf<FixRuns> Held, class Visit>
void visit_fields(Held& runs, Visit&& visit) {
  visit("host", runs.host);
  visit("equal", runs.equal);
  visit("refused", runs.refused);
  visit("gained", runs.gained);
  visit("repaired", runs.repaired);
  visit("failure", runs.failure);
  visit("reasons", runs.reasons);
}

template <FieldsOf<FixOutcome> Held, class Visit>
void visit_fields(Held& outcome, Visit&& visit) {
  visit("out", outcome.out);
  visit("applied", outcome.applied);
  visit("left", outcome.left);
  visit("runs", outcome.runs);
  visit("notes", outcome.notes);
}

// The members of the report stand beside the name; `fixes` is not among them.
template <FieldsOf<CheckedModel> Held, class Visit>
void visit_fields(Held& checked, Visit&& visit) {
  visit("model", checked.model);
  visit_fields(checked.report, visit);
}

template <FieldsOf<OpsetReport> Held, class Visit>
void visit_fields(Held& report, Visit&& visit) {
  visit("model", report.model);
  visit_fields(report.needs, visit);
}

// What the command line asks for, once it is parsed.
struct Invocation {
  CommandHooks hooks;
  bool json = false;
  std::function<int(Console&)> action;  // returns the exit code; throws windrow::Error on bad input
};

// Each adds one subcommand, which sets `chosen` when it is called.
void add_run(CLI::App& app, Invocation& chosen);
void add_verify(CLI::App& app, Invocation& chosen);
void add_call(CLI::App& app, Invocation& chosen);
void add_lookup(CLI::App& app, Invocation& chosen);
void add_inspect(CLI::App& app, Invocation& chosen);
void add_explain(CLI::App& app, Invocation& chosen);
void add_playground(CLI::App& app, Invocation& chosen);
void add_check(CLI::App& app, Invocation& chosen);
void add_ops(CLI::App& app, Invocation& chosen);
void add_tune(CLI::App& app, Invocation& chosen);
void add_completion(CLI::App& app, Invocation& chosen);

// Adds all of them, and what the command itself has.
void add_subcommands(CLI::App& app, Invocation& chosen);

// The command in one sentence.
inline constexpr char kSummary[] =
    "Runs, checks and explains gather and scatter operators exactly as ONNX, OpenVINO, TensorRT "
    "and "
    "NumPy's arrays define them.";

// The flag that every subcommand has.
CLI::Option* add_json_flag(CLI::App& subcommand, Invocation& chosen);

// perform(arguments, console) is what the subcommand does when it is called.
template <class Arguments, class Perform>
void set_action(CLI::App& subcommand, Invocation& chosen,
                const std::shared_ptr<Arguments>& arguments, Perform perform) {
  subcommand.callback([arguments, perform, &chosen] {
    chosen.action = [arguments, perform](Console& console) { return perform(*arguments, console); };
  });
}

// What the option tables of the subcommands hold, for completion, for the manual page and for
// messages.

// In the order in which they were added, without those that are hidden.
std::vector<const CLI::App*> subcommands_of(const CLI::App& app);

// The option of that name, as in "--out"; null if the subcommand has none.
const CLI::Option* find_option(const CLI::App& subcommand, const std::string& name);

// The names of an option: "--out", "-o". Empty for a positional argument.
std::vector<std::string> names_of(const CLI::Option& option);

// The values that an option is limited to; empty if it is not.
std::vector<std::string> choices_of(const CLI::Option& option);

// "FILE": what stands for its value in help texts, without the choices; empty for a flag.
std::string placeholder_of(const CLI::Option& option);

// Runs models for a subcommand. One with operators that Windrow does not have runs in a host, if
// the program that contains the command offers one; otherwise `run_in_host` is empty.
class HostModels {
 public:
  // Adds --host if there are hosts. `run_in_host` must outlive this object.
  void add_options_to(CLI::App& subcommand, const RunInHost& run_in_host);

  // Whether a host runs this model: because of its operators, or because --host names one.
  bool takes(const Model& model) const;

  // Runs the model of the file `path`, in a host if one takes it. Outputs in the graph's order.
  // `flags` are those that `options` were made of. Errors: those of Model::run; kUnsupported
  // without a host, kInvalidArgument with a host's own message or for flags that hosts do not have.
  Result<NamedTensors> run(const Model& model, const std::string& path, const NamedViews& inputs,
                           const ModelRunOptions& options, const CallFlags& flags) const;

 private:
  std::string host_;
  const RunInHost* run_in_host_ = nullptr;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMMAND_H_
