#include "tools/windrow/progress.h"

#include <fmt/core.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace windrow::tool {
namespace {

constexpr std::size_t kWidth = 30;

}  // namespace

Progress::Progress(std::size_t total) : total_(total), is_terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(std::size_t done) {
  if (!is_terminal_ || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
  const std::size_t filled = total_ == 0 ? kWidth : kWidth * done / total_;
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::fputs(fmt::format("\r[{}] {} of {}", bar, done, total_).c_str(), stderr);
  visible_ = true;
}

void Progress::hide() {
  if (visible_) std::fputs("\r\033[K", stderr);
  visible_ = false;
}

}  // namespace windrow::tool
