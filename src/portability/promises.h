#ifndef WINDROW_PORTABILITY_PROMISES_H_
#define WINDROW_PORTABILITY_PROMISES_H_

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "src/portability/rule.h"
#include "windrow/check.h"

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

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_PROMISES_H_
