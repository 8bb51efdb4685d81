#include "python/src/module.h"

#include <nanobind/nanobind.h>

#include "plugins/jax/handler.h"
#include "python/src/arrow.h"
#include "python/src/check.h"
#include "python/src/command.h"
#include "python/src/disk_table.h"
#include "python/src/errors.h"
#include "python/src/explain.h"
#include "python/src/function.h"
#include "python/src/models.h"
#include "python/src/network.h"
#include "python/src/numpy_array.h"
#include "python/src/plan_object.h"
#include "python/src/sharded_table.h"
#include "python/src/tables.h"

namespace nb = nanobind;

namespace windrow::python {

void bind_jax_handler(nb::module_& module) {
  module.def("jax_handler", []() -> nb::object {
    void* const handler = jax::ffi_handler();
    if (handler == nullptr) return nb::none();
    return nb::capsule(handler);
  });
}

NB_MODULE(_core, module) {
  // Objects that a traceback or a daemon thread holds at the end of the process are not leaks of
  // the module.
  nanobind::set_leak_warnings(false);
  load_numpy();
  bind_errors();
  bind_tables(module);
  bind_plans(module);
  bind_functions(module);
  bind_models(module);
  bind_check(module);
  bind_fixes(module);
  bind_ranges(module);
  bind_explain(module);
  bind_records(module);
  bind_command(module);
  bind_network(module);
  bind_arrow(module);
  bind_disk_tables(module);
  bind_sharded_tables(module);
  bind_jax_handler(module);
}

}  // namespace windrow::python
