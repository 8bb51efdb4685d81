// How a runtime embeds an operator: types and shapes are checked once, then many runs work on the
// runtime's own threads, in its own memory.
#include <windrow/windrow.h>

#include <array>
#include <cstdio>
#include <thread>

using windrow::DType;
using windrow::Plan;
using windrow::TensorView;

namespace {

// The runtime's own threads, behind the two functions that the library asks for.
class OwnThreads final : public windrow::Threads {
 public:
  int count() const noexcept override { return 2; }

  void parallel(int tasks, void (*task)(void* context, int index),
                void* context) noexcept override {
    std::thread other([&] {
      for (int i = 1; i < tasks; i += 2) task(context, i);
    });
    for (int i = 0; i < tasks; i += 2) task(context, i);
    other.join();
  }
};

// Messages of edges are added up at the nodes that receive them: a layer of a graph network.
constexpr std::int64_t kNodes = 3, kEdges = 4, kFeatures = 2;
constexpr std::int64_t kNodeFloats = kNodes * 4, kMessageFloats = kEdges * kFeatures;
// In bytes: features lie in records of four floats, of which the first two are theirs.
const windrow::Strides kStrides = {16, 4};

bool run_layer(const Plan& plan, OwnThreads& threads, float* nodes,
               const std::array<std::int64_t, kEdges>& receivers) {
  const std::array<float, kMessageFloats> messages = {1, 10, 2, 20, 3, 30, 4, 40};
  const windrow::MutableTensorView out(DType::kFloat32, {kNodes, kFeatures}, kStrides, nodes);
  const TensorView data = out;  // the same memory: the plan runs in place
  const TensorView indices(DType::kInt64, {kEdges, 1}, receivers.data());
  const TensorView updates(DType::kFloat32, {kEdges, kFeatures}, messages.data());
  const windrow::Status status = plan.run({data, indices, updates}, out, {.threads = &threads});
  std::printf("%s\n", status ? "done" : status.message().c_str());
  for (int node = 0; node < kNodes; ++node)
    std::printf("node %d: %g %g\n", node, nodes[4 * node], nodes[4 * node + 1]);
  return static_cast<bool>(status);
}

}  // namespace

int main() {
  // Known when a model is loaded: wrong types, shapes and attributes are errors here, not in a run.
  const windrow::TensorSpec data{DType::kFloat32, {kNodes, kFeatures}, kStrides, nullptr};
  const windrow::TensorSpec indices{DType::kInt64, {kEdges, 1}, {}, nullptr};
  const windrow::TensorSpec updates{DType::kFloat32, {kEdges, kFeatures}, {}, nullptr};
  const windrow::Result<Plan> plan =
      windrow::compile(windrow::onnx::ScatterND{.reduction = "add"}, {data, indices, updates});
  if (!plan) return std::puts(plan.error().message().c_str()), 1;

  OwnThreads threads;
  std::array<float, kNodeFloats> nodes = {};
  const bool first = run_layer(*plan, threads, nodes.data(), {2, 0, 2, -1});
  // An index out of range: the error names it, and the nodes stay as they were.
  const bool second = run_layer(*plan, threads, nodes.data(), {0, 0, 0, 3});
  return first && !second ? 0 : 1;
}

// clang-format off
// Output:
// done
// node 0: 2 20
// node 1: 0 0
// node 2: 8 80
// onnx.ScatterND-18 [ONNX-ScatterND-C4]: indices[3, 0] is 3, out of range for axis 0 of data with extent 3 (legal: -3 to 2); 1 of 4 indices is out of range
// node 0: 2 20
// node 1: 0 0
// node 2: 8 80
