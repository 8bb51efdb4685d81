#ifndef WINDROW_PORTABILITY_TARGETS_H_
#define WINDROW_PORTABILITY_TARGETS_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/portability/node_view.h"
#include "windrow/check.h"

// A rule inside the library: its row, and the judgement of a node by its function.
namespace windrow::internal {

// A bound on elements: a number, or an extent, or minus an extent, plus an offset.
struct Bound {
  std::string extent;  // "table.shape[0]"; empty if the bound is the number `offset`
  bool is_minus = false;
  std::int64_t offset = 0;
  friend bool operator==(const Bound&, const Bound&) = default;
};

// "7", "table.shape[0] - 1", "-table.shape[0]"
std::string to_string(const Bound& bound);

// Bounds on the elements of one column of index tuples.
struct ColumnBounds {
  std::optional<Bound> low;
  std::optional<Bound> high;
};

// What must hold of the elements of an input so that they do not meet a rule's condition.
struct Demand {
  std::optional<Bound> low = std::nullopt;
  std::optional<Bound> high = std::nullopt;
  std::string words =
      {};  // a demand that is not a bound, after the input's name: "must not be NaN"
  // The bounds of each column of index tuples, along the input's last axis, if they differ; `low`
  // and `high` are absent then.
  std::vector<ColumnBounds> columns = {};
  // Whether an interval in which all elements lie can fulfil it: there are bounds, or `words` are
  // about them.
  bool is_of_interval = false;
};

// A demand, and the input of the node whose elements it is about.
struct DemandOn {
  const InputView* input;
  Demand demand;
  std::string what = {};  // Judgement::what of this input, if a judgement is of several; else empty
};

// The judgement of a node by a rule's function.
struct Judgement {
  Verdict verdict = Verdict::kCan;
  std::string what;  // a clause: "indices[1] is 7, but axis 0 of data has 4 elements"
  // For conditions on values: the input, and the position and the text of the first element that
  // meets the condition.
  const InputView* input = nullptr;
  std::vector<std::int64_t> position = {};
  std::string value = {};
  // For kCan: demands that together rule the condition out. If each of these inputs has elements of
  // an input of the model, the model's caller can fulfil them. Empty if no caller could.
  std::vector<DemandOn> demands = {};
  Evidence evidence = Evidence::kConstant;
  Premises premises = {};
  // Whether nothing is known of the elements of `input`.
  bool knows_nothing = false;
};

// The judgement of an input of which intervals are all that is known: kCannot if they rule the
// condition out (`is_proved`), else kCan with the demand on the input.
Judgement verdict_by_range(const InputView& input, bool is_proved, std::string what, Demand demand);

// Judgements by conditions that do not depend on values.
Judgement cannot(std::string what);
Judgement can(std::string what);
Judgement happens(std::string what);
// kCan if `holds` is absent.
Judgement verdict_of(std::optional<bool> holds, std::string what);
// The same, with the text that `words()` gives if the verdict is shown.
template <class Words>
Judgement verdict_on(const NodeView& node, std::optional<bool> holds, const Words& words) {
  return verdict_of(holds, holds == false && !node.shows_cannot ? std::string() : words());
}

// "the operator is onnx.Gather-13"
inline std::string operator_text(const NodeView& node) {
  return "the operator is " + node.operator_name();
}

// Judges a node by one rule; nothing if the rule does not apply to the node.
using Judge = std::optional<Judgement> (*)(const NodeView&);

// A node that meets a rule's condition, from which PortabilityRule::example is made.
struct ExampleNode {
  const char* operator_name = "";  // "onnx.Gather-13"; empty: the rule has no example
  const char* inputs = "";         // elements of a list in JSON: type, shape and perhaps elements
  const char* attributes = "";     // members of an object in JSON
  const char* domain = "";         // of an operator that the library does not compute
};

// A row of the table.
struct RuleRow {
  const char* label;
  const char* sentence;
  const char* fix;
  const char* provocation = "any";  // whatever the inputs are
  ExampleNode example = {};
  unsigned families;  // of the nodes to which the rule applies
  unsigned dialects;
  Judge judge = nullptr;  // null: a rule about runs of hosts
  // The judge of rules whose condition holds wherever this one's does. Where a runtime has a
  // finding by such a rule, this rule's effect is told there.
  Judge implies = nullptr;
  std::vector<RuleEffect> effects = {};
  // Whether the effects are those of a conversion to runtimes that do not read the dialect.
  bool is_of_conversion = false;
  // What the specification says where the condition holds: "calls it an error". Empty: the result
  // is specified, and only some runtimes fail to give it.
  const char* specification = "";
};

// The judgement by the rule of the row. A verdict that the node's types and shapes decide only
// under premises lists these. The result may refer to `node` and to what it owns.
std::optional<Judgement> judge_under_premises(const RuleRow& row, const NodeView& node);

// Every rule, in the order of portability_rules().
const std::vector<RuleRow>& rule_rows();

// Whether a runtime reads models of that dialect.
bool reads(const std::string& runtime, Dialect dialect);

// Whether one of the targets has the effect: the runtime is the same, the device is the same if the
// target names one, and the version is among the effect's. A target's version includes all versions
// that begin with it, as 10 includes 10.3. A target without a device includes no device that few
// have, such as onnxruntime:coreml. A target without a version is the newest, which has the
// effects that have no last version.
bool is_effect_on(const RuleEffect& effect, std::span<const RuntimeTarget> targets);

// The runtimes of the rules that the targets name, or, if there are no targets, all that are told
// unasked: "onnxruntime:cpu", in the order of the targets and, within one, of the names. A target
// that no rule knows is itself one.
std::vector<std::string> runtimes_of(std::span<const RuntimeTarget> targets);

// Whether the effect is told where no target is named: it is of the newest version, and of a
// runtime that is not told on request only.
bool is_told_unasked(const RuleEffect& effect);

// The runtimes that the targets name, or all if there are no targets: "onnxruntime:cpu", in the
// order of the targets and, within one, of the names. A target that no rule knows is its own name.
std::vector<std::string> runtimes_of(std::span<const RuntimeTarget> targets);

// Errors: kInvalidArgument (a runtime without a name, or a version that does not consist of numbers
// separated by points).
Status check_target(const RuntimeTarget& target);

// A runtime that is named by its device alone, such as "coreml", where only one runtime has this
// device; else the target itself.
RuntimeTarget whole_target(const RuntimeTarget& target);
// "onnxruntime:cpu", or the runtime alone if the target has no device.
std::string name_of(const RuntimeTarget& target);
// Whether a rule knows the runtime and, if the target names one, the device.
bool is_known(const RuntimeTarget& target);
// Whether the runtime was examined for every rule. Of others a rule without an effect says nothing.
bool is_well_known(const RuntimeTarget& target);
// A note that no rule knows the target, with the nearest known name.
std::string unknown_text(const RuntimeTarget& target);
// What is said of a target that is not well known where the specification says `specification` of a
// rule's condition.
RuleEffect effect_of_unknown(const RuntimeTarget& target, const char* specification);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_TARGETS_H_
