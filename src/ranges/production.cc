#include "src/ranges/production.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>
#include <variant>

#include "src/ranges/departures.h"
#include "windrow/printable.h"

namespace windrow::internal {
namespace {

std::optional<std::int64_t> number_in(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// The numbers of a text such as "0, 1,2"; an empty text is an empty list.
std::optional<std::vector<std::int64_t>> numbers_in(std::string_view text) {
  std::vector<std::int64_t> numbers;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && part.front() == ' ') part.remove_prefix(1);
    while (!part.empty() && part.back() == ' ') part.remove_suffix(1);
    const auto number = number_in(part);
    if (!number) return std::nullopt;
    numbers.push_back(*number);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return numbers;
}

template <class T>
const T* value_of(const ModelNode& node, std::string_view name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? nullptr : std::get_if<T>(&found->second);
}

}  // namespace

const ValueFact& Production::given(std::size_t input) const { return inputs_.given(input); }

const ValueFact& Production::input(std::size_t input) {
  const ValueFact& fact = inputs_.read(input);
  add_premises(premises_of_values(fact));
  return fact;
}

const ValueFact& Production::parameter(std::size_t position) {
  const ValueFact& fact = inputs_.read(position);
  shape_premises_ = united(shape_premises_, premises_of_values(fact));
  return fact;
}

Interval Production::integer(std::size_t position) { return integer_of(input(position), extents_); }

std::int64_t Production::attribute(std::string_view name, std::int64_t otherwise) const {
  if (const auto* number = value_of<std::int64_t>(node_, name)) return *number;
  if (const auto* written = value_of<std::string>(node_, name))
    return number_in(*written).value_or(otherwise);
  return otherwise;
}

std::optional<double> Production::number(std::string_view name) const {
  if (const auto* number = value_of<double>(node_, name)) return *number;
  if (const auto* number = value_of<std::int64_t>(node_, name)) return static_cast<double>(*number);
  const auto* written = value_of<std::string>(node_, name);
  if (written == nullptr) return std::nullopt;
  double number = 0;
  const char* const last = written->data() + written->size();
  const auto [end, error] = std::from_chars(written->data(), last, number);
  return error == std::errc() && end == last ? std::optional(number) : std::nullopt;
}

bool Production::flag(std::string_view name, bool otherwise) const {
  if (const auto* number = value_of<std::int64_t>(node_, name)) return *number != 0;
  if (const auto* boolean = value_of<bool>(node_, name)) return *boolean;
  const std::string written = text(name, "");
  if (written == "true" || written == "1") return true;
  return written == "false" || written == "0" ? false : otherwise;
}

std::string Production::text(std::string_view name, std::string_view otherwise) const {
  const auto* written = value_of<std::string>(node_, name);
  return written != nullptr ? *written : std::string(otherwise);
}

std::optional<std::vector<std::int64_t>> Production::list(std::string_view name) const {
  if (const auto* numbers = value_of<std::vector<std::int64_t>>(node_, name)) return *numbers;
  if (const auto* number = value_of<std::int64_t>(node_, name)) return std::vector{*number};
  if (const auto* written = value_of<std::string>(node_, name)) return numbers_in(*written);
  return std::nullopt;
}

std::optional<std::vector<std::int64_t>> Production::list(std::string_view name,
                                                          std::size_t position) {
  if (has_attribute(name)) return list(name);
  return has(position) ? known_integers(parameter(position)) : std::nullopt;
}

ValueFact& Production::output(std::size_t position) {
  return position < outputs_.size() ? outputs_[position] : omitted_;
}

void Production::pass_disputes() {
  Dispute all = Dispute::kNone;
  for (std::size_t i = 0; i < input_count(); ++i) {
    const Dispute dispute = given(i).dispute;
    const bool may_be_of_rank =
        dispute == Dispute::kExtents && may_decide_rank(node_.op_type, dialect_, i);
    all = std::max(all, may_be_of_rank ? Dispute::kRank : dispute);
  }
  for (ValueFact& output : outputs_) output.dispute = std::max(output.dispute, all);
}

std::vector<ValueFact> Production::take_outputs(bool is_elementwise) {
  Premises shapes = shape_premises_;
  for (std::size_t i = 0; i < input_count(); ++i) shapes = united(shapes, given(i).shape_premises);
  say_products(shapes);
  for (ValueFact& output : outputs_) {
    output.type_premises.clear();
    for (std::size_t i = 0; i < input_count(); ++i) {
      if (given(i).dtype == output.dtype)
        output.type_premises = united(output.type_premises, given(i).type_premises);
    }
    output.shape_premises = output.dims ? shapes : Premises();
    const bool holds_for_all = is_elementwise && output.range.grain == ValueRange::Grain::kTensor;
    output.range.premises = holds_for_all ? premises_ : united(premises_, shapes);
    if (output.distinct == Distinct{}) continue;
    output.distinct.premises = united(output.distinct.premises, united(premises_, shapes));
    for (std::size_t i = 0; i < input_count(); ++i)
      output.distinct.premises = united(output.distinct.premises,
                                        united(given(i).distinct.premises, given(i).type_premises));
  }
  return std::move(outputs_);
}

Dim Production::new_dim(std::size_t output, std::size_t axis, std::int64_t low, std::int64_t high) {
  const bool is_there = output < node_.outputs.size() && !node_.outputs[output].empty();
  if (names_extents_ && is_there)
    return extents_.name_inner(node_.outputs[output], axis, low, std::min(high, Extents::kLargest));
  Dim dim;
  dim.low = std::clamp<std::int64_t>(low, 0, Extents::kLargest);
  dim.high = std::clamp<std::int64_t>(high, dim.low, Extents::kLargest);
  return dim.low == dim.high ? Dim{dim.low, {}} : dim;
}

Dim Production::dim_of(const Interval& value) const {
  Dim dim;
  dim.low = std::clamp<std::int64_t>(value.low, 0, Extents::kLargest);
  dim.high = std::max(value.high, dim.low);
  if (dim.low == dim.high) return {dim.low, {}};
  const bool is_extent = is_exact(value) && is_extent_itself(*value.below);
  if (is_extent) dim.symbol = extents_.name(value.below->extent);
  return dim;
}

std::optional<std::vector<Interval>> Production::elements_in(std::size_t position) {
  const ValueFact& list = parameter(position);
  if (!list.dims || list.dims->size() != 1) return std::nullopt;
  const std::optional<std::int64_t> count = known_extent(list.dims, 0);
  if (!count || *count > kMaxRank) return std::nullopt;
  if (*count == 0 || list.range.integers.empty())
    return std::vector<Interval>(static_cast<std::size_t>(*count));
  return on_axis(list.range, list.dims, 0, extents_).integers;
}

SymbolicShape Production::dims_in(std::size_t position) {
  const auto extents = elements_in(position);
  if (!extents) return std::nullopt;
  std::vector<Dim> dims;
  for (const Interval& extent : *extents) dims.push_back(dim_of(extent));
  return dims;
}

std::optional<std::size_t> Production::axis_in(std::size_t position, const SymbolicShape& dims) {
  const auto number = has(position) ? known_integers(parameter(position)) : std::nullopt;
  return number && number->size() == 1 ? place_of_axis(number->front(), dims) : std::nullopt;
}

void Production::name_alike(const SymbolicShape& first, SymbolicShape& later) {
  if (!first || !later) return;
  Premises used;
  const std::size_t shared = std::min(first->size(), later->size());
  for (std::size_t i = 1; i <= shared; ++i) {
    const Dim& dim = (*first)[first->size() - i];
    Dim& other = (*later)[later->size() - i];
    if (dim.is_known() || other.is_known() || are_same(dim, other)) continue;
    const ExtentNumber a = extents_.find(dim.symbol);
    const ExtentNumber b = extents_.find(other.symbol);
    if (a >= 0 && b >= 0 && extents_.are_equal(a, b, used)) other = dim;
  }
  shape_premises_ = united(shape_premises_, used);
}

SymbolicShape Production::broadcast_shape(std::initializer_list<const SymbolicShape*> shapes) {
  std::vector<SymbolicShape> named;
  std::vector<const SymbolicShape*> all;
  named.reserve(shapes.size());
  for (const SymbolicShape* shape : shapes) {
    SymbolicShape next = *shape;
    for (const SymbolicShape& earlier : named) name_alike(earlier, next);
    all.push_back(&named.emplace_back(std::move(next)));
  }
  return broadcast(all);
}

bool Production::lies_within(const Interval& index, const Dim& extent, bool with_wrap) {
  Premises used;
  if (!extents_.is_below(index, extent, used)) return false;
  const bool is_above =
      with_wrap ? extents_.is_at_least_minus(index, extent, used) : index.low >= 0;
  if (is_above) add_premises(used);
  return is_above;
}

bool Production::assume_within(const Interval& interval, std::int64_t limit, Premises& premises) {
  return extents_.assume_below(interval, limit, premises) &&
         extents_.assume_above_minus(interval, limit, premises);
}

void Production::assume_not_empty(ExtentNumber extent) { add_premises(extents_.not_empty(extent)); }

bool Production::assume_elements(const SymbolicShape& dims) {
  if (!dims) return false;
  Premises used;
  for (const Dim& dim : *dims) {
    if (extents_.extent_of(dim).low > 0) continue;
    const ExtentNumber extent = extents_.find(dim.symbol);
    if (dim.is_known() || extent < 0) return false;
    used = united(used, extents_.not_empty(extent));
  }
  shape_premises_ = united(shape_premises_, used);
  return true;
}

bool Production::assume_elements_of(std::size_t position) {
  if (!has(position)) return false;
  const SymbolicShape& dims = given(position).dims;
  if (assume_elements(dims)) return true;
  if (dims &&
      std::any_of(dims->begin(), dims->end(), [](const Dim& dim) { return most(dim) == 0; }))
    return false;
  const std::string& name = node_.inputs[position];
  shape_premises_ = united(shape_premises_, extents_.premise(printable(name) + " has elements"));
  return true;
}

ValueFact Production::in_32_bits(std::size_t position) {
  ValueFact fact = input(position);
  const Interval held = type_interval(DType::kInt32);
  const auto fits = [&held](const Interval& a) { return held.low <= a.low && a.high <= held.high; };
  if (fact.dtype != DType::kInt64) return fact;
  for (Interval& interval : fact.range.integers) interval = narrowed(interval, DType::kInt32);
  std::vector<Interval>& integers = fact.range.integers;
  const bool may_fit = std::all_of(integers.begin(), integers.end(), [&](const Interval& a) {
    return a.low <= held.high && a.high >= held.low;
  });
  const bool all_fit = std::all_of(integers.begin(), integers.end(), fits);
  // The premise is about a value that can be seen: an input, or one of the main graph.
  const bool comes_from_input = !fact.source_input.empty();
  const bool is_seen = comes_from_input || names_extents_;
  if (all_fit || !may_fit || !is_seen || fact.constant != nullptr) return fact;
  const std::string& seen = comes_from_input ? fact.source_input : node_.inputs[position];
  add_premises(extents_.premise("every element of " + seen + " fits in 32 bits"));
  for (Interval& interval : integers) {
    interval.low = std::max(interval.low, held.low);
    interval.high = std::min(interval.high, held.high);
  }
  return fact;
}

Interval Production::narrowed(Interval interval, DType to) {
  const Interval all = type_interval(to);
  const bool may_exceed = interval.high > all.high || interval.low < all.low;
  Premises used;
  if (!may_exceed || dtype_bits(to) < 32 || !extents_.assume_below(interval, all.high, used) ||
      !extents_.assume_above_minus(interval, all.low < 0 ? all.high : 0, used))
    return interval;
  add_premises(used);
  interval.low = std::max(interval.low, all.low);
  interval.high = std::min(interval.high, all.high);
  return interval;
}

std::optional<Interval> Production::exact(Interval interval) {
  return extents_.assume_exact(interval, premises_) ? std::optional(interval) : std::nullopt;
}

std::optional<Interval> Production::exact(
    const Interval& a, const Interval& b,
    const std::function<Interval(const Interval&, const Interval&)>& combine) {
  for (const int share : {1, 2}) {  // halves, so that the sum of two extents is exact
    Premises used = premises_;
    Interval x = a;
    Interval y = b;
    if (!extents_.assume_exact(x, used, share) || !extents_.assume_exact(y, used, share)) continue;
    Interval result = combine(x, y);
    if (!extents_.assume_exact(result, used)) continue;
    add_premises(used);  // combine() may have added others
    return result;
  }
  return std::nullopt;
}

void Production::say_products(const Premises& shapes) {
  for (const Product& product : products_) {
    const SymbolicShape& dims = output().dims;
    if (!dims || product.axis >= dims->size()) continue;
    if (extents_.find((*dims)[product.axis].symbol) == product.made)
      extents_.set_product(product.made, product.a, product.b, shapes);
  }
}

Dim Production::product_dim(std::size_t axis, const Dim& a, const Dim& b) {
  const ExtentNumber first = extents_.find(a.symbol);
  const ExtentNumber second = extents_.find(b.symbol);
  if (first < 0 || second < 0) return {};
  Dim dim = new_dim(0, axis, 0, Extents::kLargest);
  const ExtentNumber made = extents_.find(dim.symbol);
  if (made >= 0) products_.push_back({axis, made, first, second});
  return dim;
}

Interval Production::fitting(Interval interval) {
  const bool may_exceed = interval.high > Extents::kLargest && interval.low >= 0;
  if (!may_exceed || !extents_.assume_below(interval, Extents::kLargest, premises_))
    return interval;
  interval.high = std::min(interval.high, Extents::kLargest);
  return interval;
}

Interval Production::compared(const Interval& interval) {
  if (const std::optional<Interval> all = exact(interval)) return *all;
  const std::int64_t most = extents_.profile().most_exact;
  Interval result = rounded_to_float(interval);
  // An end may be exact that is minus an extent, or one.
  if (interval.above && extents_.assume_above_minus(interval, most, premises_)) {
    result.low = std::max(interval.low, -most);
    result.above = interval.above;
  }
  if (interval.below && extents_.assume_below(interval, most, premises_)) {
    result.high = std::min(interval.high, most);
    result.below = interval.below;
  }
  return result;
}

const ProducerRow* find_producer(std::string_view dialect, std::string_view name, int version) {
  struct Known {
    const ProducerRow* row;
    int since;
  };
  using Rows = std::map<std::pair<std::string_view, std::string_view>, Known>;
  static const Rows rows = [] {
    Rows all;
    for (const auto family :
         {arithmetic_producers(), conversion_producers(), comparison_producers(),
          reduction_producers(), index_producers(), movement_producers(), slice_producers(),
          selection_producers(), shape_producers()}) {
      for (const ProducerRow& row : family) {
        all.emplace(std::pair("onnx", row.onnx.name), Known{&row, row.onnx.version});
        all.emplace(std::pair("openvino", row.openvino.name), Known{&row, row.openvino.version});
        all.emplace(std::pair("tensorrt", row.tensorrt.name), Known{&row, row.tensorrt.version});
      }
    }
    return all;
  }();
  const auto found = rows.find({dialect, name});
  const bool holds =
      found != rows.end() && !name.empty() && (version == 0 || version >= found->second.since);
  return holds ? found->second.row : nullptr;
}

}  // namespace windrow::internal
