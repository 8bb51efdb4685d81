#include "plugins/openvino/plan_cache.h"

#include <algorithm>

namespace windrow::openvino_plugin {
namespace {

// Enough for the lengths that a dynamic model meets in turn; a plan is small, but a model may have
// thousands of nodes.
constexpr std::size_t kMostPlans = 16;

}  // namespace

SharedPlan PlanCache::find(const PlanKey& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = std::find_if(plans_.begin(), plans_.end(),
                                  [&](const auto& entry) { return entry.first == key; });
  if (found == plans_.end()) return nullptr;
  plans_.splice(plans_.begin(), plans_, found);
  return plans_.front().second;
}

void PlanCache::keep(const PlanKey& key, const SharedPlan& plan) {
  const std::lock_guard<std::mutex> lock(mutex_);
  plans_.emplace_front(key, plan);
  if (plans_.size() > kMostPlans) plans_.pop_back();
}

}  // namespace windrow::openvino_plugin
