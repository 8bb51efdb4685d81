#include "python/src/function.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>
#include <structmember.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/errors.h"
#include "python/src/plan_object.h"
#include "python/src/signals.h"
#include "windrow/nearest_name.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

constexpr std::size_t kNoParameter = static_cast<std::size_t>(-1);

// Whether a value of an attribute is an array that is not a single number.
bool is_array(PyObject* object) { return PyObject_HasAttrString(object, "__array__") == 1; }

bool is_given(PyObject* object) { return object != nullptr && object != Py_None; }

// Adds the number of the parameter and its value.
void add_attribute(CallKey& key, std::size_t parameter, PyObject* object, const std::string& name) {
  key.add(parameter);
  // Numbers, the most common attributes, take a shortcut.
  if (PyLong_CheckExact(object)) return key.add(integer_of(object, name));
  const AttributeValue value = attribute_of(object, name);
  key.add(value.index());
  if (const auto* text = std::get_if<std::string>(&value)) key.add(*text);
  if (const auto* number = std::get_if<std::int64_t>(&value)) key.add(*number);
  if (const auto* number = std::get_if<double>(&value))
    key.add(std::bit_cast<std::int64_t>(*number));
  if (const auto* truth = std::get_if<bool>(&value)) key.add(*truth);
}

// Whether an input has no more elements than one on whose value a plan depends: one for each axis.
bool is_short(const TensorView& view) {
  return element_count(view.shape).value_or(kMaxRank + 1) <= kMaxRank;
}

// Adds the value of an input on which the plan depends.
void add_value(CallKey& key, const TensorView& view) {
  const std::int64_t count = element_count(view.shape).value_or(0);
  if (!is_short(view) || (count != 1 && !view.is_dense())) return key.refuse();
  const std::int64_t bytes = (count * dtype_bits(view.dtype) + 7) / 8;
  key.add(std::string_view(static_cast<const char*>(view.data), static_cast<std::size_t>(bytes)));
}

// Sets the value of an input on which the plan depends, if there is one.
void add_value(TensorSpec& spec, const TensorView& view) {
  if (view.is_absent() || !is_short(view)) return;
  spec.value = std::make_shared<const Tensor>(Tensor::copy_of(view).value());
}

Dims dims_of(const nb::object& numbers, const char* name) {
  Dims dims;
  for (const nb::handle number : numbers)
    if (!dims.push_back(nb::cast<std::int64_t>(number)))
      throw Error(Status(
          ErrorCode::kShape,
          std::string(name) + " has more axes than the limit of " + std::to_string(kMaxRank)));
  return dims;
}

void warn_of_notes(const Plan& plan) {
  for (const std::string& note : plan.notes()) {
    const nb::object category =
        nb::module_::import_("windrow._base.errors").attr("OperatorWarning");
    if (PyErr_WarnEx(category.ptr(), note.c_str(), 1) != 0) throw nb::python_error();
  }
}

}  // namespace

// The interpreted arguments of one call.
struct Function::Call {
  InputArrays inputs;
  std::optional<int> version;
  CallOptions options;
  std::vector<TensorSpec> specs;  // empty unless an input is left out whose value follows from ids
  nb::object flat_array;          // the first input with a single axis, if that took a copy
  InputArray flat;
};

Function::Function(std::string dialect, std::string name, std::string shown_name,
                   std::vector<Parameter> parameters, std::size_t positional, bool flattens)
    : dialect_(std::move(dialect)),
      name_(std::move(name)),
      shown_name_(std::move(shown_name)),
      parameters_(std::move(parameters)),
      positional_(positional),
      flattens_(flattens),
      inputs_(find_operator({dialect_, name_, std::nullopt}).value().inputs) {
  if (parameters_.size() > kMostParameters || inputs_.size() > kMostInputs)
    throw Error(Status(ErrorCode::kInternal, name_ + " has too many parameters"));
  for (const Parameter& parameter : parameters_)
    names_.push_back(PyUnicode_InternFromString(parameter.name.c_str()));
  places_.fill(kMostParameters);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    places_[static_cast<std::size_t>(parameters_[i].kind)] = i;
    if (parameters_[i].kind == ParameterKind::kAttribute) attributes_.push_back(i);
  }
  for (const OperatorInput& input : inputs_) is_data_.push_back(input.type_group == "T");
  while (left_out_ < inputs_.size() && inputs_[left_out_].counted_input < 0) ++left_out_;
}

std::size_t Function::parameter_of(PyObject* keyword) const {
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (names_[i] == keyword) return i;
  for (std::size_t i = 0; i < names_.size(); ++i)
    if (PyUnicode_Compare(names_[i], keyword) == 0) return i;
  return kNoParameter;
}

// Returns ". Did you mean 'axis'?", as Python's own functions do, or "".
std::string Function::nearest_parameter(PyObject* keyword) const {
  Py_ssize_t bytes = 0;
  const char* const name = PyUnicode_AsUTF8AndSize(keyword, &bytes);
  if (name == nullptr) {
    PyErr_Clear();  // no name is similar to text that is not UTF-8
    return {};
  }
  NearestName nearest(std::string_view(name, static_cast<std::size_t>(bytes)));
  for (const Parameter& parameter : parameters_) nearest.consider(parameter.name);
  return nearest.name().empty() ? "" : ". Did you mean '" + nearest.name() + "'?";
}

// Reports the same errors as Python's own functions.
Function::Slots Function::read_arguments(PyObject* const* arguments, std::size_t count,
                                         PyObject* keywords) const {
  if (count > positional_) {
    PyErr_Format(PyExc_TypeError, "%s() takes at most %zu positional arguments (%zu given)",
                 shown_name_.c_str(), positional_, count);
    throw nb::python_error();
  }
  // Clears only the slots that are read; clearing all of them would be a large part of a small
  // call.
  Slots slots;
  std::fill_n(slots.begin(), parameters_.size(), nullptr);
  slots.back() = nullptr;
  std::copy_n(arguments, count, slots.begin());
  const auto named = static_cast<std::size_t>(keywords == nullptr ? 0 : PyTuple_Size(keywords));
  for (std::size_t i = 0; i < named; ++i) {
    PyObject* keyword = PyTuple_GetItem(keywords, static_cast<Py_ssize_t>(i));
    const std::size_t parameter = parameter_of(keyword);
    if (parameter == kNoParameter) {
      const std::string nearest = nearest_parameter(keyword);
      PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'%s",
                   shown_name_.c_str(), keyword, nearest.c_str());
      throw nb::python_error();
    }
    if (slots[parameter] != nullptr) {
      PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'",
                   shown_name_.c_str(), keyword);
      throw nb::python_error();
    }
    slots[parameter] = arguments[count + i];
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (slots[i] != nullptr || inputs_[i].optional) continue;
    PyErr_Format(PyExc_TypeError, "%s() missing required argument: '%s'", shown_name_.c_str(),
                 parameters_[i].name.c_str());
    throw nb::python_error();
  }
  return slots;
}

void Function::read_options(const Slots& slots, Call& call) const {
  if (PyObject* given = option(slots, ParameterKind::kVersion)) call.version = version_of(given);
  if (PyObject* given = option(slots, ParameterKind::kMode))
    call.options.out_of_range = mode_of(given);
  if (PyObject* given = option(slots, ParameterKind::kOutOfRange))
    call.options.out_of_range = out_of_range_of(given);
  if (PyObject* given = option(slots, ParameterKind::kNegative))
    call.options.negative = negative_of(given);
  if (PyObject* given = option(slots, ParameterKind::kPaddingIndex))
    call.options.padding_index = integer_of(given, "padding_index");
  if (PyObject* given = option(slots, ParameterKind::kStrict))
    call.options.strict = truth_of(given);
  if (PyObject* given = option(slots, ParameterKind::kDuplicates))
    call.options.duplicates = duplicates_of(given);
  if (PyObject* given = option(slots, ParameterKind::kKernels))
    call.options.kernels = text_of(given, "kernels");
}

void Function::acquire_inputs(const Slots& slots, InputArrays& inputs) const {
  DType data_type = DType::kAbsent;
  for (std::size_t i = 0; i < inputs_.size() && slots[i] != nullptr; ++i) {
    const bool is_data = is_data_[i];
    inputs.append(slots[i],
                  {parameters_[i].name.c_str(), is_data ? data_type : DType::kAbsent, !is_data});
    if (is_data && data_type == DType::kAbsent) data_type = inputs.views[i].dtype;
  }
}

// NumPy's axis=None: the memory itself if it is dense, else a copy.
void Function::flatten(const Slots& slots, Call& call) const {
  if (!flattens_ || option(slots, ParameterKind::kAttribute) != nullptr) return;
  TensorView& data = call.inputs.views[0];
  if (data.shape.rank() == 1) return;
  if (!data.is_dense()) {
    const nb::object flat =
        nb::module_::import_("numpy").attr("ravel")(nb::handle(call.inputs.objects[0]));
    call.flat_array = flat;
    call.flat.acquire(flat.ptr(), {parameters_[0].name.c_str()}, data);
    return;
  }
  data = TensorView(data.dtype, Shape{element_count(data.shape).value_or(0)}, data.data);
}

// "index_add(data, indices, updates, axis)", and how torch's function of that name differs.
std::string Function::order_of_parameters() const {
  std::string text = shown_name_ + "(";
  for (std::size_t i = 0; i < positional_; ++i) text += (i == 0 ? "" : ", ") + parameters_[i].name;
  text += ")";
  const bool has_torchs_name = shown_name_ == "index_add" || shown_name_ == "index_reduce";
  return has_torchs_name ? text + ", while torch has the axis before the indices" : text;
}

void Function::add_parameter(CallKey& key, std::size_t parameter, PyObject* object) const {
  try {
    add_attribute(key, parameter, object, parameters_[parameter].target);
  } catch (const Error& error) {
    if (!is_array(object)) throw;
    throw wrong_argument(error.status().message() + "; the order is " + order_of_parameters());
  }
}

CallKey Function::key_of(const Slots& slots, const Call& call) const {
  CallKey key;
  key.add(call.version.value_or(-1));
  key.add(call.options.out_of_range ? static_cast<int>(*call.options.out_of_range) : -1);
  key.add(call.options.negative ? static_cast<int>(*call.options.negative) : -1);
  const std::optional<std::int64_t> padding = call.options.padding_index;
  key.add(static_cast<int>(padding.has_value()));
  if (padding) key.add(*padding);
  key.add(static_cast<int>(call.options.strict) * 256 + static_cast<int>(call.options.duplicates));
  key.add(call.options.kernels);
  for (const std::size_t i : attributes_)
    if (is_given(slots[i])) add_parameter(key, i, slots[i]);
  for (std::size_t i = 0; i < call.inputs.count; ++i) {
    const TensorView& view = call.inputs.views[i];
    key.add(static_cast<int>(view.dtype) * 256 + view.shape.rank());
    key.add(view.shape.begin(), static_cast<std::size_t>(view.shape.rank()));
    key.add(view.strides.begin(), static_cast<std::size_t>(view.strides.rank()));
    if (inputs_[i].value_at_compile) add_value(key, view);
  }
  if (left_out_ < call.specs.size() && call.specs[left_out_].value != nullptr)
    key.add(call.specs[left_out_].value->values<std::int64_t>().front());
  return key;
}

Attributes Function::attributes_of(const Slots& slots) const {
  Attributes attributes;
  for (const std::size_t i : attributes_) {
    const std::string& target = parameters_[i].target;
    if (!is_given(slots[i])) continue;
    attributes.emplace(target, own_attribute_of(slots[i], target, dialect_));
  }
  return attributes;
}

// Reads a value that follows from the ids once, so that the key and the plan agree on it.
void Function::read_left_out(Call& call) const {
  const InputArrays& inputs = call.inputs;
  const bool is_given = left_out_ < inputs.count && !inputs.views[left_out_].is_absent();
  if (left_out_ >= inputs_.size() || is_given) return;
  const std::span<const TensorView> views(inputs.views.data(), inputs.count);
  call.specs = windrow::specs_of({dialect_, name_, call.version}, views).value();
}

std::vector<TensorSpec> Function::specs_of(const Call& call) const {
  if (!call.specs.empty()) return call.specs;
  const InputArrays& inputs = call.inputs;
  std::vector<TensorSpec> specs;
  for (std::size_t i = 0; i < inputs.count; ++i) {
    specs.push_back(inputs.views[i].spec());
    if (inputs_[i].value_at_compile) add_value(specs.back(), inputs.views[i]);
  }
  return specs;
}

RunnablePlan Function::compile_call(const Slots& slots, const Call& call,
                                    const std::vector<TensorSpec>& specs) const {
  const Plan plan =
      windrow::compile({dialect_, name_, call.version}, attributes_of(slots), specs, call.options)
          .value();
  return {plan, specs};
}

PyObject* Function::call(PyObject* const* arguments, std::size_t count, PyObject* keywords) {
  return guarded([&] {
    const Slots slots = read_arguments(arguments, count, keywords);
    Call call;
    read_options(slots, call);
    const int threads =
        thread_count(option(slots, ParameterKind::kThreads), default_thread_count());
    acquire_inputs(slots, call.inputs);
    flatten(slots, call);
    read_left_out(call);
    const CallKey key = key_of(slots, call);
    std::optional<RunnablePlan> plan = plans_.find(key);
    if (!plan) {
      plan = compile_call(slots, call, specs_of(call));
      plans_.keep(key, *plan);
    }
    if (!plan->plan.notes().empty()) warn_of_notes(plan->plan);
    return run_call(*plan, call.inputs, option(slots, ParameterKind::kOut), threads, [&] {
      PlanSource source{
          {dialect_, name_, call.version}, attributes_of(slots), call.options, {}, threads};
      const std::vector<TensorSpec> specs = specs_of(call);
      for (std::size_t i = 0; i < specs.size(); ++i)
        source.inputs.push_back({parameters_[i].name, specs[i]});
      return source;
    });
  });
}

PyObject* Function::compile(PyObject* const* arguments, std::size_t count, PyObject* keywords) {
  return guarded([&] {
    const Slots slots = read_arguments(arguments, count, keywords);
    if (option(slots, ParameterKind::kOut) != nullptr)
      throw wrong_argument("out is an argument of the plan's call, not of compile");
    Call call;
    read_options(slots, call);
    const int threads =
        thread_count(option(slots, ParameterKind::kThreads), default_thread_count());
    std::vector<TensorSpec> specs;
    PlanSource source{{dialect_, name_, call.version}, attributes_of(slots), call.options, {}, {}};
    for (std::size_t i = 0; i < inputs_.size() && slots[i] != nullptr; ++i) {
      specs.push_back(spec_of(slots[i], i));
      source.inputs.push_back({parameters_[i].name, specs.back()});
    }
    if (option(slots, ParameterKind::kThreads) != nullptr) source.threads = threads;
    const RunnablePlan plan = compile_call(slots, call, specs);
    warn_of_notes(plan.plan);
    return new_plan(plan, std::move(source), threads);
  });
}

// The spec of a windrow.Spec, or of an example array.
TensorSpec Function::spec_of(PyObject* object, std::size_t input) const {
  if (object == Py_None) return {};
  const char* name = parameters_[input].name.c_str();
  const nb::handle given(object);
  const bool is_spec =
      nb::isinstance(given, nb::module_::import_("windrow._base.spec").attr("Spec"));
  const nb::object example = is_spec ? nb::object(given.attr("value")) : nb::borrow(given);
  InputArray array;
  TensorView view;
  array.acquire(example.ptr(), {name, DType::kAbsent, !is_data_[input]}, view);
  TensorSpec spec = view.spec();
  if (is_spec) {
    spec.dtype = parse_dtype(nb::cast<std::string>(given.attr("dtype"))).value_or(DType::kAbsent);
    spec.shape = dims_of(given.attr("shape"), name);
    spec.strides.reset();
    if (!given.attr("strides").is_none()) spec.strides = dims_of(given.attr("strides"), name);
  }
  if (inputs_[input].value_at_compile) add_value(spec, view);
  return spec;
}

}  // namespace windrow::python

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
      {"negative", ParameterKind::kNegative},
      {"padding_index", ParameterKind::kPaddingIndex},
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
