#include "tools/windrow/completion_scripts.h"

namespace windrow::tool {
namespace {

// Each asks the command itself, so that it never tells of another version. Without a candidate the
// shell completes names of files.
constexpr char kBash[] = R"(_windrow() {
  mapfile -t COMPREPLY < <("${1/#\~/$HOME}" __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1)
  if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then compopt -o nospace; fi
}
complete -o default -F _windrow windrow
)";
constexpr char kZsh[] = R"(#compdef windrow
_windrow() {
  local -a texts shown
  local line
  for line in "${(@f)$("${words[1]}" __complete zsh "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] || continue
    texts+=("${line%%$'\t'*}")
    shown+=("${line/$'\t'/  -- }")
  done
  if (( ${#texts} )); then
    compadd -l -d shown -a -- texts
  else
    _files
  fi
}
if [[ $funcstack[1] == _windrow ]]; then _windrow "$@"; else compdef _windrow windrow; fi
)";
constexpr char kFish[] = R"(function __windrow_complete
  set -l lines (windrow __complete fish (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if test (count $lines) -gt 0
    printf '%s\n' $lines
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c windrow -f -a '(__windrow_complete)'
)";

}  // namespace

std::string_view completion_script(std::string_view shell) {
  if (shell == "bash") return kBash;
  return shell == "zsh" ? kZsh : kFish;
}

}  // namespace windrow::tool
