#ifndef WINDROW_TOOLS_WINDROW_PROGRESS_H_
#define WINDROW_TOOLS_WINDROW_PROGRESS_H_

#include <chrono>
#include <cstddef>

namespace windrow::tool {

// A bar on standard error while many cases run: only on a terminal, and only once the work has
// taken a second.
class Progress {
 public:
  explicit Progress(std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { hide(); }

  void show(std::size_t done);
  // Removes the bar from the screen, so that a line can be printed.
  void hide();

 private:
  std::size_t total_;
  bool is_terminal_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_PROGRESS_H_
