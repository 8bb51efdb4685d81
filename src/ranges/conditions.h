#ifndef WINDROW_RANGES_CONDITIONS_H_
#define WINDROW_RANGES_CONDITIONS_H_

#include <optional>
#include <string>
#include <vector>

#include "src/ranges/production.h"

// What holds of values where a condition on their elements is true, or false: the branches of
// Where.
namespace windrow::internal {

// The values of a graph and the nodes that compute them.
class Definitions {
 public:
  Definitions() = default;
  Definitions(const Definitions&) = delete;
  Definitions& operator=(const Definitions&) = delete;
  virtual ~Definitions() = default;

  // The node of this graph that gives the value as its first output; null if none does.
  virtual const ModelNode* node_of(const std::string& value) const = 0;
  virtual const ProducerRow* producer_of(const ModelNode& node) = 0;
  virtual int version_of(const ModelNode& node) = 0;
  // Whether one more node may be computed again: a model may have very many conditions.
  virtual bool may_compute() = 0;
  // With the range of a constant.
  virtual const ValueFact& fact_of(const std::string& value) = 0;
};

// Something that holds of single elements of a value.
struct Assumption {
  std::string value;
  Interval integers;                      // they lie in it
  std::optional<std::int64_t> different;  // and are not this number
  FloatInterval floats;                   // numbers lie in it, and whether there may be a NaN
  Premises premises;
};

// What a condition that is true (or false) says of the values that it compares.
std::vector<Assumption> assumptions_of(const std::string& condition, bool is_true,
                                       Definitions& definitions, const Extents& extents);

// What is known of a value at the elements for which the assumptions hold: its intervals may be
// empty.
ValueFact fact_under(const std::string& value, const std::vector<Assumption>& assumptions,
                     Definitions& definitions, Extents& extents);

}  // namespace windrow::internal

#endif  // WINDROW_RANGES_CONDITIONS_H_
