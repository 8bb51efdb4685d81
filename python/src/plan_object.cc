#include "python/src/plan_object.h"

#include <structmember.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "python/src/errors.h"
#include "python/src/fields.h"
#include "python/src/models.h"
#include "python/src/run_arrays.h"
#include "python/src/signals.h"
#include "python/src/tables.h"

namespace windrow::python {

nanobind::object description_to_python(const PlanDescription& plan) {
  return fields_to_python(plan);
}

}  // namespace windrow::python

namespace nb = nanobind;

// A type of its own for the sake of small calls, as with the operators' functions.
namespace windrow::python {
namespace {

struct CompiledPlan {
  RunnablePlan plan;
  PlanSource source;
  int threads;
};

struct PlanObject {
  PyObject ob_base;
  vectorcallfunc vectorcall;
  CompiledPlan* compiled;
  PyObject* weak_references;
};

CompiledPlan& plan_of(PyObject* self) { return *reinterpret_cast<PlanObject*>(self)->compiled; }

PyObject* refuse(const char* format, const std::string& name, PyObject* argument) {
  PyErr_Format(PyExc_TypeError, format, name.c_str(), argument);
  return nullptr;
}

PyObject* run(PyObject* self, PyObject* const* arguments, std::size_t flagged_count,
              PyObject* keywords) {
  const CompiledPlan& compiled = plan_of(self);
  const auto count = static_cast<std::size_t>(PyVectorcall_NARGS(flagged_count));
  const std::vector<PlanInput>& known = compiled.source.inputs;
  if (count > known.size()) {
    PyErr_Format(PyExc_TypeError, "this plan takes %zu inputs (%zu given)", known.size(), count);
    return nullptr;
  }
  PyObject* out = nullptr;
  PyObject* threads = nullptr;
  const Py_ssize_t named = keywords == nullptr ? 0 : PyTuple_Size(keywords);
  for (Py_ssize_t i = 0; i < named; ++i) {
    PyObject* keyword = PyTuple_GetItem(keywords, i);
    PyObject* value = arguments[static_cast<Py_ssize_t>(count) + i];
    if (PyUnicode_CompareWithASCIIString(keyword, "out") == 0) {
      out = value;
    } else if (PyUnicode_CompareWithASCIIString(keyword, "threads") == 0) {
      threads = value;
    } else {
      return refuse("%s plan got an unexpected keyword argument '%U'",
                    std::string(compiled.plan.plan.operator_name()), keyword);
    }
  }
  return guarded([&] {
    InputArrays inputs;
    for (std::size_t i = 0; i < count; ++i) {
      const PlanInput& input = known[i];
      inputs.append(arguments[i], {input.name.c_str(), input.spec.dtype, false});
    }
    return run_call(compiled.plan, inputs, out, thread_count(threads, compiled.threads),
                    [&] { return compiled.source; });
  });
}

// plan._bad_indices(limit, arrays): see Plan::bad_indices.
PyObject* list_bad_indices(PyObject* self, PyObject* arguments) {
  long long limit = 0;
  PyObject* arrays = nullptr;
  if (PyArg_ParseTuple(arguments, "LO!", &limit, &PyTuple_Type, &arrays) == 0) return nullptr;
  return guarded([&] {
    const CompiledPlan& compiled = plan_of(self);
    const std::vector<PlanInput>& known = compiled.source.inputs;
    const auto count = static_cast<std::size_t>(PyTuple_Size(arrays));
    InputArrays inputs;
    for (std::size_t i = 0; i < std::min(count, known.size()); ++i)
      inputs.append(PyTuple_GetItem(arrays, static_cast<Py_ssize_t>(i)),
                    {known[i].name.c_str(), known[i].spec.dtype, false});
    RunOptions options;
    options.listed_indices = limit;
    const Result<BadIndices> found =
        without_gil(options, [&] { return compiled.plan.plan.bad_indices(inputs.all(), options); });
    return bad_indices_to_python(found.value()).release().ptr();
  });
}

PyObject* describe(PyObject* self, PyObject*) {
  return guarded([&] {
    const std::string text = plan_of(self).plan.plan.describe();
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  });
}

PyObject* notes(PyObject* self, PyObject*) {
  return guarded([&] {
    nb::list texts = new_list();
    for (const std::string& note : plan_of(self).plan.plan.notes()) texts.append(text_from(note));
    return texts.release().ptr();
  });
}

PyObject* get_description(PyObject* self, void*) {
  return guarded(
      [&] { return description_to_python(plan_of(self).plan.plan.description()).release().ptr(); });
}

nb::tuple dims_to_python(const Dims& dims) {
  nb::list numbers = new_list();
  for (const std::int64_t number : dims) numbers.append(number);
  return nb::tuple(numbers);
}

// The arguments of windrow.Spec; None for an input that was left out, unless its value followed
// from another input: then that of an input with this value.
nb::object spec_to_python(const TensorSpec& spec) {
  if (spec.is_absent() && spec.value != nullptr) {
    TensorSpec given = spec.value->view().spec();
    given.value = spec.value;
    return spec_to_python(given);
  }
  if (spec.is_absent()) return nb::none();
  nb::object strides = nb::none();
  if (spec.strides) strides = dims_to_python(*spec.strides);
  nb::object value = nb::none();
  if (spec.value != nullptr) value = to_numpy(*spec.value);
  return nb::make_tuple(text_from(dtype_name(spec.dtype)), dims_to_python(spec.shape), strides,
                        value);
}

nb::dict options_to_python(const PlanSource& source) {
  nb::dict options = new_dict();
  if (source.id.version) options["version"] = *source.id.version;
  if (source.options.out_of_range)
    options["out_of_range"] = text_from(out_of_range_name(*source.options.out_of_range));
  if (source.options.negative)
    options["negative"] = text_from(negative_name(*source.options.negative));
  if (source.options.padding_index) options["padding_index"] = *source.options.padding_index;
  options["strict"] = source.options.strict;
  options["duplicates"] = text_from(duplicates_name(source.options.duplicates));
  if (!source.options.kernels.empty()) options["kernels"] = text_from(source.options.kernels);
  if (source.threads) options["threads"] = *source.threads;
  return options;
}

// Pickles the source of the plan; another machine compiles it for itself.
PyObject* reduce_plan(PyObject* self, PyObject*) {
  return guarded([&] {
    const PlanSource& source = plan_of(self).source;
    nb::list specs = new_list();
    for (const PlanInput& input : source.inputs) specs.append(spec_to_python(input.spec));
    nb::dict attributes = new_dict();
    for (const auto& [name, value] : source.attributes)
      attributes[text_from(name)] = to_python(value);
    const nb::object restore = nb::module_::import_("windrow._ops.call").attr("restore_plan");
    return nb::make_tuple(restore,
                          nb::make_tuple(text_from(source.id.dialect), text_from(source.id.name),
                                         specs, attributes, options_to_python(source)))
        .release()
        .ptr();
  });
}

// Returns the plan itself: a plan never changes.
PyObject* copy_plan(PyObject* self, PyObject*) {
  Py_INCREF(self);
  return self;
}

PyObject* print_html(PyObject* self, PyObject*) {
  return guarded([&] {
    const nb::object print = nb::module_::import_("windrow._base.html").attr("plan_html");
    return print(nb::handle(self)).release().ptr();
  });
}

PyObject* print_plan(PyObject* self) {
  return guarded([&] {
    const Plan& plan = plan_of(self).plan.plan;
    const std::string text = "<plan " + std::string(plan.operator_name()) + " -> " +
                             std::string(dtype_name(plan.result().dtype)) +
                             to_string(plan.result().shape) + ">";
    return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  });
}

PyObject* new_text(std::string_view text) {
  return PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
}

PyObject* get_operator(PyObject* self, void*) {
  return new_text(plan_of(self).plan.plan.operator_name());
}
PyObject* get_kernels(PyObject* self, void*) {
  return new_text(plan_of(self).plan.plan.kernel_set());
}
PyObject* get_threads(PyObject* self, void*) { return PyLong_FromLong(plan_of(self).threads); }
PyObject* get_dtype(PyObject* self, void*) {
  return new_text(dtype_name(plan_of(self).plan.plan.result().dtype));
}
PyObject* get_shape(PyObject* self, void*) {
  return guarded([&] {
    nb::list extents = new_list();
    for (const std::int64_t extent : plan_of(self).plan.plan.result().shape) extents.append(extent);
    return nb::tuple(extents).release().ptr();
  });
}

void delete_plan(PyObject* self) {
  PyTypeObject* type = Py_TYPE(self);
  if (reinterpret_cast<PlanObject*>(self)->weak_references != nullptr) PyObject_ClearWeakRefs(self);
  delete reinterpret_cast<PlanObject*>(self)->compiled;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(type);
}

constexpr char kPlanDoc[] =
    "An operator compiled for inputs of fixed types, shapes and strides; made by "
    "windrow.compile().\n"
    "\n"
    "plan(*inputs, out=None, threads=None) runs it: arrays of the types and shapes of compile "
    "(other\n"
    "strides cost a new lowering), absent optional inputs left out or None. The result is a new\n"
    "array, or `out`: an array of plan.dtype and plan.shape, any strides, that overlaps no input;\n"
    "a scatter runs in place where out is its data. threads=None takes what compile was given.\n"
    "Many threads may run one plan at the same time. Raises windrow.IndexOutOfRange,\n"
    "windrow.DuplicateIndex, windrow.DTypeError, windrow.ShapeError, windrow.ArgumentError.";

PyType_Spec* plan_type() {
  static PyMemberDef members[] = {
      {"__vectorcalloffset__", T_PYSSIZET, offsetof(PlanObject, vectorcall), READONLY, nullptr},
      {"__weaklistoffset__", T_PYSSIZET, offsetof(PlanObject, weak_references), READONLY, nullptr},
      {nullptr, 0, 0, 0, nullptr}};
  static PyMethodDef methods[] = {
      {"describe", &describe, METH_NOARGS,
       "Several lines for people: the equation, the loops, the bytes of a row, the kernel; "
       "docs/glossary.md explains the words."},
      {"_bad_indices", &list_bad_indices, METH_VARARGS, nullptr},
      {"notes", &notes, METH_NOARGS, "Warnings, for example that the version is deprecated."},
      {"__reduce__", &reduce_plan, METH_NOARGS, "What compiles the same plan again."},
      {"__copy__", &copy_plan, METH_NOARGS, "The plan itself: it never changes."},
      {"__deepcopy__", &copy_plan, METH_O, "The plan itself: it never changes."},
      {"_repr_html_", &print_html, METH_NOARGS, "description as HTML, for notebooks."},
      {nullptr, nullptr, 0, nullptr}};
  static PyGetSetDef properties[] = {
      {"operator", &get_operator, nullptr, "'onnx.Gather-13'", nullptr},
      {"dtype", &get_dtype, nullptr, "The result's element type, by name.", nullptr},
      {"shape", &get_shape, nullptr, "The result's shape, a tuple of int.", nullptr},
      {"description", &get_description, nullptr,
       "What a run is going to do, as a dict; windrow/plan_description.h says what each means.",
       nullptr},
      {"kernels", &get_kernels, nullptr, "'plain', 'avx2', 'avx512', 'neon' or 'sve'", nullptr},
      {"threads", &get_threads, nullptr, "Threads of a run that does not say another number.",
       nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr}};
  static PyType_Slot slots[] = {{Py_tp_doc, const_cast<char*>(kPlanDoc)},
                                {Py_tp_members, members},
                                {Py_tp_methods, methods},
                                {Py_tp_getset, properties},
                                {Py_tp_call, reinterpret_cast<void*>(&PyVectorcall_Call)},
                                {Py_tp_dealloc, reinterpret_cast<void*>(&delete_plan)},
                                {Py_tp_repr, reinterpret_cast<void*>(&print_plan)},
                                {0, nullptr}};
  static PyType_Spec spec = {
      "windrow.Plan", sizeof(PlanObject), 0,
      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
  return &spec;
}

PyObject* type = nullptr;

}  // namespace

void bind_plans(nb::module_& module) {
  type = PyType_FromSpec(plan_type());
  if (type == nullptr) throw nb::python_error();
  module.attr("Plan") = nb::handle(type);
}

PyObject* run_plan_on(const Table& table, PyObject* plan, PyObject* inputs, PyObject* out) {
  if (PyObject_IsInstance(plan, type) != 1)
    throw Error(Status(ErrorCode::kInvalidArgument,
                       "plan must be a windrow.Plan, as windrow.compile() returns it"));
  const CompiledPlan& compiled = plan_of(plan);
  const std::vector<PlanInput>& known = compiled.source.inputs;
  const auto count = static_cast<std::size_t>(PyTuple_Size(inputs));
  if (count > known.size())
    throw Error(Status(ErrorCode::kInvalidArgument, "this plan takes " +
                                                        std::to_string(known.size()) + " inputs (" +
                                                        std::to_string(count) + " given)"));
  InputArrays arrays;
  arrays.table = &table;
  for (std::size_t i = 0; i < count; ++i)
    arrays.append(PyTuple_GetItem(inputs, static_cast<Py_ssize_t>(i)),
                  {known[i].name.c_str(), known[i].spec.dtype, false});
  return run_call(compiled.plan, arrays, out, 1, [&] { return compiled.source; });
}

void throw_with_source(const Status& failure, const RunnablePlan& plan, const InputArrays& inputs,
                       PlanSource source) {
  const std::vector<OperatorInput> known = find_operator(source.id).value().inputs;
  nb::list arrays = new_list();
  for (std::size_t i = 0; i < inputs.count; ++i) {
    const bool has_indices = i < known.size() && known[i].holds_indices();
    arrays.append(has_indices ? nb::handle(inputs.objects[i]) : nb::handle(Py_None));
  }
  const nb::object object = nb::steal(new_plan(plan, std::move(source), 1));
  if (!object.is_valid()) throw nb::python_error();
  throw_with_call(failure, object, nb::tuple(arrays));
}

PyObject* new_plan(const RunnablePlan& plan, PlanSource source, int threads) {
  auto compiled = std::make_unique<CompiledPlan>(CompiledPlan{plan, std::move(source), threads});
  auto* object_type = reinterpret_cast<PyTypeObject*>(type);
  auto* allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(object_type, Py_tp_alloc));
  PyObject* made = allocate(object_type, 0);
  if (made == nullptr) return nullptr;
  auto* object = reinterpret_cast<PlanObject*>(made);
  object->vectorcall = &run;
  object->compiled = compiled.release();
  return made;
}

}  // namespace windrow::python
