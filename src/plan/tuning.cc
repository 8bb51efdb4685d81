#include "src/plan/tuning.h"

#include <array>
#include <charconv>

#include "src/plan/lowered_plan.h"

namespace windrow::internal {
namespace {

std::optional<std::int64_t> parse_number(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < 0) return std::nullopt;
  return number;
}

bool set_switch(std::optional<bool>& lever, std::string_view value) {
  if (value != "on" && value != "off") return false;
  lever = value == "on";
  return true;
}

bool set_number(std::optional<std::int64_t>& lever, std::string_view value, std::int64_t most) {
  const auto number = parse_number(value);
  if (!number || *number > most) return false;
  lever = *number;
  return true;
}

constexpr std::int64_t kMostLanes = 1024;
constexpr std::int64_t kMostTasks = 4096;

bool set_tasks(Tuning& tuning, std::string_view value) {
  std::optional<std::int64_t> number;
  if (!set_number(number, value, kMostTasks) || *number == 0) return false;
  tuning.tasks = static_cast<int>(*number);
  return true;
}

struct Lever {
  std::string_view name;
  std::string_view values;
  bool (*set)(Tuning& tuning, std::string_view value);
};

constexpr std::array<Lever, 12> kLevers = {{
    {"prefetch", "0 to 128",
     [](Tuning& t, std::string_view v) { return set_number(t.prefetch, v, kMostAhead); }},
    {"stream", "on or off", [](Tuning& t, std::string_view v) { return set_switch(t.stream, v); }},
    {"tile", "0 to 1024",
     [](Tuning& t, std::string_view v) { return set_number(t.tile, v, kMostLanes); }},
    {"pack", "on or off", [](Tuning& t, std::string_view v) { return set_switch(t.pack, v); }},
    {"constant-rows", "on or off",
     [](Tuning& t, std::string_view v) { return set_switch(t.constant_rows, v); }},
    {"fused-copy", "on or off",
     [](Tuning& t, std::string_view v) { return set_switch(t.fused_copy, v); }},
    {"straight", "on or off",
     [](Tuning& t, std::string_view v) { return set_switch(t.straight, v); }},
    {"gathers", "on or off",
     [](Tuning& t, std::string_view v) { return set_switch(t.gathers, v); }},
    {"buckets", "on or off",
     [](Tuning& t, std::string_view v) { return set_switch(t.buckets, v); }},
    {"sorted", "on or off", [](Tuning& t, std::string_view v) { return set_switch(t.sorted, v); }},
    {"flat-runs", "on or off",
     [](Tuning& t, std::string_view v) { return set_switch(t.flat_runs, v); }},
    {"tasks", "1 to 4096", &set_tasks},
}};

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
    if (lever.set(tuning, part.substr(equals + 1))) return {};
    return wrong(part, std::string(lever.name) + " takes " + std::string(lever.values));
  }
  return wrong(part, "after the kernel set stands NAME=VALUE; names: " + names);
}

}  // namespace

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

}  // namespace windrow::internal
