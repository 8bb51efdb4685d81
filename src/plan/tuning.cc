#include "src/plan/tuning.h"

#include <charconv>
#include <cmath>

#include "src/kernels/registry.h"

namespace windrow::internal {
namespace {

// A lever is a switch, "on" or "off", or a number from `least` to `most`.
struct Lever {
  std::string_view name;
  std::optional<bool> Tuning::*on = nullptr;
  std::optional<std::int64_t> Tuning::*number = nullptr;
  std::int64_t least = 0;
  std::int64_t most = 0;
};

constexpr Lever kLevers[] = {
    {.name = "prefetch", .number = &Tuning::prefetch, .most = kMostAhead},
    {.name = "stream", .on = &Tuning::stream},
    {.name = "tile", .number = &Tuning::tile, .most = kBlockPoints},
    {.name = "pack", .on = &Tuning::pack},
    {.name = "constant-rows", .on = &Tuning::constant_rows},
    {.name = "fused-copy", .on = &Tuning::fused_copy},
    {.name = "straight", .on = &Tuning::straight},
    {.name = "gathers", .on = &Tuning::gathers},
    {.name = "buckets", .on = &Tuning::buckets},
    {.name = "sorted", .on = &Tuning::sorted},
    {.name = "flat-runs", .on = &Tuning::flat_runs},
    {.name = "grids", .on = &Tuning::grids},
    {.name = "dense-copies", .on = &Tuning::dense_copies},
    {.name = "tasks", .number = &Tuning::tasks, .least = 1, .most = 4096},
};

// Returns false if the lever does not take this value.
bool set(const Lever& lever, std::string_view value, Tuning& tuning) {
  if (lever.on != nullptr) {
    tuning.*lever.on = value == "on";
    return value == "on" || value == "off";
  }
  std::int64_t number = 0;
  const char* const last = value.data() + value.size();
  const auto [end, error] = std::from_chars(value.data(), last, number);
  tuning.*lever.number = number;
  return error == std::errc() && end == last && lever.least <= number && number <= lever.most;
}

std::string values_of(const Lever& lever) {
  if (lever.on != nullptr) return "on or off";
  return std::to_string(lever.least) + " to " + std::to_string(lever.most);
}

Status wrong(std::string_view part, const std::string& what) {
  return {ErrorCode::kInvalidArgument, "kernels: '" + std::string(part) + "': " + what};
}

Status set_lever(std::string_view part, Tuning& tuning) {
  const std::size_t equals = part.find('=');
  std::string names;
  for (const Lever& lever : kLevers) {
    names += (names.empty() ? "" : ", ") + std::string(lever.name);
    if (equals == std::string_view::npos || part.substr(0, equals) != lever.name) continue;
    tuning.forces_levers = true;
    if (set(lever, part.substr(equals + 1), tuning)) return {};
    return wrong(part, std::string(lever.name) + " takes " + values_of(lever));
  }
  return wrong(part, "expected NAME=VALUE after the kernel set; names: " + names);
}

}  // namespace

std::int64_t least_task_bytes(const MachineCosts& costs) {
  constexpr double kPage = 4096;
  constexpr double kMost = 0x1p40;  // so that multiples fit
  const double pages = std::min(2 * costs.task / costs.row_byte, kMost) / kPage;
  return std::max(static_cast<std::int64_t>(std::round(pages) * kPage), kMostSmallBytes);
}

std::int64_t least_shared_share(const MachineCosts& costs) {
  constexpr double kMost = 0x1p20;  // so that multiples fit
  const double share =
      std::min(static_cast<double>(kSharedOffsetsPart) * costs.offset / costs.element, kMost);
  return std::max(static_cast<std::int64_t>(std::round(share)), std::int64_t{1});
}

std::int64_t least_shared_share() {
  static const std::int64_t share = least_shared_share(machine_costs());
  return share;
}

std::int64_t least_task_bytes() {
  static const std::int64_t bytes = least_task_bytes(machine_costs());
  return bytes;
}

Result<Tuning> parse_tuning(std::string_view text) {
  Tuning tuning;
  for (bool first = true; !text.empty(); first = false) {
    const std::size_t comma = text.find(',');
    const std::string_view part = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    if (first && part.find('=') == std::string_view::npos) {
      tuning.kernel_set = std::string(part);
    } else if (Status status = set_lever(part, tuning); !status) {
      return status;
    }
  }
  return tuning;
}

Result<Tuning> parse_known_tuning(std::string_view text) {
  if (const Result<MachineCosts>& costs = chosen_costs(); !costs) return costs.error();
  Result<Tuning> tuning = parse_tuning(text);
  if (!tuning || find_kernel_set(tuning->kernel_set) != nullptr) return tuning;
  std::string names;
  for (const KernelSetEntry& set : kernel_sets())
    names += (names.empty() ? "" : ", ") + std::string(set.name) +
             (set.supported ? "" : " (not on this machine)");
  return Status(ErrorCode::kUnsupported,
                "kernels is '" + tuning->kernel_set + "', must be one of: " + names);
}

}  // namespace windrow::internal
