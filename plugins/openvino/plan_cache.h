#ifndef WINDROW_PLUGINS_OPENVINO_PLAN_CACHE_H_
#define WINDROW_PLUGINS_OPENVINO_PLAN_CACHE_H_

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "windrow/c.h"

namespace windrow::openvino_plugin {

using SharedPlan = std::shared_ptr<const windrow_plan>;
// All that a plan of one node depends on: types, shapes, values.
using PlanKey = std::vector<std::int64_t>;

// The plans of one node that were used last. Several threads may use it at the same time.
class PlanCache {
 public:
  // The plan of that key, made if it is not there; what `make` throws passes through.
  template <class Make>
  SharedPlan find_or_make(const PlanKey& key, const Make& make) {
    SharedPlan plan = find(key);
    // Without the lock: two threads that miss at the same time make two equal plans.
    if (plan == nullptr) keep(key, plan = make());
    return plan;
  }

 private:
  SharedPlan find(const PlanKey& key);
  void keep(const PlanKey& key, const SharedPlan& plan);

  std::mutex mutex_;
  std::list<std::pair<PlanKey, SharedPlan>> plans_;  // last used first
};

}  // namespace windrow::openvino_plugin

#endif  // WINDROW_PLUGINS_OPENVINO_PLAN_CACHE_H_
