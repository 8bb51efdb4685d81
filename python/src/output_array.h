#ifndef WINDROW_PYTHON_OUTPUT_ARRAY_H_
#define WINDROW_PYTHON_OUTPUT_ARRAY_H_

#include <nanobind/nanobind.h>

#include <memory>

#include "python/src/numpy_array.h"
#include "windrow/tensor.h"

namespace windrow::python {

// Writable memory that the caller gives for a result, during one call.
class OutputArray {
 public:
  OutputArray() noexcept;
  OutputArray(const OutputArray&) = delete;
  OutputArray& operator=(const OutputArray&) = delete;
  ~OutputArray();

  // Sets `view`. Returns false if the object's elements do not have the library's memory layout
  // (strings, 4-bit types). Throws windrow::Error or a Python error for an object that cannot be an
  // output.
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
