#ifndef WINDROW_PYTHON_MODELS_H_
#define WINDROW_PYTHON_MODELS_H_

#include <nanobind/nanobind.h>

#include "windrow/models.h"
#include "windrow/prepared_model.h"

// Runs of models. They take arrays by name and return (name, array) of each output, and the notes
// of plans.
namespace windrow::python {

// Runs by the reference implementation.
nanobind::tuple run_reference(const Model& model, const nanobind::dict& inputs,
                              const nanobind::dict& options);

PreparedModel prepare(const Model& model, const nanobind::dict& options);

void bind_prepared_models(nanobind::module_& module);

// Models as the package's Python class wraps them; their contents are plain Python values.
void bind_models(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_MODELS_H_
