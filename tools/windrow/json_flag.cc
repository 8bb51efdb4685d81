#include "tools/windrow/subcommands.h"

namespace windrow::tool {

CLI::Option* add_json_flag(CLI::App& subcommand, Invocation& chosen) {
  return subcommand.add_flag("--json", chosen.json, "Print one JSON document instead of text");
}

}  // namespace windrow::tool
