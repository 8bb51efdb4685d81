#include "src/ranges/comparisons.h"

#include <algorithm>
#include <initializer_list>
#include <string_view>
#include <utility>

#include "src/ranges/production.h"

// Comparisons, logic on booleans, and the choice by a condition.
namespace windrow::internal {
namespace {

const Interval kEither{0, 1};

// The result of comparing two intervals of integers or of floats.
template <class T>
Interval compared(const T& a, const T& b, const Comparison& comparison) {
  const T& first = comparison.is_swapped ? b : a;
  const T& second = comparison.is_swapped ? a : b;
  const Interval result = comparison.order == Order::kLess ? is_less(first, second)
                          : comparison.order == Order::kLessOrEqual
                              ? is_less_or_equal(first, second)
                              : is_equal(first, second);
  return comparison.is_negated ? inverse(result) : result;
}

template <const Comparison& kComparison>
void compare(Production& p) {
  const ValueFact& a = p.input(0);
  const ValueFact& b = p.input(1);
  const Broadcast pairs({&a, &b}, p.extents());
  ValueFact& result = p.output();
  result.dtype = DType::kBool;
  result.dims = p.broadcast_shape({&a.dims, &b.dims});
  const bool counts = has_integer_intervals(a.dtype);
  if (a.dtype != b.dtype || (!counts && !has_float_intervals(a.dtype))) return;
  result.range = pairs.result();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Interval& x = pairs.integer(0, i);
    const Interval& y = pairs.integer(1, i);
    const bool is_none = counts && (is_empty(x) || is_empty(y));
    result.range.integers.push_back(
        is_none  ? kEither
        : counts ? compared(p.compared(x), p.compared(y), kComparison)
                 : compared(pairs.real(0, i), pairs.real(1, i), kComparison));
  }
}

constexpr Comparison kLess = {Order::kLess};
constexpr Comparison kLessOrEqual = {Order::kLessOrEqual};
constexpr Comparison kGreater = {.order = Order::kLess, .is_swapped = true};
constexpr Comparison kGreaterOrEqual = {.order = Order::kLessOrEqual, .is_swapped = true};
constexpr Comparison kEqual = {Order::kEqual};
constexpr Comparison kNotEqual = {.order = Order::kEqual, .is_negated = true};

using Logic = Interval (*)(const Interval&, const Interval&);

// Whether a boolean is 0 or 1.
bool is_clean(const Interval& a) { return a.low >= 0 && a.high <= 1; }

template <Logic kLogic>
void combine(Production& p) {
  const ValueFact& a = p.input(0);
  const ValueFact& b = p.input(1);
  const Broadcast pairs({&a, &b}, p.extents());
  ValueFact& result = p.output();
  result.dtype = DType::kBool;
  result.dims = p.broadcast_shape({&a.dims, &b.dims});
  if (a.dtype != DType::kBool || b.dtype != DType::kBool) return;
  result.range = pairs.result();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const Interval& x = pairs.integer(0, i);
    const Interval& y = pairs.integer(1, i);
    result.range.integers.push_back(
        is_clean(x) && is_clean(y) ? kLogic(x, y) : p.extents().profile().anything(DType::kBool));
  }
}

Interval logical_and(const Interval& a, const Interval& b) {
  return {a.low & b.low, a.high & b.high};
}
Interval logical_or(const Interval& a, const Interval& b) {
  return {a.low | b.low, a.high | b.high};
}
Interval logical_xor(const Interval& a, const Interval& b) {
  if (!is_single(a) || !is_single(b)) return kEither;
  return {a.low ^ b.low, a.low ^ b.low};
}

void logical_not(Production& p) {
  p.output() = p.input(0);
  p.output().constant = nullptr;
  p.output().source_input.clear();
  for (Interval& a : p.output().range.integers)
    a = is_clean(a) ? inverse(a) : p.extents().profile().anything(DType::kBool);
}

// IsNaN, IsInf.
void test_floats(Production& p) {
  p.output().dtype = DType::kBool;
  p.output().dims = p.given(0).dims;
  p.output().range = tensor_range(Interval{0, 1});
}

void choose(Production& p) {
  const ValueFact& condition = p.input(0);
  const ValueFact& first = p.input(1);
  const ValueFact& second = p.input(2);
  const Broadcast all({&condition, &first, &second}, p.extents());
  ValueFact& result = p.output();
  result.dtype = first.dtype;
  result.dims = p.broadcast_shape({&condition.dims, &first.dims, &second.dims});
  if (first.dtype != second.dtype || condition.dtype != DType::kBool) return;
  if (first.source_input == second.source_input) result.source_input = first.source_input;
  result.range = all.result();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_first = all.integer(0, i).low == 1;
    const bool is_second = all.integer(0, i).high == 0;
    if (has_integer_intervals(result.dtype)) {
      const Interval& a = all.integer(1, i);
      const Interval& b = all.integer(2, i);
      result.range.integers.push_back(is_first ? a : is_second ? b : join(a, b, p.extents()));
    } else if (has_float_intervals(result.dtype)) {
      const FloatInterval& a = all.real(1, i);
      const FloatInterval& b = all.real(2, i);
      result.range.floats.push_back(is_first ? a : is_second ? b : join(a, b));
    }
  }
}

constexpr ProducerRow kComparisons[] = {
    {{"Less", 7}, {"Less"}, compare<kLess>, true, &kLess},
    {{"LessOrEqual", 12}, {"LessEqual"}, compare<kLessOrEqual>, true, &kLessOrEqual},
    {{"Greater", 7}, {"Greater"}, compare<kGreater>, true, &kGreater},
    {{"GreaterOrEqual", 12}, {"GreaterEqual"}, compare<kGreaterOrEqual>, true, &kGreaterOrEqual},
    {{"Equal", 7}, {"Equal"}, compare<kEqual>, true, &kEqual},
    {{}, {"NotEqual"}, compare<kNotEqual>, true, &kNotEqual},
    {{"And", 7}, {"LogicalAnd"}, combine<logical_and>, true},
    {{"Or", 7}, {"LogicalOr"}, combine<logical_or>, true},
    {{"Xor", 7}, {"LogicalXor"}, combine<logical_xor>, true},
    {{"Not"}, {"LogicalNot"}, logical_not, true},
    {{"IsNaN", 9}, {}, test_floats, true},
    {{"IsInf", 10}, {}, test_floats, true},
    {{"Where", 9}, {"Select"}, choose, true},
};

}  // namespace

std::span<const ProducerRow> comparison_producers() { return kComparisons; }

namespace {

// How many nodes in a row are followed from a condition, and from a branch, towards the inputs.
constexpr int kDepth = 4;
// Nodes with more inputs are not followed.
constexpr std::size_t kMostInputs = 3;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// At most `of`, or less than it.
Interval up_to(const Interval& of, DType type, bool or_equal) {
  const std::int64_t less = or_equal ? 0 : 1;
  const bool is_open = type == DType::kUint64 && of.high == Interval::kHighest;
  Interval limit;
  limit.below = of.below;
  if (limit.below) limit.below->offset -= less;
  if (!is_open && of.high > Interval::kLowest) limit.high = of.high - less;
  return limit;
}

// At least `of`, or more than it.
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
  Reader(FactFinder::Values& values, Extents& extents) : values_(values), extents_(extents) {}

  void read(const std::string& condition, bool is_true, int depth) {
    const ModelNode* node = values_.node_of(condition);
    if (depth == 0 || node == nullptr) return;
    const ProducerRow* row = values_.producer_of(*node);
    if (row == nullptr) return;
    const std::string_view name = node->op_type;
    const std::size_t inputs = node->inputs.size();
    if (inputs == 1 && is_one_of(name, {"Not", "LogicalNot"}))
      return read(node->inputs[0], !is_true, depth - 1);
    if (inputs == 1 && name == "Identity") return read(node->inputs[0], is_true, depth - 1);
    if (inputs == 1 && name == "IsNaN" && !is_true) {
      add(node->inputs[0]).floats.may_be_nan = false;
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
    const Comparison* comparison = row->comparison;
    if (comparison == nullptr) return;
    const std::string& a = node->inputs[comparison->is_swapped ? 1 : 0];
    const std::string& b = node->inputs[comparison->is_swapped ? 0 : 1];
    compare(a, b, comparison->order, is_true != comparison->is_negated);
  }

  std::vector<Assumption> take() { return std::move(found_); }

 private:
  Assumption& add(const std::string& value, const Premises& premises = {}) {
    return found_.emplace_back(Assumption{value, {}, std::nullopt, {}, premises});
  }

  void compare(const std::string& a, const std::string& b, Order order, bool holds) {
    const DType type = values_.fact_of(a).dtype;
    if (type != values_.fact_of(b).dtype) return;
    if (is_integer(type)) return compare_integers(a, b, order, holds);
    if (has_float_intervals(type)) compare_floats(a, b, order, holds);
  }

  // What a comparison says of the operand `value` by the interval of the other one. It says nothing
  // if a runtime may round the other one, with which it then compares something else.
  template <class Say>
  void say(const std::string& value, const std::string& by, const Say& assume) {
    const ValueFact& fact = values_.fact_of(by);
    Interval interval = integer_of(fact, extents_);
    Premises premises = premises_of_values(fact);
    if (extents_.assume_exact(interval, premises)) assume(add(value, premises), interval);
  }

  void compare_integers(const std::string& a, const std::string& b, Order order, bool holds) {
    if (order == Order::kEqual) {
      const auto equal = [holds](Assumption& assumption, const Interval& by) {
        if (holds) assumption.integers = by;
        if (!holds && is_single(by) && by.high < Interval::kHighest) assumption.different = by.low;
      };
      say(a, b, equal);
      say(b, a, equal);
      return;
    }
    // a < b, or what its negation says: b <= a.
    const bool or_equal = (order == Order::kLessOrEqual) == holds;
    const DType type = values_.fact_of(a).dtype;
    const auto is_below = [&](Assumption& assumption, const Interval& by) {
      assumption.integers = up_to(by, type, or_equal);
    };
    const auto is_above = [&](Assumption& assumption, const Interval& by) {
      assumption.integers = from(by, or_equal);
    };
    say(holds ? a : b, holds ? b : a, is_below);
    say(holds ? b : a, holds ? a : b, is_above);
  }

  // A comparison that does not hold proves nothing if a value may be NaN.
  void compare_floats(const std::string& a, const std::string& b, Order order, bool holds) {
    const ValueFact& x = values_.fact_of(a);
    const ValueFact& y = values_.fact_of(b);
    const FloatInterval first = float_of(x);
    const FloatInterval second = float_of(y);
    if (!holds && (order == Order::kEqual || first.may_be_nan || second.may_be_nan)) return;
    const bool equal = order == Order::kEqual;
    const auto bounded = [&](const std::string& value, const FloatInterval& by, bool is_upper,
                             const Premises& premises) {
      FloatInterval& floats = add(value, premises).floats;
      if (equal || !is_upper) floats.low = by.low;
      if (equal || is_upper) floats.high = by.high;
      floats.may_be_nan = false;
    };
    bounded(a, second, holds, premises_of_values(y));
    bounded(b, first, !holds, premises_of_values(x));
  }

  FactFinder::Values& values_;
  Extents& extents_;
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

// The facts of a node's inputs, narrowed by assumptions.
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
  Narrowing(const std::vector<Assumption>& assumptions, FactFinder::Values& values,
            Extents& extents)
      : assumptions_(assumptions), values_(values), extents_(extents) {}

  // What is known of the value; nothing if it does not depend on the assumptions.
  std::optional<ValueFact> find(const std::string& value, int depth) {
    if (value.empty()) return std::nullopt;
    std::optional<ValueFact> result;
    for (const Assumption& assumption : assumptions_) {
      if (assumption.value != value) continue;
      if (!result) result = values_.fact_of(value);
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

  // Follows nodes that compute each element from the elements at the same position.
  std::optional<ValueFact> compute(const std::string& value, int depth) {
    const ModelNode* node = values_.node_of(value);
    const ProducerRow* row = node == nullptr ? nullptr : values_.producer_of(*node);
    if (row == nullptr || !row->is_elementwise) return std::nullopt;
    if (node->inputs.size() > kMostInputs || !values_.may_compute()) return std::nullopt;
    std::vector<ValueFact> inputs;
    bool is_narrowed = false;
    for (const std::string& input : node->inputs) {
      std::optional<ValueFact> found = find(input, depth - 1);
      is_narrowed = is_narrowed || found;
      inputs.push_back(found ? *std::move(found) : values_.fact_of(input));
    }
    if (!is_narrowed) return std::nullopt;
    NarrowedInputs given(std::move(inputs));
    Production production(*node, values_.dialect(), values_.version_of(*node), given, extents_);
    row->produce(production);
    ValueFact result = production.take_outputs(true).front();
    const ValueFact& known = values_.fact_of(value);
    if (result.dtype != known.dtype || !result.dims || !known.dims) return std::nullopt;
    result.dims = known.dims;
    result.shape_premises = known.shape_premises;
    fit_grain(result, extents_);
    meet_with(known.range, result.range);
    return result;
  }

  // What is known without the assumptions still holds; it may be stronger, as for a Where whose
  // branches were refined.
  void meet_with(const ValueRange& known, ValueRange& range) const {
    if (known.grain != range.grain || known.axis != range.axis) return;
    if (known.integers.size() != range.integers.size()) return;
    for (std::size_t i = 0; i < range.integers.size(); ++i)
      range.integers[i] = meet(range.integers[i], known.integers[i], extents_);
    range.premises = united(range.premises, known.premises);
  }

  const std::vector<Assumption>& assumptions_;
  FactFinder::Values& values_;
  Extents& extents_;
};

}  // namespace

std::vector<Assumption> assumptions_of(const std::string& condition, bool is_true,
                                       FactFinder::Values& values, Extents& extents) {
  Reader reader(values, extents);
  reader.read(condition, is_true, kDepth);
  return reader.take();
}

ValueFact fact_under(const std::string& value, const std::vector<Assumption>& assumptions,
                     FactFinder::Values& values, Extents& extents) {
  if (!assumptions.empty()) {
    Narrowing narrowing(assumptions, values, extents);
    if (std::optional<ValueFact> found = narrowing.find(value, kDepth)) return *std::move(found);
  }
  return values.fact_of(value);
}

}  // namespace windrow::internal
