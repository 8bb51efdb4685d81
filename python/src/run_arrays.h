#ifndef WINDROW_PYTHON_RUN_ARRAYS_H_
#define WINDROW_PYTHON_RUN_ARRAYS_H_

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <span>

#include "python/src/input_array.h"
#include "windrow/plan.h"

namespace windrow::python {

// No operator has more inputs.
inline constexpr std::size_t kMostInputs = 4;

// The inputs of one call.
struct InputArrays {
  std::array<InputArray, kMostInputs> arrays;
  std::array<TensorView, kMostInputs> views;
  std::array<PyObject*, kMostInputs> objects;  // as given; borrowed; the first `count`
  std::size_t count = 0;

  void append(PyObject* object, const InputWish& wish) {
    objects[count] = object;
    arrays[count].acquire(object, wish, views[count]);
    ++count;
  }
  std::span<const TensorView> all() const { return {views.data(), count}; }
};

// A plan, and what every call of it would find out again.
struct RunnablePlan {
  // `inputs`: the specs that it was compiled for.
  RunnablePlan(const Plan& compiled, std::span<const TensorSpec> inputs);

  Plan plan;
  bool small;  // it moves so little that neither threads nor handing the GIL over can pay
};

// Runs a plan: into `out` (then `out` is given back), or into a new array if that is null or None.
// A new reference. The GIL is released unless the plan is small. Throws windrow::Error or a Python
// error.
PyObject* run_arrays(const RunnablePlan& plan, const InputArrays& inputs, PyObject* out,
                     int threads);

// A new NumPy array with the elements of a tensor: numbers in the type of NumPy or ml_dtypes,
// strings as the kind of text array that `like` is (null: an object array). Throws windrow::Error
// or a Python error.
nanobind::object to_numpy(const Tensor& tensor, PyObject* like = nullptr);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_RUN_ARRAYS_H_
