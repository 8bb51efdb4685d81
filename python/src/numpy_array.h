#ifndef WINDROW_PYTHON_NUMPY_ARRAY_H_
#define WINDROW_PYTHON_NUMPY_ARRAY_H_

#include <nanobind/nanobind.h>

#include <memory>

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

// A new, uninitialised array. The memory of large ones comes from the pool of results, unless the
// pool is off or the caller has set a memory handler of NumPy's.
struct NewArray {
  nanobind::object array;
  void* memory = nullptr;
  bool is_fresh = false;  // RunOptions::fresh_output
};

// Makes an array of a type for which is_numpy_type() holds. Throws windrow::Error (kOutOfMemory).
NewArray new_numpy_array(DType type, const Shape& shape);

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

#endif  // WINDROW_PYTHON_NUMPY_ARRAY_H_
