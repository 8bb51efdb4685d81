#include "src/ranges/departures.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "src/base/integers.h"
#include "src/ranges/movement.h"

// One file, long as it is: a row and the few lines by which a proof gives way to it are read
// together, hosts share many of these functions, and a file for each host would need a header that
// names them all.

namespace windrow::internal {
namespace {

// Stands for every operator in a row.
constexpr std::string_view kEvery = "*";

// Leaves the type alone of what is known of an output.
void give_up(Production& p, SymbolicShape dims = std::nullopt, std::size_t output = 0) {
  ValueFact nothing;
  nothing.dtype = p.output(output).dtype;
  nothing.dispute = dims ? Dispute::kExtents : Dispute::kRank;
  nothing.dims = std::move(dims);
  p.output(output) = std::move(nothing);
}

// Leaves nothing of an output but its type and shape.
void give_up_elements(Production& p) {
  const ValueFact known = std::exchange(p.output(), {});
  p.output().dtype = known.dtype;
  p.output().dims = known.dims;
  p.output().dispute = known.dispute;
}

void give_up_all(Production& p) {
  for (std::size_t i = 0; i < p.outputs().size(); ++i) give_up(p, std::nullopt, i);
}

void give_up_shape(Production& p, SymbolicShape dims = std::nullopt) {
  p.output().dispute = dims ? Dispute::kExtents : Dispute::kRank;
  p.output().dims = std::move(dims);
}

// Extents may be known before a run, too.
bool may_be_constant(Production& p, std::size_t input) {
  return p.has(input) && (p.given(input).is_fixed || known_integers(p.input(input)).has_value());
}

// Whether all parts surely have the same extents on the axes on which they are not joined.
bool have_same_sides(Production& p, std::size_t rank, std::size_t axis) {
  const SymbolicShape& first = p.given(0).dims;
  for (std::size_t i = 0; i < p.input_count(); ++i) {
    const SymbolicShape& part = p.given(i).dims;
    if (!first || !part || part->size() != rank || first->size() != rank) return false;
    for (std::size_t side = 0; side < rank; ++side)
      if (side != axis && !are_same((*first)[side], (*part)[side])) return false;
  }
  return true;
}

void join_without_empty_parts(Production& p) {
  const SymbolicShape dims = p.output().dims;
  const auto axis = place_of_axis(p.attribute("axis", 1), dims);
  if (!axis) return give_up(p);
  bool is_disputed = false;
  for (std::size_t i = 0; i < p.input_count(); ++i)
    is_disputed = is_disputed || p.given(i).dispute == Dispute::kRank;
  if (is_disputed) return give_up(p, of_same_rank(dims));
  if (dims->size() == 1 || have_same_sides(p, dims->size(), *axis)) return;
  bool all_have = true;
  for (std::size_t i = 0; i < p.input_count(); ++i)
    all_have = p.assume_elements(p.given(i).dims) && all_have;
  if (!all_have) give_up(p, of_same_rank(dims));
}

void shape_of_reduced_nothing(Production& p) {
  if (!p.assume_elements_of(0)) give_up_shape(p);
}

void extreme_of_nothing(Production& p) {
  if (!p.assume_elements_of(0)) give_up(p);
}

bool has_odd_booleans(Production& p, std::size_t input) {
  const Interval all = integer_of(p.input(input), p.extents());
  return all.low < 0 || all.high > 1;
}

void choose_zero(Production& p) {
  if (!has_odd_booleans(p, 0)) return;
  add_zero(p.output().range, p.extents());
  p.output().source_input.clear();
}

// Integers that are bytes of booleans may come from them by casts, which are left out together.
void cast_back(Production& p) {
  const ValueFact& from = p.input(0);
  const Interval all = integer_of(from, p.extents());
  const Interval bytes{0, p.extents().profile().largest_boolean};
  const bool may_be_odd = p.output().dtype == DType::kBool && is_integer(from.dtype) &&
                          all.low == 0 && all.high > 1 && all.high <= bytes.high;
  if (may_be_odd) p.output().range = tensor_range(bytes);
}

// A boolean's byte passes through a cast to 8 bits or fewer as it is.
void cast_odd_boolean(Production& p) {
  const DType to = p.output().dtype;
  const Interval all = integer_of(p.input(0), p.extents());
  const Interval bytes{0, p.extents().profile().largest_boolean};
  if (!is_integer(to) || to == DType::kBool || dtype_bits(to) > 8) return;
  if (all.low != bytes.low || all.high != bytes.high) return;
  for (Interval& interval : p.output().range.integers)
    interval = join(interval, bytes, p.extents());
}

// The shape that Compress has where it may take any number of elements.
SymbolicShape compressed_dims(Production& p) {
  SymbolicShape dims = p.has_attribute("axis") ? p.given(0).dims : std::vector<Dim>(1);
  const auto axis = place_of_axis(p.attribute("axis", 0), dims);
  if (axis) (*dims)[*axis] = Dim();
  return axis ? dims : std::nullopt;
}

void compress_foreign_memory(Production& p) {
  if (!has_odd_booleans(p, 1)) return;
  give_up(p, compressed_dims(p));
}

void compress_beyond_data(Production& p) {
  const SymbolicShape& data = p.given(0).dims;
  const SymbolicShape& condition = p.given(1).dims;
  Dim searched{known_count(data).value_or(-1), {}};
  const auto axis = place_of_axis(p.attribute("axis", 0), data);
  if (axis && (p.has_attribute("axis") || data->size() == 1)) searched = (*data)[*axis];
  const bool fits = condition && condition->size() == 1 &&
                    (are_same(condition->front(), searched) ||
                     most(condition->front()) <= p.extents().extent_of(searched).low);
  if (!fits) give_up(p, compressed_dims(p));
}

void compress_to_nothing(Production& p) {
  compress_beyond_data(p);
  give_up_shape(p);
}

// Extents of the outputs follow from inputs that have elements, by premises where that is not sure.
void change_empty_tensors(Production& p) {
  bool all_have = true;
  for (std::size_t i = 0; i < p.input_count(); ++i)
    if (p.has(i)) all_have = p.assume_elements_of(i) && all_have;
  if (!all_have) give_up_all(p);
}

void round_shape_of_pool_up(Production& p) {
  if (p.attribute("ceil_mode", 0) == 0 || !p.text("auto_pad", "").starts_with("SAME")) return;
  for (ValueFact& output : p.outputs()) {
    output.dims = of_same_rank(output.dims);
    output.dispute = std::max(output.dispute, Dispute::kExtents);
  }
}

bool has_indices_in_range(Production& p) {
  const SymbolicShape& data = p.given(0).dims;
  const auto axis = place_of_axis(p.attribute("axis", 0), data);
  return axis && p.lies_within(p.integer(1), (*data)[*axis], true);
}

void gather_zeros(Production& p) {
  if (p.is_openvino() || has_indices_in_range(p)) return;
  add_zero(p.output().range, p.extents());
  p.output().source_input.clear();
}

// Short vectors of integers are read without a look at the index.
void gather_zeros_of_long_data(Production& p) {
  constexpr std::int64_t kShort = 64;
  const SymbolicShape& data = p.given(0).dims;
  const bool may_be_short = !data || (data->size() == 1 && least(data->front()) <= kShort);
  if (!may_be_short) return gather_zeros(p);
  if (!has_indices_in_range(p)) give_up_elements(p);
}

// Whether all index tuples surely are positions of the data.
bool has_tuples_in_range(Production& p) {
  const SymbolicShape& data = p.given(0).dims;
  const ValueFact& indices = p.input(1);
  if (!data || !indices.dims || indices.dims->empty() || !indices.dims->back().is_known())
    return false;
  const auto batch_dims = static_cast<std::size_t>(p.attribute("batch_dims", 0));
  const auto count = static_cast<std::size_t>(indices.dims->back().value);
  const std::size_t last = indices.dims->size() - 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (batch_dims + i >= data->size()) return false;
    ValueFact column = indices;
    column.dims->back() = Dim{1, {}};
    column.range = selected(indices, last, {i}, p.extents());
    if (!p.lies_within(integer_of(column, p.extents()), (*data)[batch_dims + i], true))
      return false;
  }
  return true;
}

// A slice from the start of an axis is left out before the node, so that the end is another.
void gather_beyond_slice(Production& p) {
  if (p.integer(1).low < 0) give_up_elements(p);
}

void gather_foreign_memory(Production& p) {
  if (!has_tuples_in_range(p)) give_up_elements(p);
}

// 1 / x times y becomes y / x, also for integers; what shape the 1 had is lost.
void divide_after_all(Production& p) {
  const SymbolicShape& one = p.given(0).dims;
  const SymbolicShape& divisor = p.given(1).dims;
  const bool may_be_one = may_be_constant(p, 0) && known_count(one).value_or(1) == 1;
  if (may_be_one && (!one || !divisor || one->size() > divisor->size())) give_up_shape(p);
  const Interval dividend = p.integer(0);
  if (!is_integer(p.output().dtype) || !is_single(dividend) || dividend.low != 1) return;
  p.output().range = tensor_range(Interval{-1, 1});
}

void clip_at_largest_half(Production& p) {
  if (p.output().dtype == DType::kFloat16) p.output().range = ValueRange();
}

void round_to_4_bits(Production& p) {
  const bool is_rounded = dtype_bits(p.output().dtype) < 8 && has_float_intervals(p.given(0).dtype);
  if (is_rounded) p.output().range = ValueRange();
}

// The shape of the result may be another than onnx's inference says.
void dispute(Production& p, Dispute what) {
  for (ValueFact& output : p.outputs()) output.dispute = std::max(output.dispute, what);
}

void dispute_shape_of_pool(Production& p) {
  if (p.attribute("ceil_mode", 0) != 0 || p.text("auto_pad", "").starts_with("SAME"))
    dispute(p, Dispute::kExtents);
}

void dispute_shape_of_transposed(Production& p) {
  if (p.has_attribute("output_shape") || p.text("auto_pad", "").starts_with("SAME"))
    dispute(p, Dispute::kRank);
}

void dispute_unknown_shape(Production& p) {
  if (!known_extents(p.output().dims)) dispute(p, Dispute::kRank);
}

void dispute_unknown_extents(Production& p) {
  if (!known_extents(p.output().dims)) dispute(p, Dispute::kExtents);
}

bool goes_forward(Production& p) {
  const std::size_t place = p.is_openvino() ? 3 : 4;
  if (!p.has_list("steps", place)) return true;
  const auto steps = p.list("steps", place);
  return steps &&
         std::all_of(steps->begin(), steps->end(), [](std::int64_t step) { return step > 0; });
}

void dispute_shape_of_reversed(Production& p) {
  if (!goes_forward(p)) dispute(p, Dispute::kExtents);
}

// A start of -1 or more lies in every axis that has elements.
void slice_from_before_data(Production& p) {
  if (goes_forward(p)) return;
  const auto starts = p.list("starts", 1);
  const bool are_inside = starts && std::all_of(starts->begin(), starts->end(),
                                                [](std::int64_t start) { return start >= -1; });
  if (!are_inside) give_up_shape(p, of_same_rank(p.output().dims));
}

void read_disputed_extents(Production& p) {
  ValueFact& result = p.output();
  const Dispute disputed = p.given(0).dispute;
  result.dispute = p.given(0).dims ? Dispute::kNone : Dispute::kExtents;
  if (disputed == Dispute::kNone) return;
  result.range = tensor_range(Interval{0, Interval::kHighest});
  if (disputed == Dispute::kRank && p.node().op_type == "Shape") result.dims = std::vector<Dim>(1);
}

void expand_to_nothing(Production& p) {
  const SymbolicShape asked = p.dims_in(1);
  SymbolicShape& dims = p.output().dims;
  if (p.assume_elements(asked)) return;
  if (!asked || !dims || asked->size() > dims->size()) return give_up_shape(p, of_same_rank(dims));
  const std::size_t missing = dims->size() - asked->size();
  for (std::size_t axis = 0; axis < asked->size(); ++axis)
    if (least((*asked)[axis]) <= 0) (*dims)[axis + missing] = Dim();
  p.output().dispute = std::max(p.output().dispute, Dispute::kExtents);
}

void shift_scalars(Production& p) {
  if (p.output().dims && p.output().dims->empty()) give_up_shape(p);
}

// Only a number of elements that is constant is taken so.
void take_all_for_none(Production& p) {
  const Interval k = p.has(1) ? integer_of(p.parameter(1), p.extents()) : Interval{1, 1};
  if (k.low > 0 || k.below) return;
  for (ValueFact& output : p.outputs()) {
    output.dims.reset();
    output.dispute = Dispute::kRank;
  }
}

void count_away(Production& p) {
  const Interval start = p.integer(0);
  const Interval limit = p.integer(1);
  const Interval delta = p.integer(2);
  const bool goes_up = delta.low > 0 && is_less_or_equal(start, limit).low == 1;
  const bool goes_down = delta.high < 0 && is_less_or_equal(limit, start).low == 1;
  if (is_integer(p.output().dtype) && !goes_up && !goes_down) give_up(p, std::vector<Dim>(1));
}

// The largest number up to which each type of floats has every integer.
constexpr std::int64_t kMostInFloat = std::int64_t{1} << 24;
constexpr std::int64_t kMostInDouble = std::int64_t{1} << 53;

bool exceeds(const Interval& interval, std::int64_t most) {
  return interval.low < -most || interval.high > most;
}

void divide_in_doubles(Production& p) {
  for (std::size_t i = 0; i < p.input_count(); ++i) {
    if (exceeds(p.integer(i), kMostInDouble)) p.output().range = ValueRange();
  }
}

void sum_in_doubles(Production& p) {
  bool is_large = exceeds(p.integer(0), kMostInDouble);
  for (const Interval& result : p.output().range.integers)
    is_large = is_large || exceeds(result, kMostInDouble);
  if (is_integer(p.output().dtype) && is_large) p.output().range = ValueRange();
}

// Only numbers that may be extents are carried on: a few that are known one by one.
void infer_through_cast(Production& p) {
  const ValueFact& from = p.input(0);
  const DType to = p.output().dtype;
  if (to == DType::kInt64 || !is_integer(from.dtype)) return;
  const bool is_short = from.dims && from.dims->size() <= 1 && known_count(from.dims) &&
                        *known_count(from.dims) <= static_cast<std::int64_t>(kMaxRank);
  const Interval held = is_integer(to) ? type_interval(to) : Interval{0, 0};
  const auto is_held = [&held](const Interval& part) {
    return part.low >= held.low && part.high <= held.high;
  };
  const auto& parts = from.range.integers;
  const bool are_known = !parts.empty() && integer_of(from, p.extents()).high < Interval::kHighest;
  if (is_short && are_known && !std::all_of(parts.begin(), parts.end(), is_held))
    dispute(p, Dispute::kExtents);
}

void round_quotients_of_bytes(Production& p) {
  if (!is_integer(p.output().dtype) || dtype_bits(p.output().dtype) > 8) return;
  for (Interval& interval : p.output().range.integers) {
    interval.low = saturating_add(interval.low, -1);
    interval.high = saturating_add(interval.high, 1);
  }
}

// Slopes of more elements than one may be broadcast over more axes than data has.
void broadcast_slopes(Production& p) {
  if (known_count(p.given(1).dims) != 1) give_up_shape(p, of_same_rank(p.output().dims));
}

// Whether the broadcast of `operand` leaves the extents of `data` as they are.
bool fits_in(const SymbolicShape& operand, const SymbolicShape& data) {
  if (!operand || !data || operand->size() > data->size()) return false;
  return std::equal(operand->rbegin(), operand->rend(), data->rbegin(),
                    [](const Dim& own, const Dim& of_data) {
                      return (least(own) == 1 && most(own) == 1) || are_same(own, of_data);
                    });
}

// Scale and bias may broadcast the data, and a bias is taken for one of the last axes alone.
void broadcast_scale_and_bias(Production& p) {
  const SymbolicShape& data = p.given(0).dims;
  const auto axis = place_of_axis(p.attribute("axis", -1), data);
  for (std::size_t input = 1; input < p.input_count(); ++input) {
    if (!p.has(input)) continue;
    const SymbolicShape& operand = p.given(input).dims;
    const bool is_of_last_axes = axis && operand && operand->size() <= data->size() - *axis;
    if (!is_of_last_axes || !fits_in(operand, data)) give_up_shape(p, of_same_rank(data));
  }
}

bool may_lose_axes(const SymbolicShape& dims) {
  return known_count(dims).value_or(1) == 1 && (!dims || !dims->empty());
}

// A constant of one element is computed with an extent of rank 0 as if it had no axes either.
void leave_out_axes(Production& p) {
  for (std::size_t input = 0; input < p.input_count(); ++input) {
    const SymbolicShape& dims = p.given(input).dims;
    if (!may_be_constant(p, input) || !may_lose_axes(dims)) continue;
    for (std::size_t other = 0; other < p.input_count(); ++other) {
      const bool is_scalar = p.given(other).dims && p.given(other).dims->empty();
      if (p.has(other) && is_scalar && !known_integers(p.input(other))) give_up_shape(p);
    }
  }
}

void clip_to_scalar(Production& p) {
  const SymbolicShape& data = p.given(0).dims;
  for (const std::size_t input : {1U, 2U}) {
    if (!p.has(input)) continue;
    const SymbolicShape& bound = p.given(input).dims;
    const bool is_scalar = bound && bound->empty();
    const bool may_add_axes = !bound || !data || bound->size() > data->size();
    const bool may_fold = is_scalar && may_be_constant(p, 0) && may_lose_axes(data);
    if (may_add_axes || may_fold) give_up_shape(p);
  }
}

// The least bound that is rounded to a float that no int32 holds.
void clip_without_bound(Production& p) {
  constexpr std::int64_t kLeast = (std::int64_t{1} << 31) - 64;
  const bool may_be_left_out = p.has(1) && p.integer(1).high >= kLeast;
  if (!may_be_left_out || !is_integer(p.output().dtype)) return;
  const Interval data = p.integer(0);
  for (Interval& interval : p.output().range.integers) interval = join(interval, data, p.extents());
}

bool are_held(Production& p) {
  const Interval held = type_interval(DType::kInt32);
  for (std::size_t i = 0; i < p.input_count(); ++i) {
    const Interval operand = p.integer(i);
    if (operand.low < held.low || operand.high > held.high) return false;
  }
  return true;
}

// Elementwise nodes one after another are one loop over floats.
void compute_beyond_integers(Production& p) {
  for (std::size_t i = 0; i < p.input_count(); ++i) {
    if (!p.has(i) || !p.given(i).may_exceed_integers) continue;
    p.output().range = ValueRange();
    p.output().may_exceed_integers = true;
  }
}

// The product of the rounded quotient and the divisor is subtracted, which leaves what was lost.
void round_remainders(Production& p) {
  if (is_integer(p.output().dtype)) p.output().may_exceed_integers = !are_held(p);
  if (has_float_intervals(p.output().dtype)) p.output().range = ValueRange();
}

void reduce_all_axes(Production& p) {
  const bool reads_them = p.is_openvino() || p.version() < 13 || p.version() >= 18;
  if (!reads_them && p.has_attribute("axes")) give_up(p, of_same_rank(p.output().dims));
}

void find_one_element(Production& p) {
  const SymbolicShape& dims = p.given(0).dims;
  const auto may_be_one = [](const Dim& dim) { return least(dim) <= 1 && most(dim) >= 1; };
  const std::size_t least_rank = may_be_constant(p, 0) ? 2 : 3;
  if (dims && dims->size() < least_rank) return;
  if (!dims || std::all_of(dims->begin(), dims->end(), may_be_one)) give_up_elements(p);
}

void keep_signs(Production& p) {
  if (!may_be_constant(p, 0)) return;
  if (has_float_intervals(p.output().dtype)) p.output().range = ValueRange();
  const Interval data = p.integer(0);
  for (Interval& interval : p.output().range.integers) interval = join(interval, data, p.extents());
}

void broadcast_scalar_to_scale(Production& p) {
  const SymbolicShape& data = p.given(0).dims;
  const SymbolicShape& scale = p.given(1).dims;
  if (!data || !scale || data->size() < scale->size()) give_up_shape(p);
}

void mask_in_floats(Production& p) {
  if (is_integer(p.output().dtype) && exceeds(p.integer(0), kMostInFloat))
    p.output().range = ValueRange();
}

void multiply_vectors(Production& p) {
  const bool may_be_scalar = !p.output().dims || p.output().dims->empty();
  if (may_be_scalar) give_up_shape(p);
}

// Versions before 11 know no negative axes.
void insert_negative_axes(Production& p) {
  const auto axes = p.list("axes", 1);
  const bool is_negative =
      !axes || std::any_of(axes->begin(), axes->end(), [](std::int64_t axis) { return axis < 0; });
  if (p.version() < 11 && is_negative) dispute(p, Dispute::kRank);
}

void unique_of_nothing(Production& p) {
  const SymbolicShape& data = p.given(0).dims;
  const bool may_be_scalar = !data || data->empty();
  if (!p.flag("sorted", true) || may_be_scalar || !p.assume_elements(data)) give_up_all(p);
  p.output().source_input.clear();
}

void unique_of_nan(Production& p) {
  if (!has_float_intervals(p.given(0).dtype)) return;
  for (std::size_t i = 1; i < p.outputs().size(); ++i) {
    add_zero(p.output(i).range, p.extents());
    p.output(i).distinct = {};
  }
}

void fill_with_foreign_memory(Production& p) {
  const auto asked = p.elements_in(1);
  const bool keeps_count = !asked || std::any_of(asked->begin(), asked->end(),
                                                 [](const Interval& a) { return a.low <= 0; });
  if (!keeps_count && !p.assume_elements(p.given(0).dims)) give_up(p, p.output().dims);
}

constexpr std::string_view kOnnxruntimeHost = "onnxruntime";
constexpr std::string_view kOpenvinoHost = "openvino";
constexpr std::string_view kOnnxruntimeVersion = "onnxruntime 1.32.0";
constexpr std::string_view kOpenvinoVersion = "openvino 2026.4.1";
constexpr std::string_view kOnnxruntimeSeen = "2026-11-26";
constexpr std::string_view kSeen = "2026-11-25";

constexpr Departure onnxruntime(std::array<std::string_view, 4> operators,
                                void (*weaken)(Production&), std::string_view what) {
  return {kOnnxruntimeHost, operators, weaken, what, true, kOnnxruntimeVersion, kOnnxruntimeSeen};
}
// A departure that releases up to 1.31 have, and 1.32.0 has not.
constexpr Departure older_onnxruntime(std::array<std::string_view, 4> operators,
                                      void (*weaken)(Production&), std::string_view what) {
  return {kOnnxruntimeHost, operators, weaken, what, true, "onnxruntime 1.31.1", kSeen};
}

constexpr Departure openvino(std::array<std::string_view, 4> operators, void (*weaken)(Production&),
                             std::string_view what) {
  return {kOpenvinoHost, operators, weaken, what, true, kOpenvinoVersion, kSeen};
}

constexpr Departure evaluate(std::array<std::string_view, 4> operators, void (*weaken)(Production&),
                             std::string_view what) {
  return {"openvino's evaluate", operators, weaken, what, true, kOpenvinoVersion, kSeen};
}

constexpr Departure kDepartures[] = {
    onnxruntime(
        {"Concat"}, join_without_empty_parts,
        "parts without elements are left out, their extents on other axes are not compared, "
        "and elements that no part gives are foreign memory"),
    older_onnxruntime({"ArgMax", "ArgMin"}, shape_of_reduced_nothing,
                      "the result for a tensor without elements may have the tensor's shape"),
    onnxruntime({"ReduceMax", "ReduceMin", "ReduceProd", "ReduceSum"}, shape_of_reduced_nothing,
                "the result for a tensor without elements may have none either"),
    onnxruntime({"ReduceL1", "ReduceL2", "ReduceMean", "ReduceSumSquare"}, shape_of_reduced_nothing,
                "the result for a tensor without elements may have none either"),
    onnxruntime({"Where"}, choose_zero,
                "where the condition's byte is neither 0 nor 1, the element is 0"),
    onnxruntime(
        {"Compress"}, compress_foreign_memory,
        "bytes of the condition that are neither 0 nor 1 count as their number, and elements "
        "beyond the data are foreign memory"),
    onnxruntime({"Expand"}, expand_to_nothing, "an extent of 0 that is asked may be left out"),
    onnxruntime({"MaxPool", "AveragePool", "LpPool"}, dispute_shape_of_pool,
                "onnx infers other extents than are computed"),
    onnxruntime({"ConvTranspose"}, dispute_shape_of_transposed,
                "onnx infers another shape than is computed"),
    onnxruntime({"Einsum", "PRelu"}, dispute_unknown_shape,
                "onnx may infer another shape than is computed"),
    onnxruntime({"Resize", "Upsample"}, dispute_unknown_extents,
                "onnx may infer other extents than are computed"),
    onnxruntime({"Slice"}, dispute_shape_of_reversed,
                "onnx infers other extents of slices against the order than are computed"),
    onnxruntime({"Unsqueeze"}, insert_negative_axes,
                "the shape of a result with negative axes in an old version is not inferred"),
    onnxruntime({"Div"}, divide_after_all,
                "a reciprocal that is multiplied is a quotient of that factor, and has its shape"),
    onnxruntime({"Clip"}, clip_at_largest_half,
                "an infinite bound of float16 is the largest finite number"),
    onnxruntime({"Cast"}, round_to_4_bits, "floats are rounded to integers of 4 bits"),
    onnxruntime({"Cast"}, cast_back,
                "casts from booleans and back are left out, with what their bytes become"),
    onnxruntime({"Cast"}, cast_odd_boolean,
                "a boolean's byte that was cast to 8 bits or fewer is cast on as it is"),
    onnxruntime({"Cast"}, infer_through_cast,
                "onnx infers shapes from extents as they were before a cast changed them"),
    onnxruntime({"ReduceSum"}, sum_in_doubles,
                "integers are summed in doubles, and sums beyond the type are its ends"),
    onnxruntime({"Shape", "Size"}, read_disputed_extents,
                "the result is what onnx infers where that is known"),
    openvino({"Shape", "ShapeOf", "Size"}, read_disputed_extents,
             "the result is what the runtime infers where that is known"),
    openvino({"Concat"}, join_without_empty_parts,
             "an extent of 0 on an axis on which the parts are not joined becomes the result's"),
    openvino({"ArgMax", "ArgMin"}, extreme_of_nothing,
             "the position of an extreme of nothing is foreign memory"),
    openvino({kEvery}, change_empty_tensors,
             "tensors without elements may get other extents, or none, also later in the graph"),
    openvino({"Slice", "StridedSlice"}, slice_from_before_data,
             "a slice against the order that starts before the first element has one element, and "
             "other extents are inferred for it than it has"),
    openvino({"Compress"}, compress_to_nothing,
             "a condition that is longer than the data takes foreign memory, and one that chooses "
             "nothing gives two axes"),
    openvino({"MaxPool", "AveragePool", "LpPool"}, round_shape_of_pool_up,
             "ceil_mode adds an extent to that of the modes SAME"),
    openvino({"Cast", "Convert"}, round_to_4_bits, "floats are rounded to integers of 4 bits"),
    openvino({"Gather"}, gather_zeros_of_long_data,
             "an index that is out of range gives 0, or foreign memory beside a short vector"),
    openvino({"GatherElements"}, gather_beyond_slice,
             "a negative index counts from the end of what the data is a slice of"),
    openvino({"GatherND"}, gather_foreign_memory,
             "an index tuple that is out of range gives foreign memory"),
    evaluate({"Gather"}, gather_zeros, "an index that is out of range gives 0"),
    openvino({"Div", "Divide"}, round_quotients_of_bytes,
             "quotients of integers of 8 bits are rounded to the nearest integer"),
    openvino({"Add", "Sub", "Mul", "Div"}, leave_out_axes,
             "an extent and a constant of one element give a scalar"),
    openvino({"Min", "Max", "Clip", "Mod"}, leave_out_axes,
             "an extent and a constant of one element give a scalar"),
    openvino({"Mean", "Pow", "Sum"}, leave_out_axes,
             "an extent and a constant of one element give a scalar"),
    openvino(
        {"Clip"}, clip_to_scalar,
        "a constant of one element that is clipped at a scalar may have no axes, and a bound with "
        "axes broadcasts a scalar"),
    openvino({"Clip"}, clip_without_bound, "a lower bound next to the largest int32 is left out"),
    openvino({"Mod", "FloorMod"}, round_remainders,
             "remainders of large floats may be larger than the divisor"),
    openvino({"Max", "Min", "Clip", "Where"}, compute_beyond_integers,
             "a remainder of large integers is a float, which no bound makes an integer"),
    openvino({"Add", "Sub", "Mul", "Neg"}, compute_beyond_integers,
             "a remainder of large integers is a float, which no bound makes an integer"),
    openvino({"Abs", "Sign", "Relu", "Identity"}, compute_beyond_integers,
             "a remainder of large integers is a float, which no bound makes an integer"),
    openvino({"ReduceL1", "ReduceLogSum", "ReduceLogSumExp"}, reduce_all_axes,
             "axes of an attribute are not read in opsets 13 to 17"),
    openvino({"PRelu"}, broadcast_slopes, "the slope broadcasts the data"),
    openvino({"LayerNormalization"}, broadcast_scale_and_bias,
             "scale and bias broadcast the data, and a bias of more axes than are normalised is "
             "taken for one of those"),
    openvino(
        {"NonZero"}, find_one_element,
        "of a tensor of one element and three axes or more, or a constant of two, positions may be "
        "foreign memory"),
    openvino({"Abs"}, keep_signs, "a constant keeps its signs"),
    openvino({"DequantizeLinear"}, broadcast_scalar_to_scale, "the scale broadcasts a scalar"),
    openvino({"Trilu"}, mask_in_floats, "integers are multiplied as floats"),
    openvino({"MatMulInteger"}, multiply_vectors, "the product of two vectors is a vector"),
    openvino({"BitShift"}, shift_scalars, "the result for scalars has an axis"),
    openvino({"TopK"}, take_all_for_none, "all elements are taken where none is asked for"),
    openvino({"Range"}, count_away,
             "a step away from the limit is taken as often as one toward it would be"),
    openvino(
        {"Unique"}, unique_of_nothing,
        "without sorting, elements and positions that the node's other outputs do not need are 0, "
        "and those of a scalar may be 1; for no elements, the result is that of the run before"),
    openvino({"Unique"}, unique_of_nan, "NaN is counted as 0 elements, which stand at position 0"),
    openvino({"Reshape"}, fill_with_foreign_memory,
             "a tensor without elements takes any shape, with elements of foreign memory"),
    evaluate({"FloorMod", "Mod"}, divide_in_doubles,
             "the remainder of integers is computed in doubles"),
};

bool is_about(const Departure& row, const Production& p) {
  if (row.operators.front() == kEvery) return true;
  const auto found = std::find(row.operators.begin(), row.operators.end(), p.node().op_type);
  return found != row.operators.end() && !found->empty();
}

// Operators whose results' ranks follow from the ranks of their inputs.
constexpr std::string_view kKeepRanks =
    " Abs Add And ArgMax ArgMin AveragePool BatchNormalization Cast Ceil Clip Concat Conv Cos "
    "CumSum Div Elu Equal Erf Exp Flatten Floor Gather GatherElements Gelu Gemm "
    "GlobalAveragePool Greater GreaterOrEqual HardSigmoid HardSwish Identity "
    "InstanceNormalization LayerNormalization LeakyRelu Less LessOrEqual Log LogSoftmax "
    "MatMul Max MaxPool Min Mish Mul Neg Not Or Pad Pow Reciprocal Relu Resize "
    "ScatterElements ScatterND Sigmoid Sin Slice Softmax Softplus Split Sqrt Sub Tanh Tile "
    "TopK Transpose Trilu Upsample Where ";
// Operators whose results' ranks follow from those and from the number of elements of the second
// input.
constexpr std::string_view kTakeRanks =
    " Expand ReduceMax ReduceMean ReduceMin ReduceSum Reshape Unsqueeze ";

bool is_among(std::string_view name, std::string_view names) {
  return names.find(" " + std::string(name) + " ") != std::string_view::npos;
}

}  // namespace

bool may_decide_rank(std::string_view op_type, std::string_view dialect, std::size_t input) {
  if (dialect != "onnx") return true;
  return !is_among(op_type, kKeepRanks) && (input == 1 || !is_among(op_type, kTakeRanks));
}

std::span<const Departure> departures() { return kDepartures; }

void weaken_by_departures(Production& p) {
  const ArithmeticProfile& profile = p.extents().profile();
  for (const Departure& row : kDepartures) {
    const bool has_it = row.profile == profile.name || !profile.ran;
    if (has_it && is_about(row, p)) row.weaken(p);
  }
}

}  // namespace windrow::internal
