#ifndef WINDROW_MACHINE_COSTS_H_
#define WINDROW_MACHINE_COSTS_H_

#include <string>
#include <vector>

#include "windrow/export.h"
#include "windrow/status.h"
#include "windrow/threads.h"

// The costs of a machine, by which plans choose between candidates. No result depends on them. A
// process has presets, or what the file says that the environment variable WINDROW_COSTS names; it
// is read once, when the first call is compiled. A file that breaks a rule makes every call fail.
// Nothing is measured unless measure_machine_costs() is called.
namespace windrow {

// One of the costs, in nanoseconds.
struct MachineCost {
  std::string name;     // "row_byte"
  std::string unit;     // "ns/byte"
  std::string meaning;  // "a byte of a row"
  double preset = 0;
  double value = 0;       // what was measured; the preset if nothing was
  bool measured = false;  // false: the machine, or the caller, has only one thread
};

struct MeasuredCosts {
  std::string processor;  // as the system names it
  std::vector<MachineCost> costs;
  std::string file;  // the text of a file for WINDROW_COSTS
};

struct MeasureOptions {
  double seconds = 8;          // how long to measure, at least 0; each cost is measured once anyway
  Threads* threads = nullptr;  // for what a task on another thread costs; null: it is not measured
};

// Measures the costs of this machine by runs of plans. Takes about as long as the options say, and
// at most some 100 MB of memory. Errors: kOutOfMemory, and those of compile().
WINDROW_EXPORT Result<MeasuredCosts> measure_machine_costs(const MeasureOptions& options);

}  // namespace windrow

#endif  // WINDROW_MACHINE_COSTS_H_
