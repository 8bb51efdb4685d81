#include "tools/windrow/call_flags.h"

#include <fmt/core.h>

#include <vector>

#include "tools/windrow/console.h"
#include "windrow/counted.h"
#include "windrow/nearest_name.h"
#include "windrow/operators.h"

namespace windrow::tool {
namespace {

constexpr char kGroup[] = "Call options";
constexpr int kMostThreads = 4096;

// `kernels` may go on after the set's name, or have none.
void require_kernel_set(const std::string& kernels) {
  const std::string name = kernels.substr(0, kernels.find(','));
  if (name.empty() || name.find('=') != std::string::npos) return;
  std::string known;
  NearestName nearest(name);
  for (const KernelSet& set : list_kernel_sets()) {
    if (set.name == name && set.supported) return;
    if (set.name == name) {
      fail(ErrorCode::kUnsupported, fmt::format("--kernels {}: this machine can't run them", name));
    }
    known += (known.empty() ? "" : ", ") + set.name;
    nearest.consider(set.name);
  }
  fail(ErrorCode::kInvalidArgument, fmt::format("--kernels {}: no such kernel set; there are {}{}",
                                                name, known, nearest.hint()));
}

}  // namespace

void CallFlags::add_options_to(CLI::App& subcommand) {
  const std::vector<std::string> policies = {"error", "zero", "skip", "clamp", "modulo"};
  subcommand
      .add_option("--out-of-range", out_of_range_,
                  "What an index outside its axis does; zero: gathers only, skip: scatters")
      ->check(CLI::IsMember(policies))
      ->type_name("POLICY")
      ->group(kGroup);
  subcommand
      .add_flag("--strict", strict_,
                "Refuse a call that the specification leaves undefined; check has another --strict")
      ->group(kGroup);
  subcommand
      .add_option("--duplicates", duplicates_, "Whether a scatter may write a cell twice (allow)")
      ->check(CLI::IsMember(std::vector<std::string>{"allow", "error"}))
      ->type_name("RULE")
      ->group(kGroup);
  subcommand
      .add_option("--kernels", kernels_,
                  "Kernels to use: plain, avx2 or avx512 (the best there are), and "
                  "levers after commas, as in avx2,stream=off")
      ->type_name("SET")
      ->group(kGroup);
}

void CallFlags::add_threads_to(CLI::App& subcommand) {
  subcommand
      .add_option("--threads", thread_count_,
                  "Threads to use (one per core that this process may use)")
      ->check(CLI::Range(1, kMostThreads))
      ->type_name("COUNT")
      ->group(kGroup);
}

CLI::Option* CallFlags::add_all_bad_to(CLI::App& subcommand) {
  return subcommand
      .add_flag("--all-bad{100}", listed_indices_,
                "If an index is out of range, list all that are, at most 100; --all-bad=NUMBER "
                "lists that number")
      ->check(CLI::PositiveNumber)
      ->group(kGroup);
}

CallOptions CallFlags::options() const {
  CallOptions options;
  options.out_of_range = parse_out_of_range(out_of_range_);
  options.strict = strict_;
  options.duplicates = parse_duplicates(duplicates_).value_or(Duplicates::kAllow);
  if (!kernels_.empty()) require_kernel_set(kernels_);
  options.kernels = kernels_;
  return options;
}

bool CallFlags::change_options() const noexcept {
  return !out_of_range_.empty() || strict_ || !duplicates_.empty() || !kernels_.empty();
}

std::unique_ptr<Threads> CallFlags::threads() const {
  std::unique_ptr<Threads> threads = make_threads(thread_count_);
  if (threads == nullptr) {
    fail(ErrorCode::kOutOfMemory,
         fmt::format("the system does not give {}; try a smaller --threads",
                     counted(thread_count_ == 0 ? allowed_cores() : thread_count_, "thread")));
  }
  return threads;
}

}  // namespace windrow::tool
