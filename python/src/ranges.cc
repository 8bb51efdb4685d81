#include "python/src/ranges.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/foreign_values.h"
#include "python/src/texts.h"
#include "windrow/value_ranges.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

template <class T>
nb::object number_or_none(const std::optional<T>& number) {
  return number ? nb::object(nb::int_(*number)) : nb::none();
}

// (extent, offset, factor)
nb::object term_to_python(const std::optional<ExtentTerm>& term) {
  if (!term) return nb::none();
  return nb::make_tuple(text_from(term->extent), term->offset, term->factor);
}

nb::object dims_to_python(const SymbolicShape& shape) {
  if (!shape) return nb::none();
  nb::list dims;
  for (const Dim& dim : *shape) {
    if (dim.is_known()) {
      dims.append(dim.value);
    } else {
      dims.append(dim.symbol.empty() ? nb::object(nb::none()) : text_from(dim.symbol));
    }
  }
  return dims;
}

// Intervals are (low, high, above, below) of integers, (low, high, may_be_nan) of floats.
nb::dict value_to_python(const RangedValue& value) {
  constexpr const char* kGrains[] = {"tensor", "axis", "element"};
  nb::list intervals;
  for (const IntegerRange& range : value.integers)
    intervals.append(nb::make_tuple(number_or_none(range.low), number_or_none(range.high),
                                    term_to_python(range.above), term_to_python(range.below)));
  for (const FloatRange& range : value.floats)
    intervals.append(nb::make_tuple(range.low, range.high, range.may_be_nan));
  nb::dict row;
  row["name"] = text_from(value.name);
  row["dtype"] = text_from(dtype_name(value.dtype));
  row["dims"] = dims_to_python(value.dims);
  row["grain"] = kGrains[static_cast<std::size_t>(value.grain)];
  row["axis"] = value.axis;
  row["intervals"] = intervals;
  row["premises"] = texts_to_python(value.premises);
  row["type_premises"] = texts_to_python(value.type_premises);
  row["shape_premises"] = texts_to_python(value.shape_premises);
  row["source_input"] = text_from(value.source_input);
  return row;
}

// Returns (path, facts of the outputs) of each node.
// `runtime` is empty for the arithmetic of the specification, else such as "openvino:cpu".
nb::list find_ranges(const Model& model, const nb::dict& assumed, const nb::object& ask,
                     const std::string& runtime) {
  ValueRangeOptions options;
  const std::size_t colon = std::min(runtime.find(':'), runtime.size());
  options.runtime = runtime.substr(0, colon);
  options.device = runtime.substr(std::min(colon + 1, runtime.size()));
  for (const auto& [key, range] : assumed)
    options.assume[bytes_of(key.ptr(), "the name of an input")] = {
        integer_of(nb::object(range[0]).ptr(), "low"),
        integer_of(nb::object(range[1]).ptr(), "high")};
  nb::list rows;
  with_others(ask, [&](const InferOptions& infer) -> Result<bool> {
    options.infer = infer;
    const Status status = find_value_ranges(model, options, [&rows](const NodeRanges& node) {
      nb::list facts;
      for (const RangedValue& value : node.outputs) facts.append(value_to_python(value));
      rows.append(nb::make_tuple(text_from(node.node), facts));
    });
    if (!status) return status;
    return true;
  });
  return rows;
}

}  // namespace

void bind_ranges(nb::module_& module) {
  module.def("find_ranges", &find_ranges, nb::arg("model"), nb::arg("assumed"),
             nb::arg("ask").none(), nb::arg("runtime") = "");
}

}  // namespace windrow::python
