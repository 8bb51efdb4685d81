#ifndef WINDROW_PYTHON_MODEL_RUNS_H_
#define WINDROW_PYTHON_MODEL_RUNS_H_

#include <nanobind/nanobind.h>

#include "windrow/models.h"
#include "windrow/prepared_model.h"

// Runs of models: arrays by name in, (name, array) of each output and the notes of plans out.
namespace windrow::python {

// By the slow witness.
nanobind::tuple run_reference(const Model& model, const nanobind::dict& inputs,
                              const nanobind::dict& options);

PreparedModel prepare(const Model& model, const nanobind::dict& options);

void bind_prepared_models(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_MODEL_RUNS_H_
