#ifndef WINDROW_PORTABILITY_INDEX_CONDITION_H_
#define WINDROW_PORTABILITY_INDEX_CONDITION_H_

#include <optional>
#include <string>

#include "src/portability/rule.h"

namespace windrow::internal {

// A condition on an index and the extent of the axis that it addresses.
class IndexCondition {
 public:
  IndexCondition() = default;
  IndexCondition(const IndexCondition&) = delete;
  IndexCondition& operator=(const IndexCondition&) = delete;
  virtual ~IndexCondition() = default;

  // Whether every index in the interval meets it, whatever the extent is.
  virtual bool is_certain(const Interval& interval, const Dim& extent) const = 0;
  // Whether no index in the interval meets it; what the proof rests on is added to `premises`.
  virtual bool is_excluded(const Interval& interval, const Dim& extent, Extents& extents,
                           Premises& premises) const = 0;
  // What must hold of indices so that none meets it. A bound is absent where there is none, or no
  // name for it.
  virtual Demand demand(const Dim& extent, const Extents& extents) const = 0;
  // Clauses behind an index that meets it, and behind the interval of those that may. `legal` says
  // what the axis takes.
  virtual std::string met_text(const std::string& legal) const = 0;
  virtual std::string open_text(const std::string& legal) const = 0;
};

// Judges the indices of a node by a condition: constants and observed ones one by one, others by
// the intervals in which they lie.
Judgement judge_indices(const NodeView& node, const IndexCondition& condition);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_INDEX_CONDITION_H_
