#include "python/src/network_logger.h"

#include <nanobind/trampoline.h>

#include <exception>

#include "windrow/nvinfer.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

using nvinfer1::ILogger;
using Severity = ILogger::Severity;

// Passes each line to the method log of the Python class.
class PythonLogger final : public ILogger {
 public:
  NB_TRAMPOLINE(ILogger);

  void log(Severity severity, nvinfer1::AsciiChar const* msg) noexcept override {
    const nb::gil_scoped_acquire gil;
    try {
      call_python(severity, msg);
      return;
    } catch (nb::python_error& error) {
      error.restore();
    } catch (const std::exception& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
    }
    PyErr_WriteUnraisable(nb_trampoline.base().ptr());
  }

 private:
  void call_python(Severity severity, nvinfer1::AsciiChar const* msg) {
    NB_OVERRIDE_PURE(log, severity, msg);
  }
};

void refuse(const ILogger& /*logger*/, Severity /*severity*/, nb::handle /*msg*/) {
  PyErr_SetString(PyExc_NotImplementedError, "a class derived from ILogger defines log()");
  throw nb::python_error();
}

}  // namespace

void bind_logger(nb::module_& module) {
  nb::class_<ILogger, PythonLogger> logger(
      module, "ILogger",
      "What a builder and its networks tell their messages to: derive a class and define\n"
      "log(self, severity, msg). An exception in log() goes to sys.unraisablehook.");
  nb::enum_<Severity>(logger, "Severity", nb::is_arithmetic(), "How serious a message is.")
      .value("INTERNAL_ERROR", Severity::kINTERNAL_ERROR)
      .value("ERROR", Severity::kERROR)
      .value("WARNING", Severity::kWARNING)
      .value("INFO", Severity::kINFO)
      .value("VERBOSE", Severity::kVERBOSE)
      .export_values();
  logger.def(nb::init<>());
  logger.def("log", &refuse, nb::arg("severity"), nb::arg("msg"), "Takes one message.");
}

}  // namespace windrow::python
