#ifndef WINDROW_PORTABILITY_CONTRACTS_H_
#define WINDROW_PORTABILITY_CONTRACTS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/portability/targets.h"
#include "windrow/check.h"
#include "windrow/models.h"

// What the caller says of the elements of a model's inputs (CheckOptions::assume), held against
// what rules demand of them; and what a run's inputs say of the premises of a report.
namespace windrow::internal {

// The premises under which a condition that all of an input's interval meets is met in a run: those
// of the interval and, if the input may be empty, that it is not. Nothing if the input may be empty
// and the caller says nothing of its elements: then no run has to meet the condition.
std::optional<Premises> premises_of_certain(const InputView& input, Extents& extents);

// Whether it depends on the model's caller alone that the condition of a kCan judgement does not
// hold.
bool is_contract(const Judgement& judgement);

// The demands of a contract that the caller's promises do not keep: an input of which something is
// promised may have elements that meet the condition. The others stay demands on the caller.
std::vector<const DemandOn*> broken_demands(const Judgement& judgement,
                                            const CheckOptions& options);

// The judgement of a contract's rule as a finding on these demands, which are not empty.
Judgement judgement_of_broken(Judgement judgement, const std::vector<const DemandOn*>& broken,
                              const Extents& extents);

// Holds the premises of a report's findings against the shapes of a run's inputs. Errors:
// kInvalidArgument for one that they break.
Status check_premises(const CheckReport& report, std::span<const Extents* const> proofs,
                      const std::map<std::string, Shape, std::less<>>& run_shapes);

// The demands on the inputs of a model, joined over the rules that make them.
class Contracts {
 public:
  // Adds a demand that `rule` makes at the node `path` on the elements of a model's input.
  void add(const std::string& input, const Demand& demand, const std::string& rule,
           const std::string& path);

  // One contract for each input with demands, in the order of `inputs`.
  std::vector<InputContract> list(const std::vector<ValueInfo>& inputs) const;

 private:
  struct Bounds {
    std::vector<Bound> lows;  // all must hold; at most one is a number
    std::vector<Bound> highs;
    void add(const std::optional<Bound>& low, const std::optional<Bound>& high);
    // "0", "max(-4, -table.shape[0])"; empty without bounds.
    std::string low() const;
    std::string high() const;
  };
  struct Joined {
    Bounds bounds;  // of all elements
    // Of the columns along the last axis, by the number of columns.
    std::map<std::size_t, std::vector<Bounds>> columns;
    std::vector<std::string> words;
    std::vector<std::string> rules;
    std::vector<std::string> nodes;
  };
  static std::string columns_text(const Joined& joined, std::vector<Bounds> columns);
  static InputContract contract_of(const std::string& input, const Joined& joined);

  std::map<std::string, Joined, std::less<>> by_input_;
};

// Follows values back to the inputs of a model from whose elements they are computed.
class InputTrace {
 public:
  // `model` must outlive the object.
  explicit InputTrace(const Model& model);

  // The integer inputs of the main graph from whose elements the value may be computed, the nearest
  // ones first; at most `most`. Values of the same name in several graphs count as one. The inputs
  // of a function lead nowhere.
  std::vector<std::string> inputs_of(const std::string& value, std::size_t most) const;

 private:
  void add_graph(const Graph& graph);

  std::map<std::string_view, bool> is_integer_;  // the inputs of the main graph
  // For each value, the names of those from whose elements it is computed.
  std::map<std::string_view, std::vector<std::string_view>> sources_;
};

// A finding of a report with indices of which nothing is known, and their value's name.
struct OpenFinding {
  std::size_t finding;
  std::string value;
};

// Adds to open findings which inputs of the model, and which option, would settle them:
// `check_with` gives the report under other options, which shows that they do. Findings with more
// than three such inputs stay as they are.
void name_settling_inputs(const Model& model, const CheckOptions& options,
                          const std::vector<OpenFinding>& open,
                          const std::function<Result<CheckReport>(const CheckOptions&)>& check_with,
                          CheckReport& report);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_CONTRACTS_H_
