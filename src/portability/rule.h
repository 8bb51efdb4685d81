#ifndef WINDROW_PORTABILITY_RULE_H_
#define WINDROW_PORTABILITY_RULE_H_

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/portability/node_view.h"
#include "windrow/check.h"

// What a rule is inside of the library: its row, and what its function says of a node.
namespace windrow::internal {

// A bound on elements: a number, or `offset` plus, or minus if `is_minus`, an extent.
struct Bound {
  std::string extent;  // "table.shape[0]"; empty: the bound is `offset`
  bool is_minus = false;
  std::int64_t offset = 0;
  friend bool operator==(const Bound&, const Bound&) = default;
};

// "7", "table.shape[0] - 1", "-table.shape[0]"
std::string to_string(const Bound& bound);

// What must hold of the elements of an input so that a rule's condition does not.
struct Demand {
  std::optional<Bound> low = std::nullopt;
  std::optional<Bound> high = std::nullopt;
  std::string words = {};  // what bounds cannot say, behind the input's name: "must not be NaN"
};

// A demand, and the input of the node whose elements it is about.
struct DemandOn {
  const InputView* input;
  Demand demand;
};

// What a rule's function says of a node.
struct Judgement {
  Verdict verdict = Verdict::kCan;
  std::string what;  // a clause: "indices[1] is 7, but axis 0 of data has 4 elements"
  // Of values: the input, and the position and the text of the first element that meets the
  // condition.
  const InputView* input = nullptr;
  std::vector<std::int64_t> position = {};
  std::string value = {};
  // Of kCan: what together keeps the condition from holding. If each of these inputs has the
  // elements of an input of the model, it is the caller's to keep to. Empty: nothing that a caller
  // could do.
  std::vector<DemandOn> demands = {};
  Evidence evidence = Evidence::kConstant;
  Premises premises = {};
};

// Verdicts on what does not depend on values.
Judgement cannot(std::string what);
Judgement can(std::string what);
Judgement happens(std::string what);
// `holds` absent: it may.
Judgement verdict_of(std::optional<bool> holds, std::string what);
// The same, `words()` being what is said, if it is shown.
template <class Words>
Judgement verdict_on(const NodeView& node, std::optional<bool> holds, const Words& words) {
  return verdict_of(holds, holds == false && !node.shows_cannot ? std::string() : words());
}

// Judges a node by one rule; nothing where the rule does not speak of such a node.
using Judge = std::optional<Judgement> (*)(const NodeView&);

// A row of the table.
struct RuleRow {
  const char* label;
  const char* sentence;
  const char* fix;
  const char* provocation;
  const char* example;
  unsigned families;  // the nodes that it speaks of
  unsigned dialects;
  Judge judge;  // null: the rule belongs to what runs hosts
  std::vector<RuleEffect> effects;
  // Its effects are those on runtimes that do not read the dialect: what a conversion meets.
  bool is_of_conversion = false;
  // Judged only for targets with a version: its effects are those of releases that few still use.
  bool needs_version = false;
};

// Every rule; the positions are those of portability_rules().
const std::vector<RuleRow>& rule_rows();

// Whether a runtime reads models of that dialect.
bool reads(const std::string& runtime, Dialect dialect);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_RULE_H_
