#ifndef WINDROW_PYTHON_FOREIGN_ARRAY_H_
#define WINDROW_PYTHON_FOREIGN_ARRAY_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <utility>

#include "windrow/models.h"
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

// Implements InferOptions::infer_others by a Python function. The function takes onnx_skeleton() as
// bytes and returns rows (path of the graph, name, dtype or None, dims or None) and a text, which
// says what failed and is otherwise empty. The GIL need not be held. A Python error is thrown as
// nanobind::python_error.
Result<GraphValueInfos> ask_python(const nanobind::handle& function, const Model& model);

// Calls `infer`, which takes InferOptions and returns a Result, with a Python function that knows
// other operators, as in ask_python(), or without one if it is None. Throws what the function
// raised, and windrow::Error.
template <class Infer>
auto with_others(const nanobind::object& ask, const Infer& infer) {
  InferOptions options;
  std::optional<nanobind::python_error> raised;
  if (!ask.is_none()) {
    options.infer_others = [&](const Model& model) -> Result<GraphValueInfos> {
      try {
        return ask_python(ask, model);
      } catch (nanobind::python_error& error) {
        raised.emplace(std::move(error));
        return Status(ErrorCode::kInternal, "the function raised");
      }
    };
  }
  auto found = infer(options);
  if (raised) throw std::move(*raised);
  return std::move(found).value();
}

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_FOREIGN_ARRAY_H_
