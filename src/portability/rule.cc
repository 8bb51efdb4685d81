#include "src/portability/rule.h"

namespace windrow::internal {

std::string to_string(const Bound& bound) {
  if (bound.extent.empty()) return std::to_string(bound.offset);
  std::string text = (bound.is_minus ? "-" : "") + bound.extent;
  if (bound.offset > 0) text += " + " + std::to_string(bound.offset);
  if (bound.offset < 0) text += " - " + std::to_string(-bound.offset);
  return text;
}

Judgement cannot(std::string what) { return verdict_of(false, std::move(what)); }
Judgement can(std::string what) { return verdict_of(std::nullopt, std::move(what)); }
Judgement happens(std::string what) { return verdict_of(true, std::move(what)); }

Judgement verdict_by_range(const InputView& input, bool is_proved, std::string what,
                           Demand demand) {
  Judgement judgement = is_proved ? cannot(std::move(what)) : can(std::move(what));
  judgement.input = &input;
  judgement.evidence = Evidence::kRange;
  judgement.demands = {{&input, std::move(demand)}};
  return judgement;
}

Judgement verdict_of(std::optional<bool> holds, std::string what) {
  Judgement judgement;
  judgement.verdict = Verdict::kCan;
  if (holds) judgement.verdict = *holds ? Verdict::kHappens : Verdict::kCannot;
  judgement.what = std::move(what);
  return judgement;
}

std::optional<Judgement> judge_under_premises(const RuleRow& row, const NodeView& node) {
  std::optional<Judgement> judgement = row.judge(node);
  if (!judgement || judgement->verdict == Verdict::kCan || node.without_premises == nullptr)
    return judgement;
  node.without_premises->shows_cannot = node.shows_cannot;
  std::optional<Judgement> bare = row.judge(*node.without_premises);
  if (bare && bare->verdict == judgement->verdict) return bare;
  judgement->premises = united(judgement->premises, node.form_premises);
  return judgement;
}

}  // namespace windrow::internal
