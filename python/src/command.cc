#include "tools/windrow/command.h"

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdio>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "python/src/check.h"
#include "python/src/command.h"
#include "python/src/errors.h"
#include "python/src/fields.h"
#include "python/src/foreign_array.h"
#include "python/src/models.h"
#include "python/src/numpy_array.h"
#include "python/src/run_arrays.h"
#include "python/src/signals.h"
#include "windrow/models.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// `kind`: the name of an error code. Codes that belong to one node, such as a bad index, are not
// distinguished.
Status host_failure(const std::string& kind, std::string message) {
  for (const ErrorCode code : {ErrorCode::kUnsupported, ErrorCode::kOutOfMemory, ErrorCode::kFormat,
                               ErrorCode::kIo, ErrorCode::kInternal})
    if (kind == error_code_name(code)) return {code, std::move(message)};
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

// Converts the result of windrow._command.run_model() and of
// windrow._command.observe().
Result<NamedTensors> tensors_of(const nb::handle& answer) {
  const std::string kind = bytes_of(nb::object(answer[1]).ptr(), "the kind of a failure");
  if (!kind.empty()) {
    return host_failure(kind, bytes_of(nb::object(answer[2]).ptr(), "the message of a failure"));
  }
  NamedTensors tensors;
  for (const nb::handle& pair : nb::object(answer[0])) {
    std::string name = bytes_of(nb::object(pair[0]).ptr(), "the name of an output");
    const nb::object array = pair[1];
    TensorView view;
    InputArray memory;
    memory.acquire(array.ptr(), {name.c_str(), DType::kAbsent, false}, view);
    Result<Tensor> tensor = Tensor::copy_of(view);
    if (!tensor) return tensor.error();
    tensors.emplace_back(std::move(name), *std::move(tensor));
  }
  return tensors;
}

Result<NamedTensors> run_in_host(const std::string& path, const std::string& host,
                                 const NamedViews& inputs, int threads) {
  const nb::gil_scoped_acquire held;
  try {
    nb::dict arrays = new_dict();
    for (const auto& [name, view] : inputs)
      arrays[text_from(name)] = to_numpy(Tensor::copy_of(view).value());
    const nb::object run = nb::module_::import_("windrow._command").attr("run_model");
    return tensors_of(run(text_from(path), arrays, text_from(host), threads));
  } catch (const Error& error) {
    return error.status();
  } catch (nb::python_error& error) {
    return Status(ErrorCode::kInternal, error.what());
  }
}

Result<GraphValueInfos> infer_others(const Model& model) {
  const nb::gil_scoped_acquire held;
  try {
    return ask_python(nb::module_::import_("windrow._models.onnx_shapes").attr("ask"), model);
  } catch (nb::python_error& error) {
    return Status(ErrorCode::kInternal, error.what());
  }
}

// None where no tensors are given.
nb::object given_to_python(const NamedTensors* tensors) {
  if (tensors == nullptr) return nb::none();
  nb::dict arrays = new_dict();
  for (const auto& [name, tensor] : *tensors) arrays[text_from(name)] = to_numpy(tensor);
  return arrays;
}

nb::dict request_to_python(const tool::CheckRequest& request) {
  nb::dict assume = new_dict();
  for (const auto& [name, range] : request.assume)
    assume[text_from(name)] = nb::make_tuple(range.low, range.high);
  nb::dict arguments = new_dict();
  arguments["model"] = text_from(request.model);
  arguments["runtimes"] = text_from(request.runtimes);
  arguments["select"] = field_to_python(request.select);
  arguments["ignore"] = field_to_python(request.ignore);
  arguments["assume"] = assume;
  arguments["show_cannot"] = request.show_cannot;
  arguments["inputs"] = given_to_python(request.inputs.get());
  arguments["attempt"] = request.attempt;
  arguments["host"] = text_from(request.host);
  if (request.runs) arguments["runs"] = *request.runs;
  if (request.tolerance) arguments["tolerance"] = *request.tolerance;
  arguments["strict"] = request.strict;
  return arguments;
}

// Calls a function of windrow._command with these arguments. It returns either what `read`
// converts, or the name of an error code and its message.
template <class T, class... Arguments>
Result<T> ask_checker(const char* name, T (*read)(const nb::object&),
                      const Arguments&... arguments) {
  try {
    const nb::object function = nb::module_::import_("windrow._command").attr(name);
    const nb::object answer = function(arguments...);
    const std::string kind = bytes_of(nb::object(answer[1]).ptr(), "the kind of a failure");
    if (!kind.empty())
      return host_failure(kind, bytes_of(nb::object(answer[2]).ptr(), "the message of a failure"));
    return read(nb::object(answer[0]));
  } catch (const Error& error) {
    return error.status();
  } catch (nb::python_error& error) {
    return Status(ErrorCode::kInternal, error.what());
  }
}

CheckReport report_of(const nb::object& answer) { return report_from_python(answer).report; }

tool::FixOutcome outcome_of(const nb::object& answer) {
  tool::FixOutcome outcome;
  field_from_python(answer, "outcome", outcome);
  return outcome;
}

Result<CheckReport> check_in_host(const tool::CheckRequest& request) {
  const nb::gil_scoped_acquire held;
  return ask_checker("check", &report_of, request_to_python(request));
}

Result<tool::FixOutcome> fix_in_host(const tool::FixRequest& request, const CheckReport& report) {
  const nb::gil_scoped_acquire held;
  return ask_checker("fix", &outcome_of, text_from(request.model), text_from(request.out),
                     given_to_python(request.inputs.get()), nb::bool_(request.unsafe),
                     fields_to_python(tool::CheckedModel{request.model, report}));
}

Result<NamedTensors> observe_in_host(const std::string& path, const std::string& node,
                                     const NamedTensors& inputs) {
  const nb::gil_scoped_acquire held;
  try {
    const nb::object observe = nb::module_::import_("windrow._command").attr("observe");
    return tensors_of(observe(text_from(path), text_from(node), given_to_python(&inputs)));
  } catch (const Error& error) {
    return error.status();
  } catch (nb::python_error& error) {
    return Status(ErrorCode::kInternal, error.what());
  }
}

// Where the page of this package is, if it has one.
std::string playground_page() {
  const nb::gil_scoped_acquire held;
  const nb::object path = nb::module_::import_("windrow._command").attr("playground_page")();
  return bytes_of(path.ptr(), "the place of the playground's page");
}

Result<bool> open_in_browser(const std::string& address) {
  const nb::gil_scoped_acquire held;
  try {
    const nb::object open = nb::module_::import_("windrow._command").attr("open_in_browser");
    return nb::cast<bool>(open(text_from(address)));
  } catch (nb::python_error& error) {
    return Status(ErrorCode::kInternal, error.what());
  }
}

int run_command(const std::vector<std::string>& arguments) {
  const GilRelease released;
  std::vector<const char*> words;
  for (const std::string& argument : arguments) words.push_back(argument.c_str());
  const int code = tool::run_command(static_cast<int>(words.size()), words.data(),
                                     {&run_in_host, &infer_others, &check_in_host, &fix_in_host,
                                      &observe_in_host, &playground_page, &open_in_browser});
  // The process ends by Python's rules, which do not flush these streams.
  std::cout.flush();
  std::fflush(nullptr);
  return code;
}

}  // namespace

void bind_command(nb::module_& module) {
  module.def("run_command", &run_command, nb::arg("arguments"));
}

}  // namespace windrow::python
