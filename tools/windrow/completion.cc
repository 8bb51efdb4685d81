#include "tools/windrow/completion.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <set>
#include <string_view>

#include "tools/windrow/command.h"
#include "tools/windrow/model_inputs.h"
#include "windrow/check.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

// The most candidates from a model's nodes and other long lists.
constexpr std::size_t kMostCandidates = 500;

constexpr char kCompletionFooter[] =
    "Prints a script that completes subcommands, options, their values, operators, attributes and\n"
    "the nodes of a model.\n\n"
    "Examples:\n"
    "  source <(windrow completion bash)\n"
    "  windrow completion bash > ~/.local/share/bash-completion/completions/windrow\n"
    "  windrow completion zsh > \"${fpath[1]}/_windrow\"\n"
    "  windrow completion fish > ~/.config/fish/completions/windrow.fish\n";

// What a command line says so far.
struct Line {
  const CLI::App* subcommand = nullptr;
  const CLI::Option* open = nullptr;  // the option whose value is next
  std::set<const CLI::Option*> used;
  std::vector<std::string> positionals;
};

Line read_line(const CLI::App& app, const std::vector<std::string>& words) {
  Line line;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (line.subcommand == nullptr) {
      for (const CLI::App* const each : subcommands_of(app))
        if (each->get_name() == word) line.subcommand = each;
      if (line.subcommand == nullptr) return line;
    } else if (line.open != nullptr) {
      line.open = nullptr;
    } else if (word.size() > 1 && word[0] == '-') {
      const CLI::Option* const option =
          find_option(*line.subcommand, word.substr(0, word.find('=')));
      if (option == nullptr) continue;
      line.used.insert(option);
      if (word.find('=') == std::string::npos && option->get_items_expected_max() > 0)
        line.open = option;
    } else {
      line.positionals.push_back(word);
    }
  }
  return line;
}

std::vector<Candidate> candidates_of(const std::vector<std::string>& texts) {
  std::vector<Candidate> candidates;
  for (const std::string& text : texts) candidates.push_back({text, ""});
  return candidates;
}

std::vector<Candidate> operator_names(bool plain_too) {
  std::vector<Candidate> candidates;
  std::set<std::string> seen;
  for (const OperatorInfo& info : list_operators()) {
    const std::string full = info.dialect + "." + info.name;
    if (seen.insert(full).second) candidates.push_back({full, info.summary});
    if (plain_too && seen.insert(info.name).second) candidates.push_back({info.name, ""});
  }
  return candidates;
}

// The operator that the line names; one without a name if it names none.
OperatorInfo operator_on(const Line& line) {
  if (line.positionals.empty()) return {};
  const std::string& text = line.positionals[0];
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) return {};
  const std::string name = text.substr(dot + 1);
  Result<OperatorInfo> info =
      find_operator({text.substr(0, dot), name.substr(0, name.rfind('-')), {}});
  return info ? *std::move(info) : OperatorInfo();
}

std::vector<Candidate> attributes_on(const Line& line) {
  std::vector<Candidate> candidates;
  for (const OperatorAttribute& attribute : operator_on(line).attributes)
    candidates.push_back({attribute.name + "=", attribute.required ? "required" : ""});
  return candidates;
}

std::vector<Candidate> nodes_of(const Model& model) {
  std::vector<Candidate> candidates;
  for (const ModelNode& node : model.nodes)
    if (candidates.size() < kMostCandidates) candidates.push_back({node.name, node.op_type});
  return candidates;
}

std::vector<Candidate> inputs_of(const Model& model, const char* end) {
  std::vector<Candidate> candidates;
  for (const ValueInfo& input : model.inputs)
    if (candidates.size() < kMostCandidates)
      candidates.push_back({input.name + end, to_string(input)});
  return candidates;
}

// The runtimes of --for, which are a list: the last of it is completed.
std::vector<Candidate> targets(const std::string& word) {
  std::set<std::string> names;
  for (const PortabilityRule& rule : portability_rules())
    for (const RuleEffect& effect : rule.effects) {
      names.insert(effect.runtime);
      names.insert(effect.runtime + ":" + effect.device);
    }
  const std::size_t comma = word.rfind(',');
  const std::string before = comma == std::string::npos ? "" : word.substr(0, comma + 1);
  std::vector<Candidate> candidates;
  for (const std::string& name : names) candidates.push_back({before + name, ""});
  return candidates;
}

std::vector<Candidate> rule_labels() {
  std::vector<Candidate> candidates;
  for (const auto& rules : {portability_rules(), operator_rules()})
    for (const PortabilityRule& rule : rules) candidates.push_back({rule.label, rule.sentence});
  return candidates;
}

std::vector<Candidate> kernel_sets() {
  std::vector<Candidate> candidates;
  for (const KernelSet& set : list_kernel_sets())
    if (set.supported) candidates.push_back({set.name, ""});
  return candidates;
}

// What stands on the line for a model, if it can be loaded.
std::vector<Candidate> of_model(const Line& line, const std::string& option) {
  if (line.positionals.empty()) return {};
  const Result<Model> model = load_model(line.positionals[0]);
  if (!model) return {};
  if (option == "node") return nodes_of(*model);
  return inputs_of(*model, "=");
}

std::vector<Candidate> values_of(const CLI::Option& option, const Line& line,
                                 const std::string& word) {
  const std::vector<std::string> choices = choices_of(option);
  if (!choices.empty()) return candidates_of(choices);
  const std::string type = placeholder_of(option);
  const std::string name = option.get_lnames().empty() ? "" : option.get_lnames()[0];
  if (type == "LABEL") return rule_labels();
  if (type == "LIST") return targets(word);
  if (type == "SET") return kernel_sets();
  if (type == "OPERATOR") return operator_names(false);
  if (name == "attr") return attributes_on(line);
  if (name == "node" || name == "input" || name == "assume") return of_model(line, name);
  return {};
}

// Whether the inputs of an operator are options, too.
bool takes_words(const Line& line) {
  const std::string name = line.subcommand->get_name();
  return name == "explain" || name == "playground";
}

std::vector<Candidate> options_of(const Line& line) {
  std::vector<Candidate> candidates;
  for (const CLI::Option* const option : line.subcommand->get_options()) {
    const bool may_stand = !line.used.contains(option) || option->get_expected_max() > 1;
    if (!option->get_lnames().empty() && may_stand)
      candidates.push_back({"--" + option->get_lnames()[0], option->get_description()});
  }
  if (takes_words(line))
    for (const OperatorInput& input : operator_on(line).inputs)
      candidates.push_back({"--" + input.name, "The operator's input"});
  return candidates;
}

std::vector<Candidate> positionals_of(const Line& line) {
  const std::string name = line.subcommand->get_name();
  if (!line.positionals.empty()) return {};
  if (name == "ops") return operator_names(true);
  if (name == "call" || takes_words(line)) return operator_names(false);
  for (const CLI::Option* const option : line.subcommand->get_options())
    if (option->get_positional()) return candidates_of(choices_of(*option));
  return {};
}

std::vector<Candidate> all_candidates(const CLI::App& app, const Line& line,
                                      const std::string& word) {
  std::vector<Candidate> candidates;
  if (line.subcommand == nullptr) {
    for (const CLI::App* const subcommand : subcommands_of(app))
      candidates.push_back({subcommand->get_name(), subcommand->get_description()});
    for (const CLI::Option* const option : app.get_options())
      candidates.push_back({names_of(*option)[0], option->get_description()});
    return candidates;
  }
  if (line.open != nullptr) return values_of(*line.open, line, word);
  const std::size_t equals = word.find('=');
  if (!word.starts_with('-') || word == "-") return positionals_of(line);
  if (equals == std::string::npos) return options_of(line);
  const std::string name = word.substr(0, equals);
  const CLI::Option* const option = find_option(*line.subcommand, name);
  if (option == nullptr) return {};
  candidates = values_of(*option, line, word.substr(equals + 1));
  for (Candidate& candidate : candidates) candidate.text.insert(0, name + "=");
  return candidates;
}

bool is_break(const std::string& word) { return word == "=" || word == ":"; }

// Words as they were written, of those that bash has split at '=' and ':'.
std::vector<std::string> joined(const std::vector<std::string>& words) {
  std::vector<std::string> whole;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 1 && (is_break(words[i]) || is_break(words[i - 1]))) {
      whole.back() += words[i];
    } else {
      whole.push_back(words[i]);
    }
  }
  return whole;
}

// Whether every shell reads the word as it stands: names in files may be any bytes.
bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view("_./:=@,+-#").find(c) != std::string_view::npos;
  });
}

int print_script(const std::string& shell, Console& console) {
  console.print_verbatim(completion_script(shell));
  return kFine;
}

}  // namespace

std::vector<Candidate> complete(const CLI::App& app, const std::vector<std::string>& words) {
  const std::string& word = words.back();
  const Line line = read_line(app, words);
  if (words.size() > 1 && line.subcommand == nullptr) return {};
  std::vector<Candidate> candidates = all_candidates(app, line, word);
  std::erase_if(candidates,
                [&word](const Candidate& each) { return !each.text.starts_with(word); });
  return candidates;
}

std::string completion_lines(const CLI::App& app, const std::string& shell,
                             const std::vector<std::string>& words) {
  if (words.empty()) return "";
  const bool is_split = shell == "bash";
  const std::vector<std::string> whole = is_split ? joined(words) : words;
  const std::size_t piece = is_break(words.back()) ? 0 : words.back().size();
  const std::size_t cut = is_split ? whole.back().size() - piece : 0;
  std::string lines;
  for (const Candidate& candidate : complete(app, whole)) {
    if (!is_plain(candidate.text)) continue;
    lines += candidate.text.substr(cut) + "\t" + printable(candidate.help) + "\n";
  }
  return lines;
}

void add_completion(CLI::App& app, Invocation& chosen) {
  CLI::App& command =
      *app.add_subcommand("completion", "Print what makes a shell complete this command");
  auto shell = std::make_shared<std::string>();
  command.add_option("SHELL", *shell, "bash, zsh or fish")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>{"bash", "zsh", "fish"}))
      ->type_name("");
  command.footer(kCompletionFooter);
  set_action(command, chosen, shell, &print_script);
}

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
