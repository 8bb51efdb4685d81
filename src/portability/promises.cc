#include "src/portability/promises.h"

#include <algorithm>
#include <string>
#include <utility>

namespace windrow::internal {

std::optional<Premises> premises_of_certain(const InputView& input, Extents& extents) {
  const Premises& premises = input.fact.range.premises;
  if (input.has_elements()) return premises;
  if (input.is_empty() || extents.assumptions_among(premises).empty()) return std::nullopt;
  return united(premises, extents.premise(std::string(input.name) + " has an element"));
}

bool is_contract(const Judgement& judgement) {
  return !judgement.demands.empty() &&
         std::all_of(judgement.demands.begin(), judgement.demands.end(),
                     [](const DemandOn& asked) { return !asked.input->fact.source_input.empty(); });
}

std::vector<const DemandOn*> broken_demands(const Judgement& judgement,
                                            const CheckOptions& options) {
  std::vector<const DemandOn*> broken;
  for (const DemandOn& asked : judgement.demands) {
    if (asked.demand.is_of_interval && options.assume.contains(asked.input->fact.source_input))
      broken.push_back(&asked);
  }
  return broken;
}

Judgement judgement_of_broken(Judgement judgement, const std::vector<const DemandOn*>& broken,
                              const Extents& extents) {
  const DemandOn& first = *broken.front();
  judgement.input = first.input;
  if (!first.what.empty()) judgement.what = first.what;
  for (const DemandOn* asked : broken)
    judgement.premises =
        united(judgement.premises, extents.assumptions_among(asked->input->fact.range.premises));
  return judgement;
}

}  // namespace windrow::internal
