#include "tools/windrow/option_tables.h"

#include <cstddef>

namespace windrow::tool {

std::vector<const CLI::App*> subcommands_of(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* each) { return !each->get_group().empty(); });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  return names;
}

const CLI::Option* find_option(const CLI::App& subcommand, const std::string& name) {
  for (const CLI::Option* const option : subcommand.get_options())
    for (const std::string& known : names_of(*option))
      if (known == name) return option;
  return nullptr;
}

// The library keeps them in the text of the option's type alone: "FORMAT:{npy,pb}".
std::vector<std::string> choices_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const std::size_t begin = type.find('{');
  const std::size_t end = type.find('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

std::string placeholder_of(const CLI::Option& option) {
  if (option.get_items_expected_max() == 0) return {};
  const std::string type = option.get_type_name();
  return type.substr(0, type.find(':'));
}

}  // namespace windrow::tool
