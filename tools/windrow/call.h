#ifndef WINDROW_TOOLS_WINDROW_CALL_H_
#define WINDROW_TOOLS_WINDROW_CALL_H_

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tools/windrow/console.h"
#include "tools/windrow/operator_words.h"
#include "windrow/operators.h"
#include "windrow/options.h"
#include "windrow/threads.h"

namespace windrow::tool {

// --out-of-range, --negative, --padding-index, --strict, --duplicates, --kernels, --threads and
// --all-bad: the same in every subcommand.
class CallFlags {
 public:
  void add_options_to(CLI::App& subcommand);
  void add_threads_to(CLI::App& subcommand);
  CLI::Option* add_all_bad_to(CLI::App& subcommand);

  // Throws Error if a kernel set is named that is not there or that the machine lacks.
  CallOptions options() const;
  // Whether options() differ from those of a call without flags.
  bool change_options() const noexcept;
  // The number of bad indices that an error lists; 0 without --all-bad.
  std::int64_t listed_indices() const noexcept { return listed_indices_; }
  // 0: one per core that this process may use.
  int thread_count() const noexcept { return thread_count_; }
  // Throws Error if the system gives no threads.
  std::unique_ptr<Threads> threads() const;

 private:
  std::string out_of_range_;
  std::string negative_;
  std::optional<std::int64_t> padding_index_;
  bool strict_ = false;
  std::string duplicates_;
  std::string kernels_;
  int thread_count_ = 0;
  std::int64_t listed_indices_ = 0;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CALL_H_
