#ifndef WINDROW_PLAN_COSTS_H_
#define WINDROW_PLAN_COSTS_H_

#include <string>
#include <string_view>

#include "windrow/status.h"

namespace windrow::internal {

// What parts of a run cost on a machine, in nanoseconds, as costs.inc lists them. Plans choose by
// them; no result depends on them.
struct MachineCosts {
#define WINDROW_COST(name, preset, unit, meaning) double name = preset;
#include "src/plan/costs.inc"
#undef WINDROW_COST
};

// A member of MachineCosts.
struct CostRow {
  std::string_view name;
  double MachineCosts::*cost;
  double preset;
  std::string_view unit;
  std::string_view meaning;
};

inline constexpr CostRow kCostRows[] = {
#define WINDROW_COST(name, preset, unit, meaning) \
  {#name, &MachineCosts::name, preset, unit, meaning},
#include "src/plan/costs.inc"
#undef WINDROW_COST
};

// The smallest and the largest value that a file may give a cost.
inline constexpr double kLeastCost = 1e-6;
inline constexpr double kMostCost = 1e9;
// The largest file of costs, in bytes.
inline constexpr std::size_t kMostCostBytes = std::size_t{64} << 10;

// Reads the text of a file of costs. Its first line begins with "windrow costs 1"; what follows
// there names the processor and is not read. Every other line has the name of a cost and its value,
// with blanks between them, or is empty; "#" begins a comment. Each cost stands there once. `path`
// is the file's name for messages. Errors: kInvalidArgument, naming file, line, rule and value.
Result<MachineCosts> parse_costs(std::string_view text, std::string_view path);

// Reads a file of costs. Errors: also kIo, for what is not a readable ordinary file.
Result<MachineCosts> load_costs(const std::string& path);

// A file that parse_costs() reads, with the same values.
std::string costs_text(const MachineCosts& costs, std::string_view processor);

// The costs of the file that the environment variable WINDROW_COSTS names, or the presets if it is
// not set or empty. The file is read once in a process: at the first call, or before a fork.
const Result<MachineCosts>& chosen_costs();

// The same, and the presets if that file cannot be read: no plan is then compiled.
const MachineCosts& machine_costs();

}  // namespace windrow::internal

#endif  // WINDROW_PLAN_COSTS_H_
