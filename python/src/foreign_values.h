#ifndef WINDROW_PYTHON_FOREIGN_VALUES_H_
#define WINDROW_PYTHON_FOREIGN_VALUES_H_

#include <nanobind/nanobind.h>

#include <optional>
#include <utility>

#include "windrow/models.h"

namespace windrow::python {

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

#endif  // WINDROW_PYTHON_FOREIGN_VALUES_H_
