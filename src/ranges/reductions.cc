#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/base/integers.h"
#include "src/ranges/movement.h"
#include "src/ranges/production.h"

// Operators that combine several elements into one.
namespace windrow::internal {
namespace {

// The axes of a reduction, and the shape of its result.
struct Reduction {
  bool is_known = false;
  std::vector<bool> over;  // by axis
  SymbolicShape dims;
  Interval count{0, Extents::kLargest};  // the number of elements that are combined into one
};

Interval times(const Interval& a, const Interval& b) {
  if (is_single(a) && a.low == 1) return b;
  if (is_single(b) && b.low == 1) return a;
  return {checked_mul(a.low, b.low).value_or(Interval::kHighest),
          checked_mul(a.high, b.high).value_or(Interval::kHighest)};
}

Reduction reduction_of(Production& p) {
  Reduction reduction;
  const SymbolicShape& from = p.given(0).dims;
  const bool keeps =
      p.flag(p.has_attribute("keep_dims") ? "keep_dims" : "keepdims", !p.is_openvino());
  const auto axes = p.list("axes", 1);
  if (!from || (p.has_list("axes", 1) && !axes)) return reduction;
  // Axes are a list in ONNX: a scalar is refused, or taken for all axes, or for one.
  const SymbolicShape& listed = p.given(1).dims;
  if (!p.is_openvino() && p.has(1) && (!listed || listed->size() != 1)) return reduction;
  const bool all = !axes || axes->empty();
  const bool none = all && p.flag("noop_with_empty_axes", false);
  reduction.over.assign(from->size(), all && !none && (!p.is_openvino() || !axes));
  for (const std::int64_t axis : axes.value_or(std::vector<std::int64_t>())) {
    const auto place = place_of_axis(axis, from->size());
    if (!place) return reduction;
    reduction.over[*place] = true;
  }
  reduction.is_known = true;
  reduction.dims.emplace();
  reduction.count = {1, 1};
  for (std::size_t i = 0; i < from->size(); ++i) {
    if (!reduction.over[i]) {
      reduction.dims->push_back((*from)[i]);
      continue;
    }
    reduction.count = times(reduction.count, p.extents().extent_of((*from)[i]));
    if (keeps) reduction.dims->push_back(Dim{1, {}});
  }
  return reduction;
}

// The sum of as many elements. It says nothing where a runtime may round one of the sums up to it.
Interval sum_of(Production& p, const ValueFact& data, const Interval& count) {
  const std::optional<Interval> element = p.exact(integer_of(data, p.extents()));
  const std::optional<Interval> sum =
      element ? p.exact(IntegerArithmetic(data.dtype, p.extents()).sum_of(*element, count))
              : std::nullopt;
  return sum.value_or(p.extents().profile().anything(data.dtype));
}

// The sum of no elements is 0.
void reduce_sum(Production& p) {
  const Reduction reduction = reduction_of(p);
  const ValueFact& data = p.input(0);
  ValueFact& result = p.output();
  result.dtype = data.dtype;
  result.dims = reduction.dims;
  if (!is_integer(data.dtype) || reduction.count.high == Interval::kHighest) return;
  result.range = tensor_range(sum_of(p, data, reduction.count));
}

// The maximum of no elements is the type's smallest value, or an error; the minimum likewise.
void reduce_to_end(Production& p, bool is_maximum) {
  const Reduction reduction = reduction_of(p);
  const ValueFact& data = p.input(0);
  ValueFact& result = p.output();
  result.dtype = data.dtype;
  result.dims = reduction.dims;
  const bool may_be_empty = reduction.count.low == 0;
  if (has_integer_intervals(data.dtype)) {
    Interval all = integer_of(data, p.extents());
    const Interval type = p.extents().profile().anything(data.dtype);
    all = p.compared(all);
    if (may_be_empty && is_maximum) {
      all.low = type.low;
      all.above.reset();
    } else if (may_be_empty) {
      all.high = type.high;
      all.below.reset();
    }
    result.range = tensor_range(all);
  } else if (has_float_intervals(data.dtype)) {
    const FloatInterval all = float_of(data);
    // Some hosts skip NaN, others return it.
    const bool is_open = may_be_empty || all.may_be_nan;
    result.range = tensor_range(is_open ? FloatInterval{.may_be_nan = all.may_be_nan} : all);
  }
}

void reduce_max(Production& p) { reduce_to_end(p, true); }
void reduce_min(Production& p) { reduce_to_end(p, false); }

// The sums of all elements up to each one, with it or without it.
void cumulative_sum(Production& p) {
  const ValueFact& data = p.input(0);
  ValueFact& result = p.output();
  result.dtype = data.dtype;
  result.dims = data.dims;
  if (!is_integer(data.dtype) || !data.dims) return;
  const auto axis = p.has(1) ? p.axis_in(1, data.dims) : place_of_axis(0, data.dims);
  if (!axis) return;
  const bool is_exclusive = p.flag("exclusive", false);
  Interval count = is_exclusive ? p.extents().position_on((*data.dims)[*axis])
                                : p.extents().extent_of((*data.dims)[*axis]);
  count.low = is_exclusive ? 0 : 1;
  count.above.reset();
  count.high = std::max(count.high, count.low);
  result.range = tensor_range(sum_of(p, data, count));
}

// Reductions of whose values nothing is known.
void reduce_others(Production& p) {
  p.output().dtype = p.given(0).dtype;
  p.output().dims = reduction_of(p).dims;
}

// ONNX's operators that sum products: the type and the shape of their results.

// The shape of a times of matrices; nothing if a rank is not known.
SymbolicShape product_of(Production& p, const SymbolicShape& a, const SymbolicShape& b) {
  if (!a || !b || a->empty() || b->empty()) return std::nullopt;
  const auto outer = [](const std::vector<Dim>& dims) {
    const std::size_t inner = dims.size() < 2 ? dims.size() : 2;
    return SymbolicShape(std::vector<Dim>(dims.begin(), dims.end() - static_cast<int>(inner)));
  };
  const SymbolicShape first = outer(*a);
  const SymbolicShape second = outer(*b);
  SymbolicShape dims = p.broadcast_shape({&first, &second});
  if (a->size() > 1) dims->push_back((*a)[a->size() - 2]);
  if (b->size() > 1) dims->push_back(b->back());
  return dims;
}

void matmul(Production& p) {
  give(p, p.given(0).dtype, product_of(p, p.given(0).dims, p.given(1).dims));
}
void matmul_integer(Production& p) {
  give(p, DType::kInt32, product_of(p, p.given(0).dims, p.given(1).dims));
}
void qlinear_matmul(Production& p) {
  give(p, p.given(7).dtype, product_of(p, p.given(0).dims, p.given(3).dims));
}

void gemm(Production& p) {
  const SymbolicShape& a = p.given(0).dims;
  const SymbolicShape& b = p.given(1).dims;
  SymbolicShape dims;
  if (a && b && a->size() == 2 && b->size() == 2) {
    const std::size_t row = p.attribute("transA", 0) != 0 ? 1 : 0;
    const std::size_t column = p.attribute("transB", 0) != 0 ? 0 : 1;
    dims = std::vector{(*a)[row], (*b)[column]};
  }
  give(p, p.given(0).dtype, std::move(dims));
}

// The letters of each operand and of the result of an equation; nothing for one with an ellipsis
// or with other characters.
struct Equation {
  std::vector<std::string> operands;
  std::string result;
};

// Without a result the letters that occur once, in their order.
std::string implied_result(const std::vector<std::string>& operands) {
  std::map<char, int> counts;
  for (const std::string& operand : operands)
    for (const char letter : operand) ++counts[letter];
  std::string result;
  for (const auto& [letter, count] : counts)
    if (count == 1) result += letter;
  return result;
}

std::optional<Equation> equation_of(std::string text) {
  std::erase(text, ' ');
  const std::size_t arrow = text.find("->");
  const std::string_view left = std::string_view(text).substr(0, arrow);
  Equation equation{{""}, {}};
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  for (const char c : left) {
    if (c == ',') {
      equation.operands.emplace_back();
    } else if (is_letter(c)) {
      equation.operands.back() += c;
    } else {
      return std::nullopt;
    }
  }
  equation.result =
      arrow == std::string::npos ? implied_result(equation.operands) : text.substr(arrow + 2);
  return std::all_of(equation.result.begin(), equation.result.end(), is_letter)
             ? std::optional(equation)
             : std::nullopt;
}

// A letter that stands for 1 and another extent has the other one, as in broadcasting.
SymbolicShape einsum_shape(const Production& p) {
  const auto equation = equation_of(p.text("equation", "."));
  if (!equation || equation->operands.size() != p.input_count()) return std::nullopt;
  std::map<char, SymbolicShape> extents;
  for (std::size_t i = 0; i < p.input_count(); ++i) {
    const std::string& letters = equation->operands[i];
    const SymbolicShape& dims = p.given(i).dims;
    if (!dims || dims->size() != letters.size()) return std::nullopt;
    for (std::size_t axis = 0; axis < letters.size(); ++axis) {
      const SymbolicShape one = std::vector{(*dims)[axis]};
      SymbolicShape& extent = extents.try_emplace(letters[axis], one).first->second;
      const SymbolicShape* const both[] = {&extent, &one};
      extent = broadcast(both);
    }
  }
  SymbolicShape dims = std::vector<Dim>();
  for (const char letter : equation->result) {
    const auto found = extents.find(letter);
    if (found == extents.end()) return std::nullopt;
    dims->push_back(found->second->front());
  }
  return dims;
}

void einsum(Production& p) { give(p, p.given(0).dtype, einsum_shape(p)); }

constexpr ProducerRow kReductionRows[] = {
    {{"ReduceSum"}, {"ReduceSum"}, reduce_sum},
    {{"ReduceMax"}, {"ReduceMax"}, reduce_max},
    {{"ReduceMin"}, {"ReduceMin"}, reduce_min},
    {{"CumSum", 11}, {"CumSum"}, cumulative_sum},
    {{"ReduceMean"}, {"ReduceMean"}, reduce_others},
    {{"ReduceProd"}, {"ReduceProd"}, reduce_others},
    {{"ReduceL1"}, {"ReduceL1"}, reduce_others},
    {{"ReduceL2"}, {"ReduceL2"}, reduce_others},
    {{"ReduceLogSum"}, {}, reduce_others},
    {{"ReduceLogSumExp"}, {}, reduce_others},
    {{"ReduceSumSquare"}, {}, reduce_others},
    {{}, {"ReduceLogicalAnd"}, reduce_others},
    {{}, {"ReduceLogicalOr"}, reduce_others},
    {{"MatMul"}, {}, matmul},
    {{"MatMulInteger"}, {}, matmul_integer},
    {{"QLinearMatMul"}, {}, qlinear_matmul},
    {{"Gemm", 7}, {}, gemm},
    {{"Einsum"}, {}, einsum},
};

}  // namespace

std::span<const ProducerRow> reduction_producers() { return kReductionRows; }

}  // namespace windrow::internal
