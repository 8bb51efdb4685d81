#ifndef WINDROW_PYTHON_INPUT_ARRAY_H_
#define WINDROW_PYTHON_INPUT_ARRAY_H_

#include <nanobind/nanobind.h>

#include <memory>

#include "python/src/numpy_array.h"
#include "windrow/tensor.h"

namespace windrow::python {

// How an input must be read.
struct InputWish {
  const char* name = "";        // for messages
  DType like = DType::kAbsent;  // the type that lists and numbers become; kAbsent: NumPy's choice
  bool is_index = false;        // whether an empty list counts as one of integers
};

// The owner of an input's memory during one call: nothing if Python's arguments keep a NumPy array
// alive; else a buffer, a DLPack tensor, or a copy (strings, 4-bit types, lists and numbers).
class InputArray {
 public:
  InputArray() noexcept;
  InputArray(const InputArray&) = delete;
  InputArray& operator=(const InputArray&) = delete;
  ~InputArray();

  // Sets `view`; None leaves it absent. Throws windrow::Error (kType, kShape, kInvalidArgument) or
  // a Python error.
  void acquire(PyObject* object, const InputWish& wish, TensorView& view) {
    const bool plain = is_numpy_array(object) && view_numpy(object, wish.name, view);
    if (!plain && object != Py_None) acquire_other(object, wish, view);
  }

 private:
  struct Owner;

  void acquire_other(PyObject* object, const InputWish& wish, TensorView& view);
  void acquire_converted(PyObject* object, const InputWish& wish, TensorView& view);

  std::unique_ptr<Owner> owner_;
};

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_INPUT_ARRAY_H_
