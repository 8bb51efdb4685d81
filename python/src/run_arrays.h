#ifndef WINDROW_PYTHON_RUN_ARRAYS_H_
#define WINDROW_PYTHON_RUN_ARRAYS_H_

#include <nanobind/nanobind.h>

#include <array>
#include <cstddef>
#include <span>

#include "python/src/numpy_array.h"
#include "windrow/plan.h"
#include "windrow/table.h"

namespace windrow::python {

// The largest number of inputs of any operator.
inline constexpr std::size_t kMostInputs = 6;

// The inputs of one call.
struct InputArrays {
  std::array<InputArray, kMostInputs> arrays;
  std::array<TensorView, kMostInputs> views;
  // The objects as given; borrowed; only the first `count` are set.
  std::array<PyObject*, kMostInputs> objects;
  std::size_t count = 0;
  // The table whose rows the plan gathers, its data being absent. Null: the data is an array.
  const Table* table = nullptr;

  void append(PyObject* object, const InputWish& wish) {
    objects[count] = object;
    arrays[count].acquire(object, wish, views[count]);
    ++count;
  }
  std::span<const TensorView> all() const { return {views.data(), count}; }
};

// A plan, and what each of its calls would otherwise compute again.
struct RunnablePlan {
  // `inputs`: the specs for which it was compiled.
  RunnablePlan(const Plan& compiled, std::span<const TensorSpec> inputs);

  Plan plan;
  bool small;  // whether it moves so little that neither threads nor releasing the GIL can pay off
};

// Runs a plan into `out`, which is then returned, or into a new array if `out` is null or None.
// Returns a new reference. The GIL is released unless the plan is small. Throws windrow::Error or a
// Python error.
PyObject* run_arrays(const RunnablePlan& plan, const InputArrays& inputs, PyObject* out,
                     int threads);

// Two new NumPy arrays: the positions, int64 of shape [count, rank], and the values, int64 or
// uint64 of shape [count]. Throws windrow::Error or a Python error.
nanobind::tuple bad_indices_to_python(const BadIndices& found);

// The extents.
nanobind::tuple shape_to_python(const Shape& shape);

// A new NumPy array with the elements of a tensor: numbers in the type of NumPy or ml_dtypes,
// strings in the kind of text array that `like` is (null: an object array). Throws windrow::Error
// or a Python error.
nanobind::object to_numpy(const Tensor& tensor, PyObject* like = nullptr);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_RUN_ARRAYS_H_
