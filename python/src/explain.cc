#include "python/src/explain.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/errors.h"
#include "python/src/run_arrays.h"
#include "python/src/text.h"
#include "tools/windrow/command.h"
#include "windrow/explain.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// The results of one call of windrow.explain().
struct ExplainedCall {
  Explanation explanation;
  Explanation corner;  // holds the points of a picture
  std::vector<Comparison> comparisons;
};

// The arguments of explain() for one call.
struct Call {
  OperatorId id;
  Attributes attributes;
  std::vector<TensorView> inputs;
  CallOptions options;
};

OperatorId id_of(const nb::handle& dialect, const nb::handle& name, const nb::handle& version) {
  OperatorId id{bytes_of(dialect.ptr(), "dialect"), bytes_of(name.ptr(), "name"), {}};
  if (!version.is_none()) id.version = version_of(version.ptr());
  return id;
}

Attributes attributes_of(const nb::handle& given, std::string_view dialect) {
  Attributes attributes;
  for (const auto& [key, value] : nb::borrow<nb::dict>(given)) {
    const std::string name = bytes_of(key.ptr(), "the name of an attribute");
    if (!value.is_none()) attributes.emplace(name, own_attribute_of(value.ptr(), name, dialect));
  }
  return attributes;
}

Dims dims_of(const nb::handle& numbers, const std::string& name) {
  Dims dims;
  for (const nb::handle number : numbers)
    if (!dims.push_back(integer_of(number.ptr(), name)))
      throw wrong_argument(name + " has more axes than the limit of " + std::to_string(kMaxRank));
  return dims;
}

// Adds an input that is given as a windrow.Spec: its type and shape, and its value if it has one.
void add_spec(const nb::handle& spec, const char* name, InputArrays& inputs) {
  const nb::object value = spec.attr("value");
  const DType type =
      parse_dtype(nb::cast<std::string>(spec.attr("dtype"))).value_or(DType::kAbsent);
  inputs.append(value.ptr(), {name, type, true});
  if (value.is_none())
    inputs.views[inputs.count - 1] = TensorView(type, dims_of(spec.attr("shape"), name), nullptr);
}

// The arrays must outlive the call.
void acquire_inputs(const OperatorInfo& info, const nb::list& given, InputArrays& inputs) {
  if (nb::len(given) > info.inputs.size())
    throw wrong_argument(info.dialect + "." + info.name + " has " +
                         std::to_string(info.inputs.size()) + " inputs, not " +
                         std::to_string(nb::len(given)));
  const nb::object spec_type = nb::module_::import_("windrow._spec").attr("Spec");
  DType data_type = DType::kAbsent;
  for (const nb::handle input : given) {
    const OperatorInput& row = info.inputs[inputs.count];
    const bool is_data = row.type_group == "T";
    if (nb::isinstance(input, spec_type))
      add_spec(input, row.name.c_str(), inputs);
    else
      inputs.append(input.ptr(),
                    {row.name.c_str(), is_data ? data_type : DType::kAbsent, !is_data});
    if (is_data && data_type == DType::kAbsent) data_type = inputs.views[inputs.count - 1].dtype;
  }
}

std::vector<Comparison> compare_others(const Call& call, const ExplainOptions& options,
                                       const nb::list& others) {
  std::vector<Comparison> comparisons;
  for (const nb::handle other : others) {
    const OperatorId id = id_of(nb::object(other[0]), nb::object(other[1]), nb::object(other[2]));
    comparisons.push_back(compare_operators(call.id, call.attributes, call.inputs, id,
                                            attributes_of(nb::object(other[3]), id.dialect),
                                            call.options, options)
                              .value());
  }
  return comparisons;
}

// `id`: dialect, name, version or None. `others`: tuples of these and a dict of attributes.
ExplainedCall explain_call(const nb::tuple& id, const nb::list& inputs, const nb::dict& attributes,
                           const nb::dict& options, const nb::list& elements, std::int64_t most,
                           const nb::list& others) {
  Call call{id_of(nb::object(id[0]), nb::object(id[1]), nb::object(id[2])),
            attributes_of(attributes, bytes_of(nb::object(id[0]).ptr(), "the dialect")),
            {},
            options_of(options)};
  InputArrays arrays;
  acquire_inputs(find_operator(call.id).value(), inputs, arrays);
  call.inputs.assign(arrays.all().begin(), arrays.all().end());
  ExplainOptions chosen;
  chosen.most_points = most;
  for (const nb::handle element : elements)
    chosen.elements.push_back(dims_of(element, "an element"));
  ExplainedCall explained;
  explained.explanation =
      explain(call.id, call.attributes, call.inputs, call.options, chosen).value();
  explained.comparisons = compare_others(call, chosen, others);
  chosen.corner = true;
  explained.corner = explain(call.id, call.attributes, call.inputs, call.options, chosen).value();
  return explained;
}

nb::object text_of_call(const ExplainedCall& call) {
  std::string text = to_text(call.explanation);
  for (const Comparison& comparison : call.comparisons) text += "\n" + to_text(comparison);
  return text_from(text);
}

}  // namespace

void bind_explain(nb::module_& module) {
  nb::class_<ExplainedCall>(module, "Explanation")
      .def("json",
           [](const ExplainedCall& call) {
             return text_from(tool::explanation_json(call.explanation, call.comparisons));
           })
      .def("text", &text_of_call)
      .def("svg", [](const ExplainedCall& call) { return text_from(to_svg(call.corner)); })
      .def("html", [](const ExplainedCall& call) {
        return text_from(to_html(call.corner, call.comparisons));
      });
  module.def("explain", &explain_call);
}

}  // namespace windrow::python
