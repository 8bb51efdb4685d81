#ifndef WINDROW_TOOLS_WINDROW_PLAN_TEXTS_H_
#define WINDROW_TOOLS_WINDROW_PLAN_TEXTS_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "windrow/plan_description.h"

namespace windrow::tool {

// The texts of plans in one form, each made once for the nodes that share its plan.
class PlanTexts {
 public:
  explicit PlanTexts(std::function<std::string(const PlanDescription&)> text_of)
      : text_of_(std::move(text_of)) {}

  // Valid until the next call. `plan` is not null.
  const std::string& find(const std::shared_ptr<const PlanDescription>& plan);

 private:
  static constexpr std::size_t kMost = 256;  // texts that are kept at a time

  std::function<std::string(const PlanDescription&)> text_of_;
  std::map<std::shared_ptr<const PlanDescription>, std::string> texts_;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_PLAN_TEXTS_H_
