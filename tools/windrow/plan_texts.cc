#include "tools/windrow/plan_texts.h"

namespace windrow::tool {

const std::string& PlanTexts::find(const std::shared_ptr<const PlanDescription>& plan) {
  const auto known = texts_.find(plan);
  if (known != texts_.end()) return known->second;
  if (texts_.size() == kMost) texts_.clear();
  return texts_.emplace(plan, text_of_(*plan)).first->second;
}

}  // namespace windrow::tool
