#include <nanobind/nanobind.h>

#include "python/src/command.h"
#include "python/src/errors.h"
#include "python/src/function_object.h"
#include "python/src/models.h"
#include "python/src/numpy_array.h"
#include "python/src/plan_object.h"
#include "python/src/tables.h"

namespace windrow::python {

NB_MODULE(_core, module) {
  load_numpy();
  bind_errors();
  bind_tables(module);
  bind_plans(module);
  bind_functions(module);
  bind_models(module);
  bind_command(module);
}

}  // namespace windrow::python
