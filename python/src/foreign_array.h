#ifndef WINDROW_PYTHON_FOREIGN_ARRAY_H_
#define WINDROW_PYTHON_FOREIGN_ARRAY_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "windrow/tensor.h"

// Arrays that are not NumPy's, by the buffer protocol and by DLPack.
namespace windrow::python {

// A buffer of a Python object, held until it is destroyed.
class HeldBuffer {
 public:
  HeldBuffer() noexcept = default;
  HeldBuffer(const HeldBuffer&) = delete;
  HeldBuffer& operator=(const HeldBuffer&) = delete;
  ~HeldBuffer() {
    if (held_) PyBuffer_Release(&buffer_);
  }

  // Views the object's elements; false, without a Python error, if it gives no (writable) buffer of
  // an element type of the library. Throws windrow::Error (kShape) for a rank above the library's,
  // and the Python errors that are not refusals: those of memory, KeyboardInterrupt.
  bool acquire(PyObject* object, const char* name, bool writable, MutableTensorView& view);

 private:
  Py_buffer buffer_;  // if held_
  bool held_ = false;
};

// An array that gives its memory by DLPack, held until it is destroyed.
class HeldDlpack {
 public:
  // Views the object's elements; false if it has no `__dlpack__`. The object itself makes the
  // capsule, so that it can refuse what the capsule can't say. Throws windrow::Error
  // (kInvalidArgument, kType, kShape) or a Python error.
  bool acquire(PyObject* object, const char* name, bool writable, MutableTensorView& view);

 private:
  nanobind::ndarray<nanobind::ro> read_;
  nanobind::ndarray<> written_;
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FOREIGN_ARRAY_H_
