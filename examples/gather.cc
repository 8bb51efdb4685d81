// Rows of a table by their numbers: in one call, then compiled once and run many times on threads.
#include <windrow/windrow.h>

#include <cstdio>
#include <memory>

using windrow::Tensor;

namespace {

void print_pair(const Tensor& rows) {
  const auto values = rows.values<float>();
  std::printf("[%g, %g] [%g, %g]\n", values[0], values[1], values[2], values[3]);
}

}  // namespace

int main() {
  const Tensor data = Tensor::of<float>({3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor indices = Tensor::of<std::int64_t>({2}, {2, 0});

  // One call. A Result holds a value or an error; nothing is thrown.
  const windrow::Result<Tensor> rows = windrow::onnx::gather(data, indices);
  if (!rows) return std::puts(rows.error().message().c_str()), 1;
  print_pair(*rows);

  // Compiled for these types and shapes; run on threads into memory that stays the same.
  const auto plan =
      windrow::compile(windrow::onnx::Gather{.axis = 0}, {data.spec(), indices.spec()});
  if (!plan) return std::puts(plan.error().message().c_str()), 1;
  const std::unique_ptr<windrow::Threads> threads = windrow::make_threads();
  windrow::Result<Tensor> out = Tensor::allocate(plan->result().dtype, plan->result().shape);
  if (!out || threads == nullptr) return 1;
  for (const std::int64_t row : {0, 1, -1}) {
    const Tensor wanted = Tensor::of<std::int64_t>({2}, {row, 1});
    const windrow::Status status =
        plan->run({data, wanted}, out->mutable_view(), {.threads = threads.get()});
    if (!status) return std::puts(status.message().c_str()), 1;
    print_pair(*out);
  }
  return 0;
}

// clang-format off
// Output:
// [5, 6] [1, 2]
// [1, 2] [3, 4]
// [3, 4] [3, 4]
// [5, 6] [3, 4]
