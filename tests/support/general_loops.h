#ifndef WINDROW_TESTS_SUPPORT_GENERAL_LOOPS_H_
#define WINDROW_TESTS_SUPPORT_GENERAL_LOOPS_H_

#include <utility>

#include "src/plan/find_small.h"

namespace windrow::tests {

// While it lives, and `forced`, small plans of this thread run through the loops of large ones.
class GeneralLoops {
 public:
  explicit GeneralLoops(bool forced)
      : before_(std::exchange(internal::lowers_small_plans, !forced)) {}
  GeneralLoops(const GeneralLoops&) = delete;
  GeneralLoops& operator=(const GeneralLoops&) = delete;
  ~GeneralLoops() { internal::lowers_small_plans = before_; }

 private:
  const bool before_;
};

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_SUPPORT_GENERAL_LOOPS_H_
