#include <filesystem>
#include <string>
#include <system_error>

#include "tools/windrow/command.h"

namespace {

// Beside the folder of this program, as it is installed and in the build tree.
std::string playground_page() {
  std::error_code ignored;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", ignored);
  return program.parent_path().parent_path() / WINDROW_DATA_FOLDER / "windrow/playground.html";
}

}  // namespace

int main(int argc, char** argv) {
  windrow::tool::CommandHooks hooks;
  hooks.playground_page = &playground_page;
  return windrow::tool::run_command(argc, argv, hooks);
}
