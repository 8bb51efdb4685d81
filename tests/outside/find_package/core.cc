#include <windrow/windrow.h>

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

// A plan, compiled once and run twice, and an error as a value.
int main() {
  windrow::Tensor table = windrow::Tensor::of<std::int32_t>({2, 2}, {1, 2, 3, 4});
  windrow::Tensor rows = windrow::Tensor::of<std::int64_t>({3}, {1, 0, -1});
  windrow::Result<windrow::Plan> plan =
      windrow::compile(windrow::onnx::Gather{.axis = 0}, {table.spec(), rows.spec()});
  if (!plan) {
    std::cerr << plan.error().message() << '\n';
    return 1;
  }
  std::vector<std::int32_t> memory(6);
  windrow::MutableTensorView out(plan->result().dtype, plan->result().shape, memory.data());
  for (int round = 0; round < 2; ++round) {
    windrow::Status status = plan->run({table, rows}, out);
    if (!status) {
      std::cerr << status.message() << '\n';
      return 1;
    }
  }
  for (std::int32_t value : memory) std::cout << value << ' ';
  std::cout << '\n';

  windrow::Tensor bad = windrow::Tensor::of<std::int64_t>({1}, {7});
  windrow::Result<windrow::Tensor> refused = windrow::onnx::gather(table, bad);
  const windrow::Status error = refused.error();
  if (error.code() != windrow::ErrorCode::kIndexOutOfRange || error.index_fault()->value != 7) {
    return 1;
  }
  std::cout << error.message() << '\n';
  return 0;
}
