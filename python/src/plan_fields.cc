#include "python/src/plan_fields.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "python/src/text.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

template <class T>
nb::dict fields_to_python(const T& described);

nb::object field_to_python(bool value) { return nb::bool_(value); }
nb::object field_to_python(std::int64_t value) { return nb::int_(value); }
nb::object field_to_python(const std::string& value) { return text_from(value); }
nb::object field_to_python(DType dtype) { return text_from(dtype_name(dtype)); }
nb::object field_to_python(OutOfRange policy) { return text_from(out_of_range_name(policy)); }
nb::object field_to_python(const std::optional<std::int64_t>& value) {
  return value ? nb::object(nb::int_(*value)) : nb::none();
}
template <class Extents>
nb::object extents_to_python(const Extents& extents) {
  nb::list list;
  for (const std::int64_t extent : extents) list.append(extent);
  return nb::tuple(list);
}
nb::object field_to_python(const Shape& shape) { return extents_to_python(shape); }
nb::object field_to_python(const std::vector<std::int64_t>& extents) {
  return extents_to_python(extents);
}
template <class T>
nb::object field_to_python(const std::vector<T>& described) {
  nb::list list;
  for (const T& each : described) list.append(fields_to_python(each));
  return list;
}

template <class T>
nb::dict fields_to_python(const T& described) {
  nb::dict dict;
  visit_fields(described, [&dict](std::string_view name, const auto& member) {
    dict[text_from(name)] = field_to_python(member);
  });
  return dict;
}

}  // namespace

nb::dict description_to_python(const PlanDescription& plan) { return fields_to_python(plan); }

}  // namespace windrow::python
