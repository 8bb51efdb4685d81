#ifndef WINDROW_CHECK_H_
#define WINDROW_CHECK_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windrow/export.h"
#include "windrow/inference.h"
#include "windrow/status.h"
#include "windrow/tensor.h"

// Where runtimes differ on a model (docs/design/portability.md). In the library windrow::models.
namespace windrow {

class Model;

// What a runtime does where a rule's condition holds, worst first.
enum class Severity : std::uint8_t {
  kFails,      // refuses the model, or the run ends with an error or a crash
  kSilent,     // silently computes something else than the specification says
  kUndefined,  // the specification leaves the result open, and it varies
  kSlow,
};

// Whether a run can meet a rule's condition.
enum class Verdict : std::uint8_t {
  kCannot,   // proved, under the premises that the finding lists
  kCan,      // neither proved nor observed
  kHappens,  // in every run that reaches the node, or in the observed values
};

// What a verdict rests on.
enum class Evidence : std::uint8_t {
  kConstant,  // attributes, types, shapes and constants
  kRange,     // intervals of values
  kInputs,    // values observed in a run
};

// "fails", ...; "cannot", ...; "constant", ...; and back.
WINDROW_EXPORT std::string_view severity_name(Severity severity) noexcept;
WINDROW_EXPORT std::optional<Severity> parse_severity(std::string_view name) noexcept;
WINDROW_EXPORT std::string_view verdict_name(Verdict verdict) noexcept;
WINDROW_EXPORT std::optional<Verdict> parse_verdict(std::string_view name) noexcept;
WINDROW_EXPORT std::string_view evidence_name(Evidence evidence) noexcept;
WINDROW_EXPORT std::optional<Evidence> parse_evidence(std::string_view name) noexcept;

// What one runtime does where a rule's condition holds.
struct RuleEffect {
  std::string runtime;  // "onnxruntime"
  std::string device;   // "cpu", "cuda", ...
  std::string since;    // the first version known to have it; empty: any
  std::string until;    // the last version that has it; empty: no end is known
  Severity severity = Severity::kSilent;
  std::string effect;  // a sentence
  bool ran = false;    // whether it was observed in a run; if not, it was read in `source`
  std::string source;  // the document that says so, or the version that was run
  std::string seen;    // the date of the last verification: "2026-11-23"
};

// One condition under which runtimes differ.
struct PortabilityRule {
  std::string label;     // "scatter-nd-duplicates"
  std::string sentence;  // the condition
  std::string fix;       // what to change in the model
  // A node that shows it, as JSON: {"dialect", "operator", "version", "attributes", "inputs":
  // [["float32", [4, 3]], ...]}; an input may have a third element, its values, and
  // is null if it is omitted. "domain" is there for operators that the library does not compute.
  std::string example;
  // The kind of inputs that show it on a node for which the condition can hold: "any" that are
  // legal, "index-above", "index-below", "index-negative", "index-wide" (beyond 32 bits),
  // "duplicates", "race" (very many duplicates), "nan", "both-zeros", "wide-integers",
  // "wide-floats", "negative-sums", "fine-sums" (which round differently in wider types); empty:
  // none do.
  std::string provocation;
  std::vector<RuleEffect> effects;
};

// Every rule, in the order of the guide.
WINDROW_EXPORT std::span<const PortabilityRule> portability_rules();

// The rules that nodes must keep by the definitions of their operators, by their labels in
// docs/operators ("ONNX-Gather-A1"), and those about a node's opset and outputs. A finding of such
// a rule names a node that breaks it. Its sentence says what must hold; it has no example and no
// provocation, and its effects are those that were observed.
WINDROW_EXPORT std::span<const PortabilityRule> operator_rules();

// What the check knows of an operator that the library does not compute: an input of indices, or
// that it has none.
struct IndexingInput {
  std::string domain;  // "com.microsoft"; "" for ONNX; "openvino" for OpenVINO's own format
  std::string name;    // the operator's
  std::string input;   // the input of indices; empty: it has none, for the reason `why`
  std::string why;     // why the indices are not judged; empty: they are
};

// Every such operator, several times if it has several inputs of indices.
WINDROW_EXPORT std::vector<IndexingInput> indexing_inputs();

// A runtime that a model is meant for. An empty device means any. An empty version means the
// newest; effects that only older versions have are then left out.
struct RuntimeTarget {
  std::string runtime;
  std::string device;
  std::string version;
};

// Parses "onnxruntime:cpu@1.31,tensorrt@10.3". A device that only one runtime has may stand alone:
// "coreml" is "onnxruntime:coreml". A runtime that no rule knows is no error: the report has a note
// on it, and it is judged by the specification. Errors: kInvalidArgument (an empty name, or a
// version that is no number).
WINDROW_EXPORT Result<std::vector<RuntimeTarget>> parse_targets(std::string_view text);

// The caller's assumption about the elements of an integer input, both ends included.
struct AssumedRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

// The values at a node in a run, in the node's order; null for values that were not observed.
struct ObservedNode {
  std::vector<std::shared_ptr<const Tensor>> inputs;
  std::vector<std::shared_ptr<const Tensor>> outputs;
};

struct CheckOptions {
  std::vector<RuntimeTarget> targets;  // empty: every runtime that the rules know
  std::vector<std::string> select;     // labels of rules, or prefixes of labels; empty: all
  std::vector<std::string> ignore;     // likewise
  std::map<std::string, AssumedRange, std::less<>> assume;  // by input
  bool show_cannot = false;                                 // also findings that are kCannot
  InferOptions infer;
  std::map<std::string, ObservedNode, std::less<>> observed;  // by the node's path
  // Values of inputs of the model. If there are any, the report is about runs on these values only;
  // then findings have the evidence kInputs, and in bodies and functions, which a run need not
  // reach, kHappens means: in every run that reaches the node.
  std::map<std::string, std::shared_ptr<const Tensor>, std::less<>> given;
  // The shapes of the inputs of a run that is about to follow. A premise of the report that they
  // break is an error.
  std::map<std::string, Shape, std::less<>> run_shapes;
};

// An element for which a host's result differs from this library's.
struct FirstDifference {
  std::vector<std::int64_t> position;  // in the node's first output; empty for a scalar
  std::string got;
  std::string expected;  // this library's
};

// How runs of a node in a host compare with this library's result for the same inputs.
struct ObservedDifference {
  std::string runtime;         // "onnxruntime:cpu@1.31.1"
  std::int64_t runs = 0;       // number of runs compared
  std::int64_t differing = 0;  // number of runs that differ
  FirstDifference first;       // the first differing element of the first run that differs
};

// What a runtime does with a node that meets a rule's condition.
struct FindingEffect {
  std::string runtime;  // "onnxruntime:cpu"
  Severity severity = Severity::kSilent;
  std::string effect;  // without a subject: "gives zeros"
};

// What a runtime did with a node alone, on inputs that provoke a rule.
struct TriedEffect {
  std::string runtime;  // "onnxruntime:cpu@1.31.1"
  std::string outcome;  // "refused: ...", "crashed: ...", "differs: ...", "as specified"
  // Compared with the rule's effect: "agrees", "no longer shown", "worse"; "not seen" where the
  // effect leaves the result open and the outcome was the same as Windrow's.
  std::string agreement;
};

// A rule that applies to a node.
struct PortabilityFinding {
  std::string rule;
  std::string node;           // its path, as in NodePlace
  std::string operator_name;  // "onnx.Gather-13"
  // "onnxruntime:cpu": the requested ones for which the rule has an effect.
  std::vector<std::string> runtimes;
  Severity severity = Severity::kSilent;
  Verdict verdict = Verdict::kCan;
  std::vector<std::string> premises;
  Evidence evidence = Evidence::kConstant;
  std::string input;  // the operator's name of the input it is about; may be empty
  std::vector<std::int64_t>
      position;       // of the first element that meets the condition; may be empty
  std::string value;  // the value of that element; may be empty
  std::string what;   // the condition on this node: "indices[2] is 7, but axis 0 takes -4 to 3"
  std::vector<FindingEffect> effects;  // in the order of `runtimes`
  std::string message;                 // the condition and the effects, complete by itself
  std::string fix;
  std::optional<ObservedDifference> observed;  // absent: nothing was run, or nothing differed
  std::vector<TriedEffect> tried;
  // Whether every index was in range in the given values, so that the finding fails no check: the
  // verdict is kCan, the rule is about a range, and no assumption allows what breaks it.
  bool observed_in_range = false;
};

// What the caller of the model must ensure: the verdict of a rule is kCan because of an input of
// the model.
struct InputContract {
  std::string input;
  std::string low;   // "0", "-4", "-table.shape[0]"
  std::string high;  // "30521", "table.shape[0] - 1"
  std::vector<std::string> rules;
  std::vector<std::string> nodes;  // at most 8 of the nodes that read the input
  std::string sentence;            // "ids must lie in 0 to 30521"
};

// Inputs of indices that the check leaves out, and why.
struct UnjudgedOperator {
  std::string operator_name;       // "onnx.SequenceAt-11"
  std::string input;               // the operator's name of the input: "position"
  std::size_t count = 0;           // number of nodes
  std::vector<std::string> nodes;  // the paths of the first 8
  std::string why;
  std::string sentence;  // the operator, the count and the reason, complete by itself
};

struct CheckReport {
  std::vector<PortabilityFinding> findings;  // in the order of nodes; at most 10000,
                                             // among them the severest
  std::size_t left_out = 0;                  // number of findings left out
  std::vector<InputContract> contracts;      // in the order of the model's inputs
  std::vector<std::string> notes;            // what could not be checked
  std::vector<UnjudgedOperator> not_judged;  // in the order of their first nodes; at most 1000
  std::size_t nodes = 0;                     // number of nodes that were checked
};

// Applies every rule that has an effect on a target to every gather and scatter node, and to those
// nodes of other operators whose indices rules know. Errors: those of Model::infer;
// kInvalidArgument (an unknown label, an assumption about something that is not an integer input).
WINDROW_EXPORT Result<CheckReport> check(const Model& model, const CheckOptions& options = {});

// What is proved of a model, once, by which the values of any number of runs are then judged.
class WINDROW_EXPORT ProvedModel {
 public:
  // The model must outlive the object. Errors: those of check().
  static Result<ProvedModel> of(const Model& model, const CheckOptions& options = {});
  ProvedModel(ProvedModel&& other) noexcept;
  ProvedModel& operator=(ProvedModel&& other) noexcept;
  ~ProvedModel();

  // What check() gives.
  const CheckReport& report() const noexcept;
  // The findings on these nodes, by their paths, as check() gives them with CheckOptions::observed,
  // but without naming inputs that would settle them. One thread at a time may call this.
  std::vector<PortabilityFinding> judge(std::map<std::string, ObservedNode, std::less<>> observed);

 private:
  class Impl;
  explicit ProvedModel(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace windrow

#endif  // WINDROW_CHECK_H_
