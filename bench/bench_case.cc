#include "bench/bench_case.h"

#include <algorithm>
#include <random>
#include <string>
#include <utility>

namespace windrow::bench {
namespace {

constexpr std::int64_t kMillion = 1'000'000;

Attributes axis(std::int64_t value) { return {{"axis", value}}; }

Attributes reduction(const char* name, Attributes attributes = {}) {
  attributes["reduction"] = std::string(name);
  return attributes;
}

Tensor random_elements(DType dtype, const Shape& shape, std::mt19937_64& random) {
  Tensor tensor = Tensor::allocate(dtype, shape).value();
  const auto count = static_cast<std::size_t>(tensor.element_count());
  if (dtype == DType::kFloat32) {
    const std::span<float> values(static_cast<float*>(tensor.data()), count);
    for (float& value : values) value = static_cast<float>(random() >> 40);
  } else {
    // float16: any bits without the highest bit of the exponent are a finite number.
    const std::span<std::uint16_t> values(static_cast<std::uint16_t*>(tensor.data()), count);
    for (std::uint16_t& value : values) value = static_cast<std::uint16_t>(random() & 0xbfff);
  }
  return tensor;
}

Tensor random_indices(const Shape& shape, std::int64_t bound, std::mt19937_64& random) {
  Tensor tensor = Tensor::allocate(DType::kInt64, shape).value();
  std::uniform_int_distribution<std::int64_t> index(0, bound - 1);
  std::generate_n(static_cast<std::int64_t*>(tensor.data()), tensor.element_count(),
                  [&] { return index(random); });
  return tensor;
}

std::vector<BenchCase> gathers() {
  const DType f32 = DType::kFloat32;
  return {
      {"gather_rows_64B", "Gather", axis(0), f32, {kMillion, 16}, {kMillion}, kMillion},
      {"gather_rows_512B", "Gather", axis(0), f32, {kMillion, 128}, {131072}, kMillion},
      {"gather_rows_8KB", "Gather", axis(0), DType::kFloat16, {32000, 4096}, {4, 2048}, 32000},
      {"take_last_axis", "Gather", axis(1), f32, {4096, 4096}, {4096}, 4096},
      {"take_middle_axis", "Gather", axis(1), f32, {64, 4096, 64}, {4096}, 4096},
      {"take_1d_of_16M", "Gather", axis(0), f32, {16 * kMillion}, {4 * kMillion}, 16 * kMillion},
      {"take_1d_of_4096", "Gather", axis(0), f32, {4096}, {4 * kMillion}, 4096},
      {"elements_axis_1", "GatherElements", axis(1), f32, {8192, 2048}, {8192, 2048}, 2048},
      {"elements_axis_0", "GatherElements", axis(0), f32, {8192, 2048}, {8192, 2048}, 8192},
      {"elements_4_lanes", "GatherElements", axis(0), f32, {100000, 4}, {kMillion, 4}, 100000},
      {"elements_8_of_32", "GatherElements", axis(1), f32, {500000, 32}, {500000, 8}, 32},
      {"elements_1d",
       "GatherElements",
       axis(0),
       f32,
       {16 * kMillion},
       {4 * kMillion},
       16 * kMillion},
      {"nd_scalars", "GatherND", {}, f32, {4096, 4096}, {4 * kMillion, 2}, 4096},
      {"nd_rows", "GatherND", {}, f32, {512, 512, 64}, {262144, 2}, 512},
  };
}

std::vector<BenchCase> scatters(const char* name) {
  const DType f32 = DType::kFloat32;
  const Shape matrix = {8192, 2048};
  const bool add = std::string_view(name) == "add";
  return {
      {add ? "scatter_elements_axis_1_add" : "scatter_elements_axis_1", "ScatterElements",
       reduction(name, axis(1)), f32, matrix, matrix, 2048, matrix},
      {add ? "scatter_elements_axis_0_add" : "scatter_elements_axis_0", "ScatterElements",
       reduction(name, axis(0)), f32, matrix, matrix, 8192, matrix},
      {add ? "scatter_elements_4_lanes_add" : "scatter_elements_4_lanes",
       "ScatterElements",
       reduction(name, axis(0)),
       f32,
       {100000, 4},
       {kMillion, 4},
       100000,
       {kMillion, 4}},
      {add ? "scatter_elements_1d_add" : "scatter_elements_1d",
       "ScatterElements",
       reduction(name, axis(0)),
       f32,
       {16 * kMillion},
       {4 * kMillion},
       16 * kMillion,
       {4 * kMillion}},
      {add ? "scatter_nd_scalars_add" : "scatter_nd_scalars",
       "ScatterND",
       reduction(name),
       f32,
       {4096, 4096},
       {4 * kMillion, 2},
       4096,
       {4 * kMillion}},
      {add ? "scatter_nd_rows_add" : "scatter_nd_rows",
       "ScatterND",
       reduction(name),
       f32,
       {512, 512, 64},
       {262144, 2},
       512,
       {262144, 64}},
  };
}

}  // namespace

const std::vector<BenchCase>& bench_cases() {
  static const std::vector<BenchCase> cases = [] {
    std::vector<BenchCase> all = gathers();
    for (const char* name : {"none", "add"})
      for (BenchCase& one : scatters(name)) all.push_back(std::move(one));
    return all;
  }();
  return cases;
}

std::vector<Tensor> make_inputs(const BenchCase& bench_case) {
  std::mt19937_64 random(1);
  std::vector<Tensor> inputs;
  inputs.push_back(random_elements(bench_case.dtype, bench_case.data, random));
  inputs.push_back(random_indices(bench_case.indices, bench_case.index_bound, random));
  if (bench_case.is_scatter())
    inputs.push_back(random_elements(bench_case.dtype, bench_case.updates, random));
  return inputs;
}

}  // namespace windrow::bench
