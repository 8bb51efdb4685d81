#ifndef WINDROW_PORTABILITY_JUDGES_H_
#define WINDROW_PORTABILITY_JUDGES_H_

#include <optional>

#include "src/portability/rule.h"

// The functions of the rules, by what they look at.
namespace windrow::internal {

// judge_index_range.cc: what the indices of a node address.
std::optional<Judgement> judge_index_range(const NodeView& node);
std::optional<Judgement> judge_short_index_range(const NodeView& node);
std::optional<Judgement> judge_negative_index(const NodeView& node);
std::optional<Judgement> judge_negative_on_dynamic_axis(const NodeView& node);
std::optional<Judgement> judge_wide_index(const NodeView& node);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_JUDGES_H_
