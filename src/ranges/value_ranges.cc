#include "windrow/value_ranges.h"

#include <cstddef>
#include <utility>

#include "src/ranges/ranges.h"

namespace windrow {
namespace {

using internal::ExtentBound;
using internal::Extents;
using internal::Interval;
using internal::ValueFact;

std::optional<ExtentTerm> term(const std::optional<ExtentBound>& bound, const Extents& extents) {
  if (!bound) return std::nullopt;
  if (!internal::is_simple(*bound)) return std::nullopt;
  return ExtentTerm{extents.name(bound->extent), bound->offset, bound->factor};
}

IntegerRange integers(const Interval& interval, const Extents& extents) {
  IntegerRange range{std::nullopt, std::nullopt, term(interval.above, extents),
                     term(interval.below, extents)};
  if (interval.low != Interval::kLowest) range.low = interval.low;
  if (interval.high != Interval::kHighest) range.high = interval.high;
  return range;
}

std::vector<std::string> texts(const internal::Premises& premises, const Extents& extents) {
  std::vector<std::string> result;
  for (const int premise : premises) result.push_back(extents.premise_text(premise));
  return result;
}

RangedValue value(const std::string& name, const ValueFact& fact, const Extents& extents) {
  RangedValue result;
  result.name = name;
  result.dtype = fact.dtype;
  result.dims = fact.dims;
  result.grain = static_cast<RangedValue::Grain>(fact.range.grain);
  result.axis = fact.range.axis;
  for (const Interval& interval : fact.range.integers)
    result.integers.push_back(integers(interval, extents));
  for (const internal::FloatInterval& interval : fact.range.floats)
    result.floats.push_back({interval.low, interval.high, interval.may_be_nan});
  result.premises = texts(internal::premises_of_values(fact), extents);
  result.type_premises = texts(fact.type_premises, extents);
  result.shape_premises = texts(fact.shape_premises, extents);
  result.source_input = fact.source_input;
  return result;
}

}  // namespace

Status find_value_ranges(const Model& model, const ValueRangeOptions& options,
                         const std::function<void(const NodeRanges&)>& visit) {
  internal::RangeOptions inner{options.infer, {}};
  for (const auto& [name, assumed] : options.assume)
    inner.assumed.emplace(name, Interval{assumed.low, assumed.high});
  Extents extents(options.runtime.empty() ? internal::specified_arithmetic()
                                          : internal::profile_of(options.runtime, options.device));
  return internal::find_ranges(model, inner, extents, [&](const internal::NodeFacts& facts) {
    NodeRanges node{facts.place.path, {}};
    for (std::size_t i = 0; i < facts.outputs.size(); ++i)
      node.outputs.push_back(value(facts.place.node.outputs[i], *facts.outputs[i], extents));
    visit(node);
  });
}

}  // namespace windrow
