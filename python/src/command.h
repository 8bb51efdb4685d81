#ifndef WINDROW_PYTHON_COMMAND_H_
#define WINDROW_PYTHON_COMMAND_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// The command line, as a function of its arguments that returns the exit code.
void bind_command(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_COMMAND_H_
