#ifndef WINDROW_TOOLS_WINDROW_COMMAND_H_
#define WINDROW_TOOLS_WINDROW_COMMAND_H_

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "windrow/check.h"
#include "windrow/check_fields.h"
#include "windrow/explain.h"
#include "windrow/fix.h"
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

// What the program that contains the command can do. A function is empty if it can't.
struct CommandHooks {
  RunInHost run_in_host = {};  // for models with operators that can't run here: an error without it
  // InferOptions::infer_others for ONNX models.
  std::function<Result<GraphValueInfos>(const Model&)> infer_others = {};
  CheckInHost check_in_host = {};
  FixInHost fix_in_host = {};
  ObserveInHost observe_in_host = {};
};

// A report with the name of the model that was checked.
struct CheckedModel {
  std::string model;
  CheckReport report;
  std::optional<FixOutcome> fixes = std::nullopt;  // absent: no change was asked for
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

// The JSON document of `windrow explain --json`; "comparisons" is a member if there are any.
std::string explanation_json(const Explanation& explanation,
                             const std::vector<Comparison>& comparisons);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_COMMAND_H_
