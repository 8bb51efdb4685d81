#include "tools/windrow/command.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdio>
#include <iostream>
#include <string>
#include <vector>

#include "python/src/command.h"
#include "python/src/gil.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

int run_command(const std::vector<std::string>& arguments) {
  const GilRelease released;
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  const int code = tool::run_command(static_cast<int>(words.size()), words.data());
  // The process ends by Python's rules, which know nothing of these.
  std::cout.flush();
  std::fflush(nullptr);
  return code;
}

}  // namespace

void bind_command(nb::module_& module) {
  module.def("run_command", &run_command, nb::arg("arguments"));
}

}  // namespace windrow::python
