// What happens to an index outside the data, to two updates of one cell, and to what a
// specification leaves open: the default, and what a caller may choose instead.
#include <windrow/windrow.h>

#include <cstdio>

using windrow::CallOptions;
using windrow::Duplicates;
using windrow::OutOfRange;
using windrow::Result;
using windrow::Tensor;

namespace {

void print(const char* what, const Result<Tensor>& result) {
  std::printf("%s:", what);
  if (result) {
    for (const float value : result->values<float>()) std::printf(" %g", value);
  } else {
    std::printf(" %s", result.error().message().c_str());
  }
  std::printf("\n");
}

// An error is a message and the same facts as data.
void show_index_fault(const Tensor& data, const Tensor& indices) {
  const Result<Tensor> result = windrow::onnx::gather(data, indices);
  const windrow::Status error = result.error();
  const windrow::IndexFault* fault = error.index_fault();
  if (fault == nullptr) return;
  std::printf("%s, rule %s: %s[%lld] is %lld, axis %lld has extent %lld, %lld bad\n",
              error.operator_name().c_str(), error.constraint().c_str(), fault->input.c_str(),
              static_cast<long long>(fault->position[0]), static_cast<long long>(fault->value),
              static_cast<long long>(fault->axis), static_cast<long long>(fault->extent),
              static_cast<long long>(fault->count));
}

}  // namespace

int main() {
  const Tensor data = Tensor::of<float>({3}, {10, 20, 30});
  const Tensor indices = Tensor::of<std::int64_t>({3}, {0, 4, -5});
  const auto gather = [&](const CallOptions& options) {
    return windrow::onnx::gather(data, indices, {}, options);
  };
  print("error", gather({}));
  show_index_fault(data, indices);
  print("zero", gather({.out_of_range = OutOfRange::kZero}));
  print("clamp", gather({.out_of_range = OutOfRange::kClamp}));
  print("modulo", gather({.out_of_range = OutOfRange::kModulo}));

  const Tensor updates = Tensor::of<float>({3}, {1, 2, 3});
  const auto scatter = [&](const Tensor& where, const CallOptions& options) {
    return windrow::onnx::scatter_elements(data, where, updates, {}, options);
  };
  print("skip", scatter(indices, {.out_of_range = OutOfRange::kSkip}));
  const Tensor twice = Tensor::of<std::int64_t>({3}, {1, 2, 1});
  print("last wins", scatter(twice, {}));
  print("duplicates", scatter(twice, {.duplicates = Duplicates::kError}));
  print("strict", scatter(twice, {.strict = true}));
  return 0;
}

// clang-format off
// Output:
// error: onnx.Gather-13 [ONNX-Gather-C3]: indices[1] is 4, out of range for axis 0 of data with extent 3 (legal: -3 to 2); 2 of 3 indices are out of range
// onnx.Gather-13, rule ONNX-Gather-C3: indices[1] is 4, axis 0 has extent 3, 2 bad
// zero: 10 0 0
// clamp: 10 30 10
// modulo: 10 20 20
// skip: 1 20 30
// last wins: 10 3 2
// duplicates: onnx.ScatterElements-18 [ONNX-ScatterElements-D1]: updates[2] writes the cell at [1], which updates[0] has written already
// strict: onnx.ScatterElements-18 [ONNX-ScatterElements-D1]: updates[2] writes the cell at [1], which updates[0] has written already
