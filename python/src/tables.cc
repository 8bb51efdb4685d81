#include "python/src/tables.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "python/src/run_arrays.h"
#include "python/src/text.h"
#include "windrow/nearest_name.h"
#include "windrow/operators.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

nb::object text(std::string_view string) { return nb::str(string.data(), string.size()); }

nb::dict input_row(const OperatorInput& input) {
  nb::list types;
  for (const DType type : input.dtypes) types.append(text(dtype_name(type)));
  nb::dict row;
  row["name"] = text(input.name);
  row["dtypes"] = types;
  row["type_group"] = text(input.type_group);
  row["optional"] = input.optional;
  row["value_at_compile"] = input.value_at_compile;
  return row;
}

nb::dict attribute_row(const OperatorAttribute& attribute) {
  nb::dict row;
  row["name"] = text(attribute.name);
  row["default"] = to_python(attribute.default_value);
  row["required"] = attribute.required;
  return row;
}

nb::dict operator_row(const OperatorInfo& info) {
  nb::list inputs;
  for (const OperatorInput& input : info.inputs) inputs.append(input_row(input));
  nb::list attributes;
  for (const OperatorAttribute& attribute : info.attributes)
    attributes.append(attribute_row(attribute));
  nb::dict row;
  row["dialect"] = text(info.dialect);
  row["domain"] = text(info.domain);
  row["name"] = text(info.name);
  row["since_version"] = info.since_version;
  row["until_version"] = info.until_version;
  row["deprecated"] = info.deprecated;
  row["scatter"] = info.scatter;
  row["out_of_range"] = text(out_of_range_name(info.out_of_range));
  row["strict_out_of_range"] = text(out_of_range_name(info.strict_out_of_range));
  row["inputs"] = inputs;
  row["attributes"] = attributes;
  row["output"] = text(info.output);
  row["summary"] = text(info.summary);
  row["shapes"] = text(info.shapes);
  return row;
}

nb::list operator_rows() {
  nb::list rows;
  for (const OperatorInfo& info : list_operators()) rows.append(operator_row(info));
  return rows;
}

nb::list dtype_names() {
  nb::list names;
#define WINDROW_DTYPE(enumerator, name, bits, kind) names.append(nb::str(name));
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
  return names;
}

nb::list kernel_sets() {
  nb::list sets;
  for (const KernelSet& set : list_kernel_sets())
    sets.append(nb::make_tuple(text(set.name), set.supported));
  return sets;
}

}  // namespace

nb::object to_python(const AttributeValue& value) {
  return std::visit(
      [](const auto& held) -> nb::object {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::shared_ptr<const Tensor>>) {
          return held == nullptr ? nb::none() : to_numpy(*held);
        } else if constexpr (std::is_same_v<Held, std::string>) {
          return text_from(held);
        } else if constexpr (std::is_same_v<Held, std::int64_t> || std::is_same_v<Held, double> ||
                             std::is_same_v<Held, bool>) {
          return nb::cast(held);
        } else if constexpr (std::is_same_v<Held, std::vector<std::string>>) {
          nb::list list;
          for (const std::string& element : held) list.append(text_from(element));
          return list;
        } else {
          nb::list list;
          for (const auto& element : held) list.append(nb::cast(element));
          return list;
        }
      },
      value);
}

void bind_tables(nb::module_& module) {
  module.def("list_operators", &operator_rows);
  module.def("dtype_names", &dtype_names);
  module.def("list_kernel_sets", &kernel_sets);
  module.def(
      "nearest_hint",
      [](const std::string& name, const std::vector<std::string>& known) {
        return nearest_hint(name, known);
      },
      nb::arg("name"), nb::arg("known"));
  module.attr("__version__") = text(version());
}

}  // namespace windrow::python
