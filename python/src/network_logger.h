#ifndef WINDROW_PYTHON_NETWORK_LOGGER_H_
#define WINDROW_PYTHON_NETWORK_LOGGER_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// ILogger, from which Python classes derive, and its Severity. An exception raised by log() becomes
// an unraisable exception (sys.unraisablehook), because the calls that log cannot fail.
void bind_logger(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_NETWORK_LOGGER_H_
