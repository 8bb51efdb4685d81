#include "python/src/fields.h"

#include "python/src/errors.h"
#include "python/src/tables.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

nb::object decode(std::string_view bytes, const char* errors) {
  nb::object text =
      nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), errors));
  if (!text.is_valid()) throw nb::python_error();
  return text;
}

}  // namespace

nb::list new_list() {
  nb::list list = nb::steal<nb::list>(PyList_New(0));
  if (!list.is_valid()) throw nb::python_error();
  return list;
}

nb::dict new_dict() {
  nb::dict dict = nb::steal<nb::dict>(PyDict_New());
  if (!dict.is_valid()) throw nb::python_error();
  return dict;
}

nb::object text_from(std::string_view bytes) { return decode(bytes, "surrogateescape"); }

nb::object shown_text_from(std::string_view bytes) { return decode(bytes, "backslashreplace"); }

std::string bytes_of(PyObject* text, const char* name) {
  if (!PyUnicode_Check(text))
    throw Error(Status(ErrorCode::kInvalidArgument, std::string(name) + " must be a str"));
  const nb::object bytes = nb::steal(PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape"));
  if (!bytes.is_valid()) {
    drop_refusal();
    throw Error(
        Status(ErrorCode::kInvalidArgument, std::string(name) + " is not valid Unicode text"));
  }
  char* data = nullptr;
  Py_ssize_t size = 0;
  if (PyBytes_AsStringAndSize(bytes.ptr(), &data, &size) != 0) throw nb::python_error();
  return {data, static_cast<std::size_t>(size)};
}

nb::object attributes_to_python(const Attributes& attributes) {
  nb::dict dict = new_dict();
  for (const auto& [name, value] : attributes) dict[text_from(name)] = to_python(value);
  return dict;
}

void parse_name(const std::string& name, Severity& field) {
  if (const auto value = parse_severity(name)) return void(field = *value);
  throw wrong_argument("there is no severity '" + name + "'");
}
void parse_name(const std::string& name, Verdict& field) {
  if (const auto value = parse_verdict(name)) return void(field = *value);
  throw wrong_argument("there is no verdict '" + name + "'");
}
void parse_name(const std::string& name, Evidence& field) {
  if (const auto value = parse_evidence(name)) return void(field = *value);
  throw wrong_argument("there is no evidence '" + name + "'");
}

}  // namespace windrow::python
