#ifndef WINDROW_PYTHON_FUNCTION_H_
#define WINDROW_PYTHON_FUNCTION_H_

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "python/src/models.h"
#include "python/src/run_arrays.h"
#include "windrow/call_cache.h"
#include "windrow/operators.h"

namespace windrow::python {

// The meaning of a parameter of an operator's function.
enum class ParameterKind : std::uint8_t {
  kInput,      // an input of the operator, in its order
  kAttribute,  // an attribute of the operator, by its name
  kVersion,
  kOut,
  kOutOfRange,
  kNegative,
  kPaddingIndex,
  kMode,  // NumPy's names for three of the policies of kOutOfRange
  kStrict,
  kDuplicates,
  kKernels,
  kThreads,
  kCount
};

struct Parameter {
  std::string name;  // the name in Python
  ParameterKind kind;
  std::string target;  // the operator's own name of the attribute
};

// One operator as a Python callable: reads the arguments, keeps compiled plans by their arguments,
// runs. Everything holds the GIL, which run_arrays() may release.
class Function {
 public:
  // `shown_name`: the name of the function in messages. The inputs are the first parameters.
  // `positional`: the number of parameters that may be given by position. `flattens`: the only
  // attribute is an axis; if it is absent or None, the first input is treated as one axis of all
  // its elements. Throws windrow::Error (kUnsupported).
  Function(std::string dialect, std::string name, std::string shown_name,
           std::vector<Parameter> parameters, std::size_t positional, bool flattens);

  // Calls the function with the arguments of a vectorcall. Returns a new reference, or null with a
  // Python error.
  PyObject* call(PyObject* const* arguments, std::size_t count, PyObject* keywords);
  // Takes the same arguments except `out`; inputs may be windrow.Spec. Returns a windrow.Plan.
  PyObject* compile(PyObject* const* arguments, std::size_t count, PyObject* keywords);

 private:
  static constexpr std::size_t kMostParameters = 24;
  // Borrowed references; null: not given. The last slot stays empty.
  using Slots = std::array<PyObject*, kMostParameters + 1>;

  struct Call;

  Slots read_arguments(PyObject* const* arguments, std::size_t count, PyObject* keywords) const;
  std::size_t parameter_of(PyObject* keyword) const;
  std::string nearest_parameter(PyObject* keyword) const;
  std::string order_of_parameters() const;
  void add_parameter(CallKey& key, std::size_t parameter, PyObject* object) const;
  // The argument for the (last) parameter of a kind; null if it is not given or None.
  PyObject* option(const Slots& slots, ParameterKind kind) const {
    PyObject* given = slots[places_[static_cast<std::size_t>(kind)]];
    return given == Py_None ? nullptr : given;
  }
  void read_options(const Slots& slots, Call& call) const;
  void acquire_inputs(const Slots& slots, InputArrays& inputs) const;
  void flatten(const Slots& slots, Call& call) const;
  CallKey key_of(const Slots& slots, const Call& call) const;
  Attributes attributes_of(const Slots& slots) const;
  void read_left_out(Call& call) const;
  std::vector<TensorSpec> specs_of(const Call& call) const;
  TensorSpec spec_of(PyObject* object, std::size_t input) const;
  RunnablePlan compile_call(const Slots& slots, const Call& call,
                            const std::vector<TensorSpec>& specs) const;

  std::string dialect_;
  std::string name_;
  std::string shown_name_;
  std::vector<Parameter> parameters_;
  std::vector<PyObject*> names_;  // names of parameters_, interned
  // The slot of the parameter of each kind.
  std::array<std::size_t, static_cast<std::size_t>(ParameterKind::kCount)> places_;
  std::size_t positional_;
  bool flattens_;
  std::vector<OperatorInput> inputs_;
  std::vector<std::size_t> attributes_;  // indices of the attributes in parameters_
  std::vector<bool> is_data_;            // for each of inputs_: whether it has the type of the data
  // The input whose value follows from ids if a call leaves it out; the number of inputs: none.
  std::size_t left_out_ = 0;
  CallCache<RunnablePlan, 64> plans_;  // plans of the latest calls
};

// The Python type of an operator's function, and the module functions that make and compile such
// functions, for the package's own use.
void bind_functions(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FUNCTION_H_
