#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "tools/windrow/call.h"
#include "tools/windrow/command.h"
#include "tools/windrow/console.h"
#include "tools/windrow/input_files.h"
#include "tools/windrow/output_files.h"
#include "tools/windrow/page.h"
#include "windrow/counted.h"
#include "windrow/interrupt.h"
#include "windrow/table.h"

namespace windrow::tool {
namespace {

constexpr char kLookupFooter[] =
    "TABLE stays on disk: of it only the rows are read that the indices name. It is a .npy,\n"
    ".npz (stored), .safetensors, .onnx, .xml, .arrow or .feather file; any other file with\n"
    "--dtype and --shape. --name, or FILE:NAME as a TABLE, says which tensor of several. The\n"
    "rows of several TABLEs follow each other. FILE and ROWS may be -, for standard input and\n"
    "output.\n\n"
    "Examples:\n"
    "  windrow lookup embeddings.npy --indices ids.npy --out rows.npy --stats\n"
    "  windrow lookup model.safetensors:wte.weight --indices ids.npy --out rows.npy\n"
    "  windrow lookup part0.bin part1.bin --dtype float16 --shape 1000000x128 \\\n"
    "    --indices ids.npy --out rows.npy\n";

struct LookupArguments {
  std::vector<std::string> tables;
  std::string name;
  std::string dtype;
  std::string shape;
  std::int64_t first_byte = 0;
  std::string indices;
  std::optional<std::string> out;
  std::string reads = "best";
  bool page_cache = false;
  int depth = TableOptions().depth;
  std::int64_t cache = 0;
  bool stats = false;
  CallFlags flags;
};

// FILE, or FILE:NAME where there is no file of the whole name.
TablePart named_part(TablePart part, const std::string& table) {
  part.path = table;
  std::error_code error;
  if (std::filesystem::exists(table, error)) return part;
  for (std::size_t colon = table.find(':'); colon != std::string::npos;
       colon = table.find(':', colon + 1)) {
    if (!std::filesystem::is_regular_file(table.substr(0, colon), error)) continue;
    part.path = table.substr(0, colon);
    part.name = table.substr(colon + 1);
    return part;
  }
  return part;
}

std::vector<TablePart> parts_of(const LookupArguments& arguments) {
  TablePart part;
  part.name = arguments.name;
  part.first_byte = arguments.first_byte;
  if (!arguments.dtype.empty()) {
    const std::optional<DType> dtype = parse_dtype(arguments.dtype);
    if (!dtype)
      fail(ErrorCode::kInvalidArgument,
           fmt::format("--dtype {}: no such element type", arguments.dtype));
    part.dtype = *dtype;
  }
  if (!arguments.shape.empty()) {
    const std::optional<Shape> shape = parse_extents(arguments.shape);
    if (!shape)
      fail(ErrorCode::kInvalidArgument,
           fmt::format("--shape {}: must be extents such as 1000000x128", arguments.shape));
    part.shape = *shape;
  }
  std::vector<TablePart> parts;
  for (const std::string& table : arguments.tables) parts.push_back(named_part(part, table));
  return parts;
}

TableOptions options_of(const LookupArguments& arguments) {
  TableOptions options;
  options.reads = parse_table_reads(arguments.reads).value_or(TableReads::kBest);
  if (arguments.page_cache) options.direct = false;
  options.depth = arguments.depth;
  if (arguments.cache != 0) options.cache = TableCache::create(arguments.cache).value();
  return options;
}

Json statistics_json(const TableStatistics& now) {
  return {{"rows", now.rows},
          {"row_bytes", now.row_bytes},
          {"cached", now.cached},
          {"reads", now.reads},
          {"read_bytes", now.read_bytes}};
}

void print(Console& console, const windrow::Table& table, const Tensor& rows,
           const LookupArguments& arguments) {
  const TableStatistics now = table.statistics();
  if (console.json()) {
    Json document = {{"table", table.describe()}, {"output", tensor_json(rows)}};
    if (arguments.out) document["output"]["file"] = *arguments.out;
    if (arguments.stats) document["statistics"] = statistics_json(now);
    console.print_json(document);
  }
  console.print_line({"rows  ", type_text(rows), "  ", preview(rows)});
  if (arguments.stats) {
    console.print_line({table.describe()});
    console.print_line({fmt::format("{} of {} bytes taken, {} of them cached; {} of {} bytes",
                                    counted(now.rows, "row"), now.row_bytes, now.cached,
                                    counted(now.reads, "read"), now.read_bytes)});
  }
  if (arguments.out) console.print_line({"wrote ", shown_output(*arguments.out)});
}

// Shows how many rows a long look-up has taken. Asked now and then while it runs; never ends it.
class LookupProgress final : public Interrupt {
 public:
  LookupProgress(const windrow::Table& table, std::int64_t rows)
      : table_(table), bar_(static_cast<std::size_t>(rows)) {}

  bool requested() noexcept override {
    const std::int64_t rows = table_.statistics().rows;
    if (rows != std::exchange(shown_, rows)) bar_.show(static_cast<std::size_t>(rows));
    return false;
  }

 private:
  const windrow::Table& table_;
  Progress bar_;
  std::int64_t shown_ = 0;
};

int lookup(const LookupArguments& arguments, Console& console) {
  if (arguments.out)
    OutputFiles::check_targets({{"--out", *arguments.out, OutputFiles::Content::kBinary}}, console);
  const windrow::Table table =
      windrow::Table::open(parts_of(arguments), options_of(arguments)).value();
  InputFiles inputs;
  const Tensor indices = inputs.load_tensor(arguments.indices, "indices", DType::kAbsent);
  RunOptions run;
  run.listed_indices = arguments.flags.listed_indices();
  const Tensor rows = [&] {
    LookupProgress progress(table, indices.element_count());
    run.interrupt = &progress;
    return table.take(indices, {}, arguments.flags.options(), run).value();
  }();
  std::optional<OutputFiles> files;
  if (arguments.out) {
    console.hold();  // a failure of the file is all that is then told
    files.emplace(*arguments.out, OutputFiles::Into::kFile, ".npy");
    files->add(rows, *arguments.out, "rows");
  }
  print(console, table, rows, arguments);
  if (files) files->commit();
  return kFine;
}

}  // namespace

void add_lookup(CLI::App& app, Invocation& chosen) {
  CLI::App& command = *app.add_subcommand("lookup", "Take rows of a table that stays on disk");
  auto arguments = std::make_shared<LookupArguments>();
  command.add_option("TABLE", arguments->tables, "The table, or the files whose rows make it")
      ->required()
      ->type_name("");
  command.add_option("--indices", arguments->indices, "The numbers of the rows, of any shape")
      ->required()
      ->check(refuse_empty_name)
      ->type_name("FILE");
  command.add_option("-o,--out", arguments->out, "Write the rows to this file")
      ->check(refuse_empty_name)
      ->type_name("ROWS");
  command.add_option("--name", arguments->name, "The tensor's name in its file")->type_name("NAME");
  command
      .add_option("--dtype", arguments->dtype,
                  "The type of the elements, where the file does not say it")
      ->type_name("TYPE");
  command
      .add_option("--shape", arguments->shape,
                  "The shape of each TABLE, where the file does not say it")
      ->type_name("SHAPE");
  command
      .add_option("--first-byte", arguments->first_byte,
                  "Where the first element of each TABLE stands, with --shape (0)")
      ->type_name("BYTE");
  command.add_option("--reads", arguments->reads, "How the files are read (best)")
      ->check(CLI::IsMember(std::vector<std::string>{"best", "io_uring", "threads", "read_ahead"}))
      ->type_name("WAY");
  command.add_flag("--page-cache", arguments->page_cache,
                   "Read through the page cache, for a table that fits into memory");
  command.add_option("--depth", arguments->depth, "Reads under way at a time (128)")
      ->type_name("COUNT");
  command.add_option("--cache", arguments->cache, "Keep rows in this number of bytes (none)")
      ->type_name("BYTES");
  command.add_flag("--stats", arguments->stats, "Print how the rows were read");
  arguments->flags.add_options_to(command);
  arguments->flags.add_all_bad_to(command);
  add_json_flag(command, chosen);
  command.footer(kLookupFooter);
  set_action(command, chosen, arguments, &lookup);
}

}  // namespace windrow::tool
