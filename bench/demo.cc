// One large gather, 131,072 random rows of a table of 1,000,000 x 128 float32, timed beside a copy
// of the bytes that it moves. Rounds are interleaved and medians compared: other load on the
// machine then weighs on both.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <vector>

#include "windrow/windrow.h"

namespace {

constexpr std::int64_t kRows = 1'000'000;
constexpr std::int64_t kColumns = 128;
constexpr std::int64_t kIndices = 131'072;
constexpr std::int64_t kRowBytes = kColumns * static_cast<std::int64_t>(sizeof(float));
constexpr int kRounds = 15;

windrow::Tensor make_table() {
  windrow::Tensor table =
      windrow::Tensor::allocate(windrow::DType::kFloat32, {kRows, kColumns}).value();
  auto* values = static_cast<float*>(table.data());
  for (std::int64_t i = 0; i < kRows * kColumns; ++i)
    values[i] = static_cast<float>(i % 16'777'216);
  return table;
}

windrow::Tensor make_indices() {
  windrow::Tensor indices = windrow::Tensor::allocate(windrow::DType::kInt64, {kIndices}).value();
  auto* values = static_cast<std::int64_t*>(indices.data());
  std::mt19937_64 random(1);
  std::uniform_int_distribution<std::int64_t> row(0, kRows - 1);
  std::generate_n(values, kIndices, [&] { return row(random); });
  return indices;
}

struct Copy {
  const std::byte* from;
  std::byte* to;
  std::int64_t bytes;
  int tasks;
};

void copy_part(void* context, int index) {
  const Copy& copy = *static_cast<Copy*>(context);
  const std::int64_t begin = copy.bytes * index / copy.tasks;
  const std::int64_t end = copy.bytes * (index + 1) / copy.tasks;
  std::memcpy(copy.to + begin, copy.from + begin, static_cast<std::size_t>(end - begin));
}

template <class Function>
double milliseconds(const Function& function) {
  const auto start = std::chrono::steady_clock::now();
  function();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The first wrong row of the result, or -1.
std::int64_t first_wrong_row(const windrow::Tensor& table, const windrow::Tensor& indices,
                             const windrow::Tensor& result) {
  const auto* source = static_cast<const std::byte*>(table.data());
  const auto* target = static_cast<const std::byte*>(result.data());
  const auto rows = indices.values<std::int64_t>();
  for (std::int64_t i = 0; i < kIndices; ++i) {
    const std::byte* row = source + rows[static_cast<std::size_t>(i)] * kRowBytes;
    if (std::memcmp(target + i * kRowBytes, row, kRowBytes) != 0) return i;
  }
  return -1;
}

void compare(const windrow::Plan& plan, const windrow::Tensor& table,
             const windrow::Tensor& indices, windrow::Tensor& result, windrow::Threads& threads) {
  windrow::Tensor copied = windrow::Tensor::zeros(result.dtype(), result.shape()).value();
  Copy copy{static_cast<const std::byte*>(result.data()), static_cast<std::byte*>(copied.data()),
            result.byte_count(), threads.count()};
  std::vector<double> gathers;
  std::vector<double> copies;
  for (int round = 0; round < kRounds; ++round) {
    gathers.push_back(milliseconds([&] {
      const windrow::Status status =
          plan.run({table, indices}, result.mutable_view(), {.threads = &threads});
      if (!status) throw windrow::Error(status);
    }));
    copies.push_back(milliseconds([&] { threads.parallel(copy.tasks, copy_part, &copy); }));
  }
  std::printf("%2d thread%s gather %6.2f ms   copy %6.2f ms   gather / copy %.2f\n",
              threads.count(), threads.count() == 1 ? ": " : "s:", median(gathers), median(copies),
              median(gathers) / median(copies));
}

int run() {
  std::printf("table 1,000,000 x 128 float32, 131,072 int64 indices, result 64 MiB\n");
  const windrow::Tensor table = make_table();
  const windrow::Tensor indices = make_indices();
  const windrow::Plan plan =
      windrow::compile(windrow::onnx::Gather{}, {table.spec(), indices.spec()}).value();
  windrow::Tensor result = plan.run({table, indices}).value();
  for (const int count : {1, windrow::allowed_cores()}) {
    const std::unique_ptr<windrow::Threads> threads = windrow::make_threads(count);
    if (!threads) return 1;
    compare(plan, table, indices, result, *threads);
    if (count == windrow::allowed_cores()) break;
  }
  const std::int64_t wrong = first_wrong_row(table, indices, result);
  if (wrong < 0) return 0;
  std::printf("row %lld of the result is wrong\n", static_cast<long long>(wrong));
  return 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const windrow::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
