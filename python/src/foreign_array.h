#ifndef WINDROW_PYTHON_FOREIGN_ARRAY_H_
#define WINDROW_PYTHON_FOREIGN_ARRAY_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "windrow/tensor.h"

// Arrays other than NumPy's, through the buffer protocol and DLPack.
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

  // Views the object's elements. Returns false, without a Python error, if the object provides no
  // (writable) buffer with an element type of the library. Throws windrow::Error (kShape) for a
  // rank above the library's limit, and Python errors that are not refusals: lack of memory,
  // KeyboardInterrupt.
  bool acquire(PyObject* object, const char* name, bool writable, MutableTensorView& view);

 private:
  Py_buffer buffer_;  // valid if held_
  bool held_ = false;
};

// An array that provides its memory through DLPack, held until it is destroyed.
class HeldDlpack {
 public:
  // Views the object's elements. Returns false if the object has no `__dlpack__`. The object makes
  // the capsule itself, so that it can refuse what the capsule cannot express. Throws
  // windrow::Error (kInvalidArgument, kType, kShape) or a Python error.
  bool acquire(PyObject* object, const char* name, bool writable, MutableTensorView& view);

 private:
  nanobind::ndarray<nanobind::ro> read_;
  nanobind::ndarray<> written_;
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FOREIGN_ARRAY_H_
