// A key-value cache that lives through a conversation: TensorScatter writes the keys of new tokens
// into it, in place, first from the front, then around the end of the cache (a sliding window).
#include <windrow/windrow.h>

#include <cstdio>
#include <string>

using windrow::Status;
using windrow::Tensor;

namespace {

// Two sequences, room for 4 tokens, one number as the key of a token.
void print_cache(const char* what, const Tensor& cache) {
  const auto values = cache.values<float>();
  std::printf("%-19s", what);
  for (std::size_t i = 0; i < values.size(); ++i)
    std::printf("%s%3g", i == 4 ? "  |" : "", values[i]);
  std::printf("\n");
}

// Writes `keys` [2, tokens, 1] at `positions` [2]; the output of the plan is the cache itself.
Status write(Tensor& cache, const Tensor& keys, const Tensor& positions, const std::string& mode) {
  const auto plan = windrow::compile(windrow::onnx::TensorScatter{.mode = mode},
                                     {cache.spec(), keys.spec(), positions.spec()});
  if (!plan) return plan.error();
  return plan->run({cache, keys, positions}, cache.mutable_view());
}

Status fill_cache(Tensor& cache) {
  const Tensor prompt = Tensor::of<float>({2, 3, 1}, {1, 2, 3, 11, 12, 13});
  const Tensor start = Tensor::of<std::int64_t>({2}, {0, 0});
  if (Status status = write(cache, prompt, start, "linear"); !status) return status;
  print_cache("prompts:", cache);

  // The sequences are at different places: the second one is a token ahead.
  const Tensor tokens = Tensor::of<float>({2, 1, 1}, {4, 15});
  const Tensor next = Tensor::of<std::int64_t>({2}, {3, 4});
  const Status full = write(cache, tokens, next, "linear");
  std::printf("%s\n", full.message().c_str());
  print_cache("unchanged:", cache);

  // Circular: position 4 of 4 is position 0 again, where the oldest token stood.
  if (Status status = write(cache, tokens, next, "circular"); !status) return status;
  print_cache("one token, around:", cache);
  return {};
}

}  // namespace

int main() {
  windrow::Result<Tensor> cache = Tensor::zeros(windrow::DType::kFloat32, {2, 4, 1});
  if (!cache) return 1;
  const Status status = fill_cache(*cache);
  if (!status) std::puts(status.message().c_str());
  return status ? 0 : 1;
}

// clang-format off
// Output:
// prompts:             1  2  3  0  | 11 12 13  0
// onnx.TensorScatter-24 [ONNX-TensorScatter-C5]: write_indices[1] is 4, out of range for axis 1 of past_cache with extent 4 (legal: 0 to 3); 1 of 2 indices is out of range
// unchanged:           1  2  3  0  | 11 12 13  0
// one token, around:   1  2  3  4  | 15 12 13  0
