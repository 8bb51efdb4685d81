#include "python/src/tables.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstring>
#include <memory>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "python/src/fields.h"
#include "python/src/models.h"
#include "python/src/run_arrays.h"
#include "windrow/nearest_name.h"
#include "windrow/operators.h"
#include "windrow/result_pool.h"
#include "windrow/shape.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

nb::object text(std::string_view string) { return nb::str(string.data(), string.size()); }

nb::dict input_row(const OperatorInput& input) {
  nb::list types = new_list();
  for (const DType type : input.dtypes) types.append(text(dtype_name(type)));
  nb::dict row = new_dict();
  row["name"] = text(input.name);
  row["dtypes"] = types;
  row["type_group"] = text(input.type_group);
  row["optional"] = input.optional;
  row["value_at_compile"] = input.value_at_compile;
  return row;
}

nb::dict attribute_row(const OperatorAttribute& attribute) {
  nb::list values = new_list();
  for (const std::string& value : attribute.values) values.append(text(value));
  nb::dict row = new_dict();
  row["name"] = text(attribute.name);
  row["default"] = to_python(attribute.default_value);
  row["required"] = attribute.required;
  row["values"] = values;
  return row;
}

nb::dict operator_row(const OperatorInfo& info) {
  nb::list inputs = new_list();
  for (const OperatorInput& input : info.inputs) inputs.append(input_row(input));
  nb::list attributes = new_list();
  for (const OperatorAttribute& attribute : info.attributes)
    attributes.append(attribute_row(attribute));
  nb::dict row = new_dict();
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
  nb::list rows = new_list();
  for (const OperatorInfo& info : list_operators()) rows.append(operator_row(info));
  return rows;
}

nb::list dtype_names() {
  nb::list names = new_list();
#define WINDROW_DTYPE(enumerator, name, ...) names.append(nb::str(name));
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
  return names;
}

nb::list kernel_sets() {
  nb::list sets = new_list();
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
          nb::list list = new_list();
          for (const std::string& element : held) list.append(text_from(element));
          return list;
        } else {
          nb::list list = new_list();
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
  module.def("set_result_pool", &set_result_pool, nb::arg("bytes"));
  module.def("result_pool_held", &result_pool_held);
  module.def("release_result_pool", &release_result_pool);
  module.attr("__version__") = text(version());
}

}  // namespace windrow::python

namespace windrow::python {
namespace {

// By size: 1, 2, 4 and 8 bytes.
constexpr std::array kSigned = {DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64};
constexpr std::array kUnsigned = {DType::kUint8, DType::kUint16, DType::kUint32, DType::kUint64};

std::optional<DType> by_size(const std::array<DType, 4>& types, Py_ssize_t bytes) noexcept {
  for (const DType type : types)
    if (dtype_bits(type) == 8 * bytes) return type;
  return std::nullopt;
}

std::optional<DType> if_bytes(DType type, Py_ssize_t bytes) noexcept {
  if (dtype_bits(type) != 8 * bytes) return std::nullopt;
  return type;
}

// The types without a code have -1.
struct DlpackType {
  int code;  // DLPack's DLDataTypeCode
  DType type;
};
constexpr DlpackType kDlpackTypes[] = {
#define WINDROW_DTYPE(enumerator, name, bits, kind, c_name, onnx, openvino, precision, \
                      safetensors, dlpack)                                             \
  {dlpack, DType::enumerator},
#include "windrow/dtypes.inc"
#undef WINDROW_DTYPE
};

}  // namespace

std::optional<DType> dtype_of_format(const char* format, Py_ssize_t element_bytes) noexcept {
  if (format == nullptr) return if_bytes(DType::kUint8, element_bytes);
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  const bool complex = *format == 'Z';
  if (complex) ++format;
  if (*format == 0 || format[1] != 0) return std::nullopt;
  if (complex)
    return if_bytes(*format == 'f' ? DType::kComplex64 : DType::kComplex128, element_bytes);
  switch (*format) {
    case '?':
      return if_bytes(DType::kBool, element_bytes);
    case 'e':
      return if_bytes(DType::kFloat16, element_bytes);
    case 'f':
      return if_bytes(DType::kFloat32, element_bytes);
    case 'd':
      return if_bytes(DType::kFloat64, element_bytes);
    default:
      break;
  }
  if (std::strchr("bhilqn", *format) != nullptr) return by_size(kSigned, element_bytes);
  if (std::strchr("BHILQN", *format) != nullptr) return by_size(kUnsigned, element_bytes);
  return std::nullopt;
}

std::optional<DType> dtype_of_dlpack(int code, int bits, int lanes) noexcept {
  if (lanes != 1 || code < 0) return std::nullopt;
  for (const DlpackType& entry : kDlpackTypes)
    if (entry.code == code && dtype_bits(entry.type) == bits) return entry.type;
  return std::nullopt;
}

Error too_many_axes(const char* name, int rank) {
  return Error(Status(ErrorCode::kShape, std::string(name) + " has " + std::to_string(rank) +
                                             " axes, the limit is " + std::to_string(kMaxRank)));
}

}  // namespace windrow::python
