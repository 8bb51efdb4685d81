#ifndef WINDROW_PYTHON_INPUT_ARRAY_H_
#define WINDROW_PYTHON_INPUT_ARRAY_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "windrow/tensor.h"

namespace windrow::python {

// An input as Python gives it, for the time of one call: the array's own memory where that is
// possible (buffer protocol, DLPack, NumPy arrays of ml_dtypes types), else a copy (strings, 4-bit
// types, lists and numbers). Holds what the memory belongs to.
class InputArray {
 public:
  InputArray() noexcept = default;
  InputArray(const InputArray&) = delete;
  InputArray& operator=(const InputArray&) = delete;
  ~InputArray() {
    if (held_) PyBuffer_Release(&buffer_);
  }

  // `name` is for messages. Python lists and numbers take the type `like` if they have none of
  // their own (kAbsent: NumPy's choice); `is_index`: an empty list is one of integers. Throws
  // windrow::Error (kType, kShape, kInvalidArgument) or a Python error. None makes an absent input.
  void acquire(PyObject* object, const char* name, DType like, bool is_index) {
    if (object == Py_None) return;
    if (!acquire_buffer(object, name)) acquire_otherwise(object, name, like, is_index);
  }

  const TensorView& view() const noexcept { return view_; }
  // Whether Python gave an array, which has a type of its own.
  bool is_array() const noexcept { return is_array_; }

 private:
  bool acquire_buffer(PyObject* object, const char* name);
  bool acquire_dlpack(PyObject* object, const char* name);
  void acquire_otherwise(PyObject* object, const char* name, DType like, bool is_index);

  TensorView view_;
  Py_buffer buffer_;  // if held_
  bool held_ = false;
  bool is_array_ = true;
  nanobind::ndarray<nanobind::ro> dlpack_;
  Tensor copy_;
};

// The view of a buffer's memory; absent if its format is of no type of the library, or it is not a
// plain strided array. Throws windrow::Error (kShape) for a rank above the library's.
MutableTensorView view_of(const Py_buffer& buffer, const char* name);

// The view of an array that came by DLPack. Throws windrow::Error (kType, kShape).
TensorView view_of(const nanobind::ndarray<nanobind::ro>& array, const char* name);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_INPUT_ARRAY_H_
