#include "python/src/explain.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/errors.h"
#include "python/src/fields.h"
#include "python/src/foreign_array.h"
#include "python/src/numpy_array.h"
#include "python/src/run_arrays.h"
#include "tools/windrow/playground_call.h"

namespace nb = nanobind;

namespace windrow::python {

namespace {

// The arguments of explain() for one call.
struct Call {
  OperatorId id;
  Attributes attributes;
  std::vector<TensorView> inputs;
  CallOptions options;
};

// A tuple that begins with dialect, name, and version or None.
OperatorId id_of(const nb::handle& given) {
  const nb::object version(given[2]);
  OperatorId id{bytes_of(nb::object(given[0]).ptr(), "dialect"),
                bytes_of(nb::object(given[1]).ptr(), "name"),
                {}};
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
  const nb::object spec_type = nb::module_::import_("windrow._base.spec").attr("Spec");
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
    const OperatorId id = id_of(other);
    comparisons.push_back(compare_operators(call.id, call.attributes, call.inputs, id,
                                            attributes_of(nb::object(other[3]), id.dialect),
                                            call.options, options)
                              .value());
  }
  return comparisons;
}

// `id`: dialect, name, version or None. `others`: tuples of these and a dict of attributes.
nb::object explain_call(const nb::tuple& id, const nb::list& inputs, const nb::dict& attributes,
                        const nb::dict& options, const nb::list& elements, std::int64_t most,
                        const nb::list& others) {
  const OperatorId called = id_of(id);
  Call call{called, attributes_of(attributes, called.dialect), {}, options_of(options)};
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
  nb::dict further = new_dict();
  further["_call"] = nb::cast(explained);
  return fields_to_python(explained, further);
}

nb::object text_of_call(const ExplainedCall& call) {
  std::string text = to_text(call.explanation);
  for (const Comparison& comparison : call.comparisons) text += "\n" + to_text(comparison);
  return text_from(text);
}

// The JSON of a call that the playground's page takes. `inputs`: as for explain_call(); `words`:
// inputs that are given as the command takes them, by their positions, which `inputs` lacks.
// `other`: the operator to compare with; empty: none.
nb::object call_for_page(const nb::tuple& id, const nb::list& inputs,
                         const std::map<std::size_t, std::string>& words,
                         const nb::dict& attributes, const nb::dict& options,
                         const std::string& other) {
  const OperatorId called = id_of(id);
  const OperatorInfo info = find_operator(called).value();
  InputArrays arrays;
  acquire_inputs(info, inputs, arrays);
  tool::ExplainWords call{called.dialect + "." + called.name, called.version, {}, {}, {}};
  for (std::size_t i = 0; i < arrays.count; ++i) {
    const std::string& name = info.inputs[i].name;
    const TensorView& view = arrays.views[i];
    const auto word = words.find(i);
    if (word == words.end() && view.is_absent()) continue;
    call.inputs.push_back("--" + name);
    call.inputs.push_back(word == words.end() ? tool::word_of_tensor(name, view) : word->second);
    if (word == words.end())
      call.dtypes.push_back(name + "=" + std::string(dtype_name(view.dtype)));
  }
  call.attributes = tool::attribute_texts(attributes_of(attributes, called.dialect));
  return text_from(
      tool::json_text(tool::playground_call(call, options_of(options), other, &tool::refuse_word),
                      tool::JsonForm::kLine));
}

// The call is the JSON of one, or empty.
tool::Json read_call(const std::string& call) {
  return call.empty() ? tool::Json() : tool::Json::parse(call);
}

}  // namespace

void bind_explain(nb::module_& module) {
  nb::class_<ExplainedCall>(module, "Explanation")
      .def("text", &text_of_call)
      .def("svg", [](const ExplainedCall& call) { return text_from(to_svg(call.corner)); })
      .def("html", [](const ExplainedCall& call) {
        return text_from(to_html(call.corner, call.comparisons));
      });
  module.def("explain", &explain_call);
  module.def("playground_call", &call_for_page);
  module.def("playground_address", [](const std::string& page, const std::string& call) {
    return text_from(tool::page_address(page, read_call(call)));
  });
  module.def("playground_page", [](const std::string& page, const std::string& call) {
    return text_from(tool::page_with_call(page, read_call(call)));
  });
}

}  // namespace windrow::python
