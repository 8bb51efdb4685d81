#ifndef WINDROW_PYTHON_NUMPY_ARRAY_H_
#define WINDROW_PYTHON_NUMPY_ARRAY_H_

#include <nanobind/nanobind.h>

#include "windrow/tensor.h"

// NumPy's arrays through NumPy's own interface. Asking an array for a buffer costs several times as
// much and would dominate a small call.
namespace windrow::python {

// Loads NumPy. Throws a Python error.
void load_numpy();

bool is_numpy_array(PyObject* object) noexcept;
// numpy.bool, the scalar.
bool is_numpy_truth(PyObject* object) noexcept;

// Views an array of numbers in this machine's byte order. Returns false for any other array. Throws
// windrow::Error (kShape) for a rank above the library's limit, (kType) for a masked array.
bool view_numpy(PyObject* array, const char* name, TensorView& view);
// Same as above for an output. Also returns false for a read-only array.
bool view_numpy(PyObject* array, const char* name, MutableTensorView& view);

// Whether NumPy itself has the type.
bool is_numpy_type(DType type) noexcept;

// A new, uninitialised array of a type for which is_numpy_type() holds. Throws windrow::Error
// (kOutOfMemory).
nanobind::object new_numpy_array(DType type, const Shape& shape, void*& memory);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NUMPY_ARRAY_H_
