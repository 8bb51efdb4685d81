#ifndef WINDROW_PYTHON_FUNCTION_H_
#define WINDROW_PYTHON_FUNCTION_H_

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "python/src/run_arrays.h"
#include "windrow/call_cache.h"
#include "windrow/operators.h"

namespace windrow::python {

// What a parameter of an operator's function stands for.
enum class ParameterKind : std::uint8_t {
  kInput,      // of the operator, in its order
  kAttribute,  // of the operator, by its name
  kVersion,
  kOut,
  kOutOfRange,
  kMode,  // NumPy's names for three of the policies of kOutOfRange
  kStrict,
  kDuplicates,
  kKernels,
  kThreads,
  kCount
};

struct Parameter {
  std::string name;  // in Python
  ParameterKind kind;
  std::string target;  // the operator's own name of the attribute
};

// One operator as a Python callable: reads the arguments, keeps compiled plans by what they were
// compiled for, runs. All with the GIL, which run_arrays() may hand over.
class Function {
 public:
  // `shown_name`: of the function, for messages. The inputs are the first parameters. `positional`:
  // the number of parameters that may be given by position. `flattens`: its one attribute is an
  // axis, and if that is absent or None, the first input is taken as one axis of all its elements.
  // Throws windrow::Error (kUnsupported).
  Function(std::string dialect, std::string name, std::string shown_name,
           std::vector<Parameter> parameters, std::size_t positional, bool flattens);

  // The arguments of a vectorcall. New references, or null with a Python error.
  PyObject* call(PyObject* const* arguments, std::size_t count, PyObject* keywords);
  // The same arguments but `out`; inputs may be windrow.Spec. Gives a windrow.Plan.
  PyObject* compile(PyObject* const* arguments, std::size_t count, PyObject* keywords);

 private:
  static constexpr std::size_t kMostParameters = 24;
  // Borrowed; null: not given. The last place stays empty.
  using Slots = std::array<PyObject*, kMostParameters + 1>;

  struct Call;

  Slots read_arguments(PyObject* const* arguments, std::size_t count, PyObject* keywords) const;
  std::size_t parameter_of(PyObject* keyword) const;
  std::string nearest_parameter(PyObject* keyword) const;
  // What is given for the (last) parameter of a kind; null: nothing, or None.
  PyObject* option(const Slots& slots, ParameterKind kind) const {
    PyObject* given = slots[places_[static_cast<std::size_t>(kind)]];
    return given == Py_None ? nullptr : given;
  }
  void read_options(const Slots& slots, Call& call) const;
  void acquire_inputs(const Slots& slots, InputArrays& inputs) const;
  void flatten(const Slots& slots, Call& call) const;
  CallKey key_of(const Slots& slots, const Call& call) const;
  Attributes attributes_of(const Slots& slots) const;
  std::vector<TensorSpec> specs_of(const InputArrays& inputs) const;
  TensorSpec spec_of(PyObject* object, std::size_t input) const;
  RunnablePlan compile_call(const Slots& slots, const Call& call,
                            const std::vector<TensorSpec>& specs) const;

  std::string dialect_;
  std::string name_;
  std::string shown_name_;
  std::vector<Parameter> parameters_;
  std::vector<PyObject*> names_;  // of parameters_, interned
  // Where in the slots the parameter of a kind is.
  std::array<std::size_t, static_cast<std::size_t>(ParameterKind::kCount)> places_;
  std::size_t positional_;
  bool flattens_;
  std::vector<OperatorInput> inputs_;
  std::vector<std::size_t> attributes_;  // of parameters_: those of attributes
  std::vector<bool> is_data_;            // of inputs_: whether they have the type of the data
  CallCache<RunnablePlan, 64> plans_;    // of the last calls
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FUNCTION_H_
