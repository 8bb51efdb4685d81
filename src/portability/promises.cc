#include "src/portability/promises.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "src/models/text.h"
#include "windrow/printable.h"

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

Status check_premises(const CheckReport& report, std::span<const Extents* const> proofs,
                      const std::map<std::string, Shape, std::less<>>& run_shapes) {
  std::map<std::string, std::int64_t, std::less<>> given;
  for (const auto& [name, shape] : run_shapes) {
    for (int axis = 0; axis < shape.rank(); ++axis)
      given.emplace(extent_name(name, static_cast<std::size_t>(axis)), shape[axis]);
  }
  for (const PortabilityFinding& finding : report.findings) {
    for (const std::string& premise : finding.premises) {
      for (const Extents* const extents : proofs) {
        const std::string how = extents->broken_by(premise, given);
        if (how.empty()) continue;
        return argument_error("the given values break the premise '", printable(premise),
                              "', on which the verdict of ", finding.rule, " on ",
                              printable(finding.node), " rests: ", printable(how));
      }
    }
  }
  return {};
}

}  // namespace windrow::internal
