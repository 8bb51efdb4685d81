#include "tools/windrow/check_opset.h"

#include <fmt/core.h>

#include <optional>
#include <string>

#include "tools/windrow/fields_json.h"
#include "tools/windrow/findings.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/table.h"
#include "windrow/lowest_opset.h"
#include "windrow/printable.h"

namespace windrow::tool {
namespace {

std::string opset_text(std::optional<int> opset) { return opset ? std::to_string(*opset) : "none"; }

std::string why_text(const NodeOpset& node) {
  return node.rule.empty() ? node.why : fmt::format("{} ({})", node.why, node.rule);
}

// "opset 16" or "opset 1 of ai.onnx.ml"
std::string named_opset(const std::string& domain, int opset) {
  return domain.empty() ? fmt::format("opset {}", opset)
                        : fmt::format("opset {} of {}", opset, printable(domain));
}

// "needs opset 16 (for write) and declares 15"
std::string domain_text(const DomainOpset& domain) {
  const std::string node = printable(shown_path(domain.node));
  const std::string declared = domain.declared ? fmt::format("declares {}", *domain.declared)
                                               : std::string("declares none of the domain");
  if (!domain.lowest) return fmt::format("no opset allows {}; it {}", node, declared);
  return fmt::format("needs {} (for {}) and {}", named_opset(domain.domain, *domain.lowest), node,
                     declared);
}

void print_needs(const std::string& name, const LowestOpset& needs, Console& console) {
  if (needs.nodes.empty()) {
    console.print_line({name, ": has no gather or scatter node, and needs no opset for them"});
    return;
  }
  Table table;
  table.add({"NODE", "OPERATOR", "DECLARED", "LOWEST", "WHY"});
  for (const NodeOpset& node : needs.nodes)
    table.add({shown_path(node.node), node.operator_name, opset_text(node.declared),
               opset_text(node.lowest), why_text(node)});
  print_table(console, table);
  if (needs.left_out > 0) console.print_line(fmt::format("and {} more", needs.left_out));
  console.print_line("");
  for (const DomainOpset& domain : needs.domains)
    console.print_line({name, ": ", domain_text(domain)});
}

}  // namespace

int show_lowest_opset(const std::string& path, const CommandHooks& hooks, Console& console) {
  const std::string name = shown_file(path);
  InputFiles files;
  const Model model = files.load_model(files.model_path(path));
  const LowestOpset needs =
      lowest_opset(model, infer_options(model, hooks, "check --lowest-opset")).value();
  if (console.json()) {
    Json document = {{"model", name}};
    document.update(field_json(needs));
    console.print_json(document);
  } else {
    print_needs(name, needs, console);
  }
  return needs.is_enough ? kFine : kCaseFailed;
}

}  // namespace windrow::tool
