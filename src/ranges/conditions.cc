#include "src/ranges/conditions.h"

#include <algorithm>
#include <initializer_list>
#include <iterator>
#include <string_view>
#include <utility>

namespace windrow::internal {
namespace {

// Nodes that are looked at behind a condition, and behind a branch, one behind the other.
constexpr int kDepth = 4;
// Nodes with more inputs are not looked behind.
constexpr std::size_t kMostInputs = 3;

enum class Order { kLess, kLessOrEqual, kEqual };

struct ComparisonName {
  std::string_view name;
  Order order;
  bool is_swapped;  // the second operand comes first
  bool is_negated;
};
constexpr ComparisonName kComparisons[] = {
    {"Less", Order::kLess, false, false},
    {"LessOrEqual", Order::kLessOrEqual, false, false},
    {"LessEqual", Order::kLessOrEqual, false, false},
    {"Greater", Order::kLess, true, false},
    {"GreaterOrEqual", Order::kLessOrEqual, true, false},
    {"GreaterEqual", Order::kLessOrEqual, true, false},
    {"Equal", Order::kEqual, false, false},
    {"NotEqual", Order::kEqual, false, true},
};

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// At most `of`, or 1 less.
Interval up_to(const Interval& of, DType type, bool or_equal) {
  const std::int64_t less = or_equal ? 0 : 1;
  const bool is_open = type == DType::kUint64 && of.high == Interval::kHighest;
  Interval limit;
  limit.below = of.below;
  if (limit.below) limit.below->offset -= less;
  if (!is_open && of.high > Interval::kLowest) limit.high = of.high - less;
  return limit;
}

// At least `of`, or 1 more.
Interval from(const Interval& of, bool or_equal) {
  const std::int64_t more = or_equal ? 0 : 1;
  Interval limit;
  limit.above = of.above;
  if (limit.above) limit.above->offset += more;
  if (of.low < Interval::kHighest) limit.low = of.low + more;
  return limit;
}

class Reader {
 public:
  Reader(Definitions& definitions, const Extents& extents)
      : definitions_(definitions), extents_(extents) {}

  void read(const std::string& condition, bool is_true, int depth) {
    const ModelNode* node = definitions_.node_of(condition);
    if (depth == 0 || node == nullptr || definitions_.producer_of(*node) == nullptr) return;
    const std::string_view name = node->op_type;
    const std::size_t inputs = node->inputs.size();
    if (inputs == 1 && is_one_of(name, {"Not", "LogicalNot"}))
      return read(node->inputs[0], !is_true, depth - 1);
    if (inputs == 1 && name == "Identity") return read(node->inputs[0], is_true, depth - 1);
    if (inputs == 1 && name == "IsNaN" && !is_true) {
      Assumption& assumption = add(node->inputs[0]);
      assumption.floats.may_be_nan = false;
      return;
    }
    if (inputs != 2) return;
    const bool is_and = is_one_of(name, {"And", "LogicalAnd"});
    const bool is_or = is_one_of(name, {"Or", "LogicalOr"});
    if ((is_and && is_true) || (is_or && !is_true)) {
      read(node->inputs[0], is_true, depth - 1);
      read(node->inputs[1], is_true, depth - 1);
      return;
    }
    const auto* const comparison =
        std::find_if(std::begin(kComparisons), std::end(kComparisons),
                     [name](const ComparisonName& row) { return row.name == name; });
    if (comparison == std::end(kComparisons)) return;
    const std::string& a = node->inputs[comparison->is_swapped ? 1 : 0];
    const std::string& b = node->inputs[comparison->is_swapped ? 0 : 1];
    const bool holds = is_true != comparison->is_negated;
    compare(a, b, comparison->order, holds);
  }

  std::vector<Assumption> take() { return std::move(found_); }

 private:
  Assumption& add(const std::string& value) {
    found_.push_back({value, {}, std::nullopt, {}, {}});
    return found_.back();
  }

  void compare(const std::string& a, const std::string& b, Order order, bool holds) {
    const DType type = definitions_.fact_of(a).dtype;
    if (type != definitions_.fact_of(b).dtype) return;
    if (is_integer(type)) return compare_integers(a, b, order, holds);
    if (has_float_intervals(type)) compare_floats(a, b, order, holds);
  }

  void compare_integers(const std::string& a, const std::string& b, Order order, bool holds) {
    const ValueFact& x = definitions_.fact_of(a);
    const ValueFact& y = definitions_.fact_of(b);
    const Interval first = integer_of(x, extents_);
    const Interval second = integer_of(y, extents_);
    if (order == Order::kEqual) {
      const bool x_is_one = is_single(first) && first.high < Interval::kHighest;
      const bool y_is_one = is_single(second) && second.high < Interval::kHighest;
      if (holds) limit(a, second, y.range.premises);
      if (holds) limit(b, first, x.range.premises);
      if (!holds && y_is_one) exclude(a, second.low, y.range.premises);
      if (!holds && x_is_one) exclude(b, first.low, x.range.premises);
      return;
    }
    // a < b, or what its negation says: b <= a.
    const bool or_equal = (order == Order::kLessOrEqual) == holds;
    const Interval& lesser = holds ? first : second;
    const Interval& greater = holds ? second : first;
    const std::string& lesser_name = holds ? a : b;
    const std::string& greater_name = holds ? b : a;
    limit(lesser_name, up_to(greater, x.dtype, or_equal), (holds ? y : x).range.premises);
    limit(greater_name, from(lesser, or_equal), (holds ? x : y).range.premises);
  }

  // A comparison that does not hold says nothing where there may be a NaN.
  void compare_floats(const std::string& a, const std::string& b, Order order, bool holds) {
    const ValueFact& x = definitions_.fact_of(a);
    const ValueFact& y = definitions_.fact_of(b);
    const FloatInterval first = float_of(x);
    const FloatInterval second = float_of(y);
    if (!holds && (order == Order::kEqual || first.may_be_nan || second.may_be_nan)) return;
    const bool equal = order == Order::kEqual;
    const FloatInterval nothing;
    const auto bounded = [&](const std::string& value, const FloatInterval& by, bool is_upper,
                             const Premises& premises) {
      Assumption& assumption = add(value);
      assumption.floats = {equal || !is_upper ? by.low : nothing.low,
                           equal || is_upper ? by.high : nothing.high, false};
      assumption.premises = premises;
    };
    bounded(a, second, holds, y.range.premises);
    bounded(b, first, !holds, x.range.premises);
  }

  void limit(const std::string& value, const Interval& interval, const Premises& premises) {
    Assumption& assumption = add(value);
    assumption.integers = interval;
    assumption.premises = premises;
  }

  void exclude(const std::string& value, std::int64_t number, const Premises& premises) {
    Assumption& assumption = add(value);
    assumption.different = number;
    assumption.premises = premises;
  }

  Definitions& definitions_;
  const Extents& extents_;
  std::vector<Assumption> found_;
};

Interval narrowed(Interval interval, const Assumption& assumption, const Extents& extents) {
  interval = meet(interval, assumption.integers, extents);
  if (assumption.different && interval.low == *assumption.different &&
      interval.low < Interval::kHighest)
    ++interval.low;
  if (assumption.different && interval.high == *assumption.different &&
      interval.high > Interval::kLowest)
    --interval.high;
  return interval;
}

// The facts of a node's inputs that assumptions narrow.
class NarrowedInputs final : public ProductionInputs {
 public:
  explicit NarrowedInputs(std::vector<ValueFact> facts) : facts_(std::move(facts)) {}
  const ValueFact& given(std::size_t input) override {
    static const ValueFact omitted;
    return input < facts_.size() ? facts_[input] : omitted;
  }
  const ValueFact& read(std::size_t input) override { return given(input); }

 private:
  std::vector<ValueFact> facts_;
};

class Narrowing {
 public:
  Narrowing(const std::vector<Assumption>& assumptions, Definitions& definitions, Extents& extents)
      : assumptions_(assumptions), definitions_(definitions), extents_(extents) {}

  // Nothing if the assumptions say nothing of the value.
  std::optional<ValueFact> find(const std::string& value, int depth) {
    if (value.empty()) return std::nullopt;
    std::optional<ValueFact> result;
    for (const Assumption& assumption : assumptions_) {
      if (assumption.value != value) continue;
      if (!result) result = definitions_.fact_of(value);
      apply(assumption, *result);
    }
    return result || depth == 0 ? result : compute(value, depth);
  }

 private:
  void apply(const Assumption& assumption, ValueFact& fact) const {
    for (Interval& interval : fact.range.integers)
      interval = narrowed(interval, assumption, extents_);
    for (FloatInterval& interval : fact.range.floats) {
      interval.low = std::max(interval.low, assumption.floats.low);
      interval.high = std::min(interval.high, assumption.floats.high);
      interval.may_be_nan = interval.may_be_nan && assumption.floats.may_be_nan;
    }
    fact.range.premises = united(fact.range.premises, assumption.premises);
    fact.constant = nullptr;
  }

  // Through nodes that compute each element from those at its own place.
  std::optional<ValueFact> compute(const std::string& value, int depth) {
    const ModelNode* node = definitions_.node_of(value);
    const ProducerRow* row = node == nullptr ? nullptr : definitions_.producer_of(*node);
    if (row == nullptr || !row->is_elementwise) return std::nullopt;
    if (node->inputs.size() > kMostInputs || !definitions_.may_compute()) return std::nullopt;
    std::vector<ValueFact> inputs;
    bool is_narrowed = false;
    for (const std::string& input : node->inputs) {
      std::optional<ValueFact> found = find(input, depth - 1);
      is_narrowed = is_narrowed || found;
      inputs.push_back(found ? *std::move(found) : definitions_.fact_of(input));
    }
    if (!is_narrowed) return std::nullopt;
    NarrowedInputs given(std::move(inputs));
    Production production(*node, row->dialect, definitions_.version_of(*node), given, extents_);
    row->produce(production);
    ValueFact result = production.output();
    result.range.premises = production.premises();
    const ValueFact& known = definitions_.fact_of(value);
    if (result.dtype != known.dtype || !result.dims || !known.dims) return std::nullopt;
    result.dims = known.dims;
    fit_grain(result, extents_);
    meet_with(known.range, result.range);
    return result;
  }

  // What is known without the assumptions still holds, as a Where that refines its own branches.
  void meet_with(const ValueRange& known, ValueRange& range) const {
    if (known.grain != range.grain || known.axis != range.axis) return;
    if (known.integers.size() != range.integers.size()) return;
    for (std::size_t i = 0; i < range.integers.size(); ++i)
      range.integers[i] = meet(range.integers[i], known.integers[i], extents_);
    range.premises = united(range.premises, known.premises);
  }

  static Premises united(const Premises& a, const Premises& b) {
    Premises both;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
  }

  const std::vector<Assumption>& assumptions_;
  Definitions& definitions_;
  Extents& extents_;
};

}  // namespace

std::vector<Assumption> assumptions_of(const std::string& condition, bool is_true,
                                       Definitions& definitions, const Extents& extents) {
  Reader reader(definitions, extents);
  reader.read(condition, is_true, kDepth);
  return reader.take();
}

ValueFact fact_under(const std::string& value, const std::vector<Assumption>& assumptions,
                     Definitions& definitions, Extents& extents) {
  if (!assumptions.empty()) {
    Narrowing narrowing(assumptions, definitions, extents);
    if (std::optional<ValueFact> found = narrowing.find(value, kDepth)) return *std::move(found);
  }
  return definitions.fact_of(value);
}

}  // namespace windrow::internal
