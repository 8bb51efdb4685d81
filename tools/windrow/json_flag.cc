#include "tools/windrow/subcommands.h"

namespace windrow::tool {

void add_json_flag(CLI::App& subcommand, Invocation& chosen) {
  subcommand.add_flag("--json", chosen.json, "Print one JSON document instead of text");
}

}  // namespace windrow::tool
