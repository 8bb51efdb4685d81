#ifndef WINDROW_PYTHON_NETWORK_LOGGER_H_
#define WINDROW_PYTHON_NETWORK_LOGGER_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// ILogger, for Python classes to derive from, and its Severity. What log() raises becomes an
// unraisable exception (sys.unraisablehook): the calls that log can't fail.
void bind_logger(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_LOGGER_H_
