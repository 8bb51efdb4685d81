#ifndef WINDROW_PORTABILITY_INDEX_CONDITION_H_
#define WINDROW_PORTABILITY_INDEX_CONDITION_H_

#include <optional>
#include <string>

#include "src/portability/targets.h"

namespace windrow::internal {

// A condition on an index and the extent of the axis that it addresses.
class IndexCondition {
 public:
  IndexCondition() = default;
  IndexCondition(const IndexCondition&) = delete;
  IndexCondition& operator=(const IndexCondition&) = delete;
  virtual ~IndexCondition() = default;

  // Whether every index in the interval meets the condition, whatever the extent is.
  virtual bool is_certain(const Interval& interval, const Dim& extent) const = 0;
  // Whether no index in the interval meets the condition. Adds the proof's premises to `premises`.
  virtual bool is_excluded(const Interval& interval, const Dim& extent, Extents& extents,
                           Premises& premises) const = 0;
  // What must hold of indices so that none meets the condition. A bound is absent if there is none,
  // or if its extent has no name.
  virtual Demand demand(const Dim& extent, const Extents& extents) const = 0;
  // The clauses after an index that meets the condition, and after an interval with indices that
  // may. `legal` names the legal indices.
  virtual std::string met_text(const std::string& legal) const { return ", but " + legal; }
  virtual std::string open_text(const std::string& legal) const { return ", and " + legal; }
};

// Judges the indices of a node by a condition: each element of constant and observed indices, and
// the intervals of others.
Judgement judge_indices(const NodeView& node, const IndexCondition& condition);

}  // namespace windrow::internal

#endif  // WINDROW_PORTABILITY_INDEX_CONDITION_H_
