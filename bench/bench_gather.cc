// windrow_bench: times gathers and scatters beside a copy of the bytes that they move.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "bench/bench_case.h"
#include "bench/bench_run.h"
#include "windrow/models.h"
#include "windrow/windrow.h"

namespace windrow::bench {
namespace {

struct Options {
  std::vector<std::string> cases;
  int threads = 1;
  int rounds = 15;
  std::string kernels;
  std::filesystem::path dump;
  bool list = false;
  bool rounds_from_stdin = false;
};

constexpr const char* kUsage =
    R"(Times gathers and scatters beside a copy of the bytes that they move: one JSON line per case.

With --rounds-from-stdin another program chooses the moments: after the line "ready", each line "go"
runs the operator once and each line "copy" copies the bytes once; each is answered with the seconds
that it took.)";

constexpr const char* kInputFiles[] = {"data.npy", "indices.npy", "updates.npy"};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

nlohmann::json to_json(const BenchCase& bench_case) {
  nlohmann::json json = {{"case", bench_case.name}, {"operator", bench_case.op}};
  for (const auto& [name, value] : bench_case.attributes) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) json[name] = *number;
    if (const auto* text = std::get_if<std::string>(&value)) json[name] = *text;
  }
  return json;
}

void dump_tensor(const Tensor& tensor, const std::filesystem::path& path) {
  if (Status status = save_tensor(tensor, path); !status) throw Error(status);
}

void dump_inputs(const BenchRun& run, const std::filesystem::path& folder) {
  for (std::size_t i = 0; i < run.inputs().size(); ++i)
    dump_tensor(run.inputs()[i], folder / kInputFiles[i]);
}

void serve_rounds(BenchRun& run) {
  std::cout << "ready" << std::endl;
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "go") {
      std::cout << run.time_operator() << std::endl;
    } else if (line == "copy") {
      std::cout << run.time_copy() << std::endl;
    } else {
      throw CLI::ValidationError("standard input", "'" + line + "' is neither go nor copy");
    }
  }
}

void run_rounds(BenchRun& run, const BenchCase& bench_case, const Options& options) {
  std::vector<double> operator_times;
  std::vector<double> copy_times;
  for (int round = 0; round < options.rounds; ++round) {
    operator_times.push_back(run.time_operator());
    copy_times.push_back(run.time_copy());
  }
  nlohmann::json json = to_json(bench_case);
  json["kernel_set"] = run.plan().kernel_set();
  json["threads"] = options.threads;
  json["bytes"] = run.bytes();
  json["rounds"] = options.rounds;
  json["median_s"] = median(operator_times);
  json["min_s"] = *std::min_element(operator_times.begin(), operator_times.end());
  json["copy_median_s"] = median(copy_times);
  json["copy_min_s"] = *std::min_element(copy_times.begin(), copy_times.end());
  std::cout << json.dump() << std::endl;
}

void run_case(const BenchCase& bench_case, const Options& options, Threads* threads) {
  BenchRun run(bench_case, threads, options.kernels);
  if (!options.dump.empty()) dump_inputs(run, options.dump);
  run.time_operator();
  if (!options.dump.empty()) dump_tensor(run.result(), options.dump / "result.npy");
  run.time_copy();
  if (options.rounds_from_stdin) {
    serve_rounds(run);
  } else {
    run_rounds(run, bench_case, options);
  }
}

void run_all(const Options& options) {
  std::unique_ptr<Threads> threads;
  if (options.threads > 1) {
    threads = make_threads(options.threads);
    if (threads == nullptr) throw std::runtime_error("the system refuses the threads");
  }
  for (const BenchCase& bench_case : bench_cases()) {
    const bool wanted = options.cases.empty() ||
                        std::find(options.cases.begin(), options.cases.end(), bench_case.name) !=
                            options.cases.end();
    if (!wanted) continue;
    if (options.list) {
      std::cout << to_json(bench_case).dump() << std::endl;
    } else {
      run_case(bench_case, options, threads.get());
    }
  }
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app(kUsage);
  std::vector<std::string> names;
  for (const BenchCase& bench_case : bench_cases()) names.emplace_back(bench_case.name);
  auto* cases = app.add_option("--case", options.cases, "Only this case; may be repeated")
                    ->check(CLI::IsMember(names));
  app.add_option("--threads", options.threads, "1: without a pool")->check(CLI::PositiveNumber);
  app.add_option("--rounds", options.rounds, "Rounds per case")->check(CLI::PositiveNumber);
  app.add_option("--kernels", options.kernels,
                 "plain, avx2, avx512, neon or sve; default: the best");
  app.add_option("--dump", options.dump, "Write inputs and the first result as .npy there")
      ->check(CLI::ExistingDirectory)
      ->needs(cases);
  app.add_flag("--list", options.list, "Print the cases");
  app.add_flag("--rounds-from-stdin", options.rounds_from_stdin, "See above")->needs(cases);
  try {
    app.parse(argc, argv);
    run_all(options);
    return 0;
  } catch (const CLI::Error& error) {
    return app.exit(error);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}

}  // namespace
}  // namespace windrow::bench

int main(int argc, char** argv) { return windrow::bench::run(argc, argv); }
