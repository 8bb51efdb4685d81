#ifndef WINDROW_PYTHON_OUTPUT_ARRAY_H_
#define WINDROW_PYTHON_OUTPUT_ARRAY_H_

#include <nanobind/nanobind.h>

#include <memory>

#include "python/src/numpy_array.h"
#include "windrow/tensor.h"

namespace windrow::python {

// Writable memory that Python gives for a result, for the time of one call.
class OutputArray {
 public:
  OutputArray() noexcept;
  OutputArray(const OutputArray&) = delete;
  OutputArray& operator=(const OutputArray&) = delete;
  ~OutputArray();

  // Sets `view`; false if the object's elements are not the library's in memory (strings, 4-bit
  // types). Throws windrow::Error or a Python error for what can be no output.
  bool acquire(PyObject* object, MutableTensorView& view) {
    return (is_numpy_array(object) && view_numpy(object, "out", view)) ||
           acquire_other(object, view);
  }

 private:
  struct Owner;

  bool acquire_other(PyObject* object, MutableTensorView& view);

  std::unique_ptr<Owner> owner_;
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_OUTPUT_ARRAY_H_
