#include "python/src/function_object.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <structmember.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "python/src/errors.h"
#include "python/src/function.h"

namespace nb = nanobind;

// A type of its own instead of a bound function: a call that moves a few hundred bytes must not
// cost more than NumPy's own, which only a vectorcall without argument conversion achieves.
namespace windrow::python {
namespace {

// The attributes that make an operator's function look like any other function.
constexpr std::array kTexts = {"__name__", "__qualname__", "__module__", "__doc__",
                               "__signature__"};

struct FunctionObject {
  PyObject ob_base;
  vectorcallfunc vectorcall;
  Function* function;
  PyObject* texts[kTexts.size()];
  PyObject* weak_references;
};

FunctionObject* object_of(PyObject* self) { return reinterpret_cast<FunctionObject*>(self); }

PyObject* call_function(PyObject* self, PyObject* const* arguments, std::size_t flagged_count,
                        PyObject* keywords) {
  const auto count = static_cast<std::size_t>(PyVectorcall_NARGS(flagged_count));
  return object_of(self)->function->call(arguments, count, keywords);
}

PyObject* compile_function(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                           PyObject* keywords) {
  return object_of(self)->function->compile(arguments, static_cast<std::size_t>(count), keywords);
}

void delete_function(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  FunctionObject* object = object_of(self);
  if (object->weak_references != nullptr) PyObject_ClearWeakRefs(self);
  delete object->function;
  for (PyObject* text : object->texts) Py_XDECREF(text);
  auto* free = reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free));
  free(self);
  Py_DECREF(type);
}

// Pickles by module and name, as Python's own functions do.
PyObject* reduce_function(PyObject* self, PyObject*) {
  PyObject* name = object_of(self)->texts[1];
  if (name == nullptr) PyErr_SetString(PyExc_TypeError, "an operator without a name has no pickle");
  Py_XINCREF(name);
  return name;
}

PyObject* print_function(PyObject* self) {
  PyObject** texts = object_of(self)->texts;
  return PyUnicode_FromFormat("<operator %S.%S>", texts[2], texts[1]);
}

PyObject* type = nullptr;

PyType_Spec* function_type() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(FunctionObject, vectorcall), READONLY, nullptr},
      {"__weaklistoffset__", T_PYSSIZET, offsetof(FunctionObject, weak_references), READONLY,
       nullptr},
      {kTexts[0], T_OBJECT_EX, offsetof(FunctionObject, texts[0]), 0, nullptr},
      {kTexts[1], T_OBJECT_EX, offsetof(FunctionObject, texts[1]), 0, nullptr},
      {kTexts[2], T_OBJECT_EX, offsetof(FunctionObject, texts[2]), 0, nullptr},
      {kTexts[3], T_OBJECT_EX, offsetof(FunctionObject, texts[3]), 0, nullptr},
      {kTexts[4], T_OBJECT_EX, offsetof(FunctionObject, texts[4]), 0, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyMethodDef methods[] = {
      {"compile", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(&compile_function)),
       METH_FASTCALL | METH_KEYWORDS,
       "The plan of a call with these arguments (inputs may be windrow.Spec)."},
      {"__reduce__", &reduce_function, METH_NOARGS, "The function's name in its module."},
      {nullptr, nullptr, 0, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_members, members},
                                {Py_tp_methods, methods},
                                {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&delete_function)},
                                {Py_tp_repr, reinterpret_cast<void*>(&print_function)},
                                {0, nullptr}};
  static PyType_Spec spec = {
      "windrow._core.OperatorFunction", sizeof(FunctionObject), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  return &spec;
}

ParameterKind kind_of(std::string_view name) {
  constexpr std::pair<std::string_view, ParameterKind> kKinds[] = {
      {"input", ParameterKind::kInput},
      {"attribute", ParameterKind::kAttribute},
      {"version", ParameterKind::kVersion},
      {"out", ParameterKind::kOut},
      {"out_of_range", ParameterKind::kOutOfRange},
      {"mode", ParameterKind::kMode},
      {"strict", ParameterKind::kStrict},
      {"duplicates", ParameterKind::kDuplicates},
      {"kernels", ParameterKind::kKernels},
      {"threads", ParameterKind::kThreads},
  };
  for (const auto& [known, kind] : kKinds)
    if (known == name) return kind;
  throw Error(Status(ErrorCode::kInternal, "no parameter is a '" + std::string(name) + "'"));
}

// Name, kind and target of each parameter.
using ParameterRows = std::vector<std::tuple<std::string, std::string, std::string>>;

nb::object make_function(const std::string& dialect, const std::string& name,
                         const std::string& shown_name, const ParameterRows& rows,
                         std::size_t positional, bool flattens) {
  std::vector<Parameter> parameters;
  for (const auto& [parameter, kind, target] : rows)
    parameters.push_back({parameter, kind_of(kind), target});
  auto function = std::make_unique<Function>(dialect, name, shown_name, std::move(parameters),
                                             positional, flattens);
  auto* allocate = reinterpret_cast<allocfunc>(
      PyType_GetSlot(reinterpret_cast<PyTypeObject*>(type), Py_tp_alloc));
  nb::object made = nb::steal(allocate(reinterpret_cast<PyTypeObject*>(type), 0));
  if (!made.is_valid()) throw nb::python_error();
  object_of(made.ptr())->vectorcall = &call_function;
  object_of(made.ptr())->function = function.release();
  return made;
}

}  // namespace

void bind_functions(nb::module_& module) {
  type = PyType_FromSpec(function_type());
  if (type == nullptr) throw nb::python_error();
  module.attr("OperatorFunction") = nb::handle(type);
  module.def("make_function", &make_function, nb::arg("dialect"), nb::arg("name"),
             nb::arg("shown_name"), nb::arg("parameters"), nb::arg("positional"),
             nb::arg("flattens"));
}

}  // namespace windrow::python
