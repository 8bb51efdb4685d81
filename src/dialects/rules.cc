#include "src/dialects/rules.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <utility>

#include "src/access/evaluate.h"
#include "windrow/shape.h"

namespace windrow::internal {

std::string Rules::operator_name() const {
  return std::string(dialect_) + "." + std::string(name_) + "-" + std::to_string(version_);
}

std::string Rules::label(std::string_view rule) const {
  std::string label;
  for (const char letter : dialect_)
    label += static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return label + "-" + std::string(name_) + "-" + std::string(rule);
}

Status Rules::broken(ErrorCode code, std::string_view rule, std::string_view text) const {
  ErrorInfo info;
  info.code = code;
  info.operator_name = operator_name();
  info.constraint = rule.substr(0, 5) == "CALL-" ? std::string(rule) : label(rule);
  info.message = info.operator_name + " [" + info.constraint + "]: " + std::string(text);
  return Status(std::move(info));
}

Status Rules::invalid(std::string_view rule, std::string_view text) const {
  return broken(ErrorCode::kInvalidArgument, rule, text);
}

Status Rules::shape(std::string_view rule, std::string_view text) const {
  return broken(ErrorCode::kShape, rule, text);
}

Negatives negatives_of(const CallOptions& options, Negatives own) noexcept {
  if (!options.negative || own == Negatives::kRefused) return own;
  switch (*options.negative) {
    case NegativeIndex::kFromEnd:
      return Negatives::kCountFromEnd;
    case NegativeIndex::kOutOfRange:
      return Negatives::kOutside;
    case NegativeIndex::kError:
      break;
  }
  return Negatives::kRefusedByOption;
}

Status set_padding(const Rules& rules, std::int64_t padding, AccessMap& map) {
  IndexTerm* indexed = nullptr;
  std::size_t count = 0;
  for (AxisMap& axis : map.axes) {
    for (IndexTerm& term : axis.terms) indexed = &term;
    count += axis.terms.size();
  }
  if (count != 1)
    return rules.invalid("CALL-O4", "padding_index is " + std::to_string(padding) +
                                        ", for which one axis must be indexed; the call has " +
                                        (count == 0 ? "none" : std::to_string(count)));
  indexed->padding = padding;
  return {};
}

AxisMap loop_axis(std::int64_t extent, int loop) {
  AxisMap axis;
  axis.extent = extent;
  axis.loops.push_back({loop, 1});
  return axis;
}

AxisMap index_axis(std::int64_t extent, int input, std::vector<IndexCoordinate> coordinates,
                   const IndexUse& use) {
  const auto [policy, negatives] = use;
  IndexTerm term;
  term.input = input;
  term.coordinates = std::move(coordinates);
  if (negatives == Negatives::kCountFromEnd) term.normalise = Normalise::kNegativeWraps;
  // Clamp and modulo have no coordinate to choose on an empty axis.
  const bool nowhere =
      extent == 0 && (policy == OutOfRange::kClamp || policy == OutOfRange::kModulo);
  if (policy == OutOfRange::kError) {
    term.legal = IndexRange{negatives == Negatives::kCountFromEnd ? -extent : 0, extent - 1};
  } else if (nowhere) {
    term.legal = IndexRange{0, -1};
  } else if (are_refused(negatives)) {
    term.legal = IndexRange{0, std::numeric_limits<std::int64_t>::max()};
  }
  AxisMap axis;
  axis.extent = extent;
  axis.policy = policy;
  axis.terms.push_back(std::move(term));
  return axis;
}

namespace {

std::string_view verb(std::string_view name) {
  constexpr std::array<std::string_view, 13> kPlural = {
      "indices",    "updates", "values", "segment_ids", "offsets", "step_ids",
      "parent_ids", "ids",     "axes",   "weights",     "scales",  "per_sample_weights",
      "zero_points"};
  const bool plural = std::find(kPlural.begin(), kPlural.end(), name) != kPlural.end();
  return plural ? " have " : " has ";
}

std::string describe_rank(const KnownInput& input) {
  return std::string(input.name) + std::string(verb(input.name)) +
         (input.has_rank() ? "rank " + std::to_string(input.rank()) : "an unknown rank");
}

}  // namespace

Dim broadcast_dim(const Dim& a, const Dim& b) {
  const auto is_one = [](const Dim& dim) { return dim.is_known() && dim.value == 1; };
  if (is_one(a)) return b;
  if (is_one(b)) return a;
  if (a.is_known()) return a;
  if (b.is_known()) return b;
  return a == b ? a : Dim();
}

std::optional<Dim> product(std::span<const Dim> dims) {
  if (dims.size() == 1) return dims[0];
  Dim result{1, {}};
  for (const Dim& dim : dims)
    if (dim.value == 0) return dim;
  for (const Dim& dim : dims) {
    if (!dim.is_known()) return Dim();
    if (__builtin_mul_overflow(result.value, dim.value, &result.value)) return std::nullopt;
  }
  return result;
}

void append(SymbolicDims& result, const KnownInput& input, std::int64_t from, std::int64_t to) {
  for (std::int64_t d = from; d < to; ++d) result.push_back(input[d]);
}

std::string to_string(const SymbolicDims& dims) {
  std::string text;
  for (const Dim& dim : dims)
    text += (text.empty() ? "" : ", ") + (dim.is_known()       ? std::to_string(dim.value)
                                          : dim.symbol.empty() ? "?"
                                                               : dim.symbol);
  return "[" + text + "]";
}

std::string describe_shape(const KnownInput& input) {
  return std::string(input.name) + std::string(verb(input.name)) + "shape " +
         to_string(*input.dims);
}

std::string describe_ranks(const KnownInput& a, const KnownInput& b) {
  return describe_rank(a) + " and " + describe_rank(b);
}

std::string describe_shapes(const KnownInput& a, const KnownInput& b) {
  return describe_shape(a) + " and " + describe_shape(b) + ": ";
}

std::string with_rank(const KnownInput& input) {
  return std::string(input.name) + " of " +
         (input.has_rank() ? "rank " + std::to_string(input.rank()) : "unknown rank");
}

bool ranks_clash(std::initializer_list<const KnownInput*> inputs, std::int64_t least) {
  std::optional<std::int64_t> rank;
  for (const KnownInput* input : inputs) {
    if (!input->has_rank()) continue;
    if (input->rank() < least || input->rank() != rank.value_or(input->rank())) return true;
    rank = input->rank();
  }
  return false;
}

Status check_has_axes(const Rules& rules, std::string_view rule, const KnownInput& input) {
  if (!input.has_rank() || input.rank() >= 1) return {};
  return rules.shape(rule, describe_rank(input) + ", must have rank 1 or more");
}

Status check_result_rank(const Rules& rules, std::string_view rule, std::int64_t rank) {
  if (rank <= kMaxRank) return {};
  return rules.shape(rule, "the result has rank " + std::to_string(rank) + ", must be at most " +
                               std::to_string(kMaxRank));
}

bool may_have_shape(const KnownInput& input, const SymbolicDims& expected) {
  return !input.has_rank() ||
         (input.dims->size() == expected.size() &&
          std::equal(expected.begin(), expected.end(), input.dims->begin(),
                     [](const Dim& a, const Dim& b) { return !must_differ(a, b); }));
}

Status check_shape(const Rules& rules, std::string_view rule, const KnownInput& input,
                   const SymbolicDims& expected) {
  if (may_have_shape(input, expected)) return {};
  const bool can_be = expected.size() <= kMaxRank;
  return rules.shape(rule, describe_shape(input) + ", must have " +
                               (can_be ? "shape " + to_string(expected)
                                       : "rank " + std::to_string(expected.size()) +
                                             ", which is above " + std::to_string(kMaxRank)));
}

Status check_batch_axes(const Rules& rules, const KnownInput& data, const KnownInput& indices,
                        std::int64_t batch_dims, bool broadcasts) {
  const auto breaks = broadcasts ? &must_clash : &must_differ;
  for (std::int64_t d = 0; d < batch_dims; ++d)
    if (breaks(data[d], indices[d]))
      return rules.shape("C2", describe_shapes(data, indices) + "they differ in batch axis " +
                                   std::to_string(d) + (broadcasts ? " and none is 1" : ""));
  return {};
}

Status check_off_axis(const Rules& rules, const KnownInput& a, const KnownInput& b,
                      std::optional<std::int64_t> axis) {
  for (std::int64_t d = 0; d < a.rank(); ++d)
    if (d != axis && must_differ(a[d], b[d]))
      return rules.shape("C2", describe_shapes(a, b) + "they differ in axis " + std::to_string(d));
  return {};
}

Result<std::optional<std::int64_t>> check_axis(const Rules& rules, std::int64_t axis,
                                               const KnownInput& input) {
  using Axis = std::optional<std::int64_t>;
  if (!input.has_rank()) return Axis();
  const std::int64_t rank = input.rank();
  if (axis >= -rank && axis < rank) return Axis(normal_axis(axis, static_cast<int>(rank)));
  return rules.invalid("A1", "axis is " + std::to_string(axis) + ", must be in [" +
                                 std::to_string(-rank) + ", " + std::to_string(rank - 1) +
                                 "] for " + with_rank(input));
}

Result<std::optional<std::int64_t>> check_single(const Rules& rules, ErrorCode code,
                                                 std::string_view rule, const KnownInput& input,
                                                 bool may_have_an_axis) {
  const std::string_view one_axis = may_have_an_axis ? ", or rank 1 and one element" : "";
  const Dim one{1, {}};
  const bool fits = !input.has_rank() || input.rank() == 0 ||
                    (may_have_an_axis && input.rank() == 1 && !must_differ(input[0], one));
  if (!fits)
    return rules.broken(code, rule,
                        describe_shape(input) + ", must have rank 0" + std::string(one_axis));
  using Value = std::optional<std::int64_t>;
  if (input.value && input.value->size() == 1) return Value(input.value->front());
  if (!input.is_compiled) return Value();
  return unknown_value(rules, code, rule, input);
}

Status unknown_value(const Rules& rules, ErrorCode code, std::string_view rule,
                     const KnownInput& input) {
  return rules.broken(
      code, rule,
      "the value of " + std::string(input.name) + " must be known when the plan is compiled");
}

Result<std::optional<std::int64_t>> check_count(const Rules& rules, std::string_view rule,
                                                const KnownInput& input, bool may_have_an_axis) {
  auto count = check_single(rules, ErrorCode::kShape, rule, input, may_have_an_axis);
  if (!count || count->value_or(0) >= 0) return count;
  return rules.shape(
      rule, std::string(input.name) + " is " + std::to_string(**count) + ", must not be negative");
}

SymbolicDims slice_dims(const KnownInput& data, const KnownInput& indices, std::int64_t axis,
                        std::int64_t batch_dims, Dim (*batch)(const Dim&, const Dim&)) {
  SymbolicDims result;
  result.reserve(static_cast<std::size_t>(data.rank() + indices.rank()));
  for (std::int64_t d = 0; d < batch_dims; ++d) result.push_back(batch(data[d], indices[d]));
  append(result, data, batch_dims, axis);
  append(result, indices, batch_dims, indices.rank());
  append(result, data, axis + 1, data.rank());
  return result;
}

KnownInputs::KnownInputs(std::span<const InputSchema> schemas,
                         std::span<const SymbolicShape> shapes, KnownValues values,
                         std::span<const OperandType> given)
    : count_(schemas.size()) {
  for (std::size_t i = 0; i < count_; ++i) {
    inputs_[i].name = schemas[i].name;
    if (i < shapes.size() && shapes[i]) inputs_[i].dims = &*shapes[i];
    if (i < values.size()) inputs_[i].value = values[i];
    if (i < given.size()) inputs_[i].dtype = given[i].dtype;
    inputs_[i].is_absent = !given.empty() && (i >= given.size() || given[i].is_absent());
  }
}

namespace {

// Whether the spec of an input that the call leaves out has the value that follows from its ids.
bool has_left_out_value(const InputSchema& schema, const TensorSpec& spec) {
  return schema.counted_input >= 0 && spec.value != nullptr &&
         spec.value->dtype() == DType::kInt64 && spec.value->shape().rank() == 0;
}

}  // namespace

KnownInputs::KnownInputs(std::span<const InputSchema> schemas, std::span<const TensorSpec> specs)
    : count_(schemas.size()) {
  for (std::size_t i = 0; i < count_; ++i) {
    KnownInput& input = inputs_[i];
    input.name = schemas[i].name;
    input.is_compiled = true;
    input.is_absent = i >= specs.size() || specs[i].is_absent();
    if (input.is_absent) {
      if (i < specs.size() && has_left_out_value(schemas[i], specs[i]))
        input.value = fixed_values(specs[i]);
      continue;
    }
    const TensorSpec& spec = specs[i];
    input.dtype = spec.dtype;
    dims_[i].resize(static_cast<std::size_t>(spec.shape.rank()));
    for (std::size_t d = 0; d < dims_[i].size(); ++d)
      dims_[i][d].value = spec.shape[static_cast<int>(d)];
    input.dims = &dims_[i];
    if (!is_fixed(schemas[i].group)) continue;
    const bool has_value = spec.value != nullptr && spec.value->dtype() == spec.dtype &&
                           spec.value->shape() == spec.shape;
    const std::int64_t count = element_count(spec.shape).value_or(kMostFixed + 1);
    if ((has_value && count <= kMostFixed) || count == 0) input.value = fixed_values(spec);
  }
}

std::int64_t fixed_value(const TensorSpec& spec) {
  return read_index(spec.value->dtype(), spec.value->data());
}

std::vector<std::int64_t> fixed_values(const TensorSpec& spec) {
  std::vector<std::int64_t> values;
  if (element_count(spec.shape) == 0) return values;
  const TensorView view = spec.value->view();
  for (std::int64_t i = 0; i < spec.value->element_count(); ++i)
    values.push_back(read_index_at(view, i));
  return values;
}

Shape known_shape(const SymbolicDims& dims) {
  Shape shape;
  for (const Dim& dim : dims) shape.push_back(dim.value);
  return shape;
}

}  // namespace windrow::internal
