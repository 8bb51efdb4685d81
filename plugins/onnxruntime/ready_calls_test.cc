#include "plugins/onnxruntime/ready_calls.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include "windrow/operators.h"

namespace windrow::plugins {
namespace {

// A gather of `extent` elements.
std::unique_ptr<ReadyCall> call_of(std::int64_t extent) {
  const Shape shape{extent};
  std::vector<TensorView> views = {{DType::kFloat32, shape, nullptr},
                                   {DType::kInt64, shape, nullptr}};
  auto plan = compile({"onnx", "Gather", 13}, {}, std::vector{views[0].spec(), views[1].spec()});
  const MutableTensorView output(DType::kFloat32, shape, nullptr);
  return std::make_unique<ReadyCall>(ReadyCall{plan.value(), std::move(views), output});
}

std::unique_ptr<ReadyCall> take(ReadyCalls& calls, std::int64_t extent) {
  return calls.take([&](const ReadyCall& call) { return call.inputs[0].shape[0] == extent; });
}

TEST(ReadyCalls, GivesWhatWasPutOnce) {
  ReadyCalls calls;
  EXPECT_EQ(take(calls, 3), nullptr);
  auto call = call_of(3);
  const ReadyCall* put = call.get();
  calls.put(std::move(call));
  auto taken = take(calls, 3);
  EXPECT_EQ(taken.get(), put);
  EXPECT_EQ(take(calls, 3), nullptr);
}

TEST(ReadyCalls, ThreadsWithTheSameShapesHaveACallEach) {
  ReadyCalls calls;
  calls.put(call_of(3));
  calls.put(call_of(3));
  auto first = take(calls, 3);
  auto second = take(calls, 3);
  ASSERT_TRUE(first != nullptr && second != nullptr);
  EXPECT_NE(first, second);
  calls.put(std::move(second));
  EXPECT_NE(take(calls, 3), nullptr);
}

TEST(ReadyCalls, KeepsThoseUsedLast) {
  ReadyCalls calls;
  for (std::int64_t extent = 1; extent <= 20; ++extent) {
    calls.put(call_of(extent));
    auto first = take(calls, 1);
    ASSERT_NE(first, nullptr) << "after " << extent;
    calls.put(std::move(first));
  }
  EXPECT_EQ(take(calls, 2), nullptr);
  EXPECT_NE(take(calls, 20), nullptr);
}

TEST(ReadyCalls, ACallIsWithOneThreadAtATime) {
  ReadyCalls calls;
  const auto work = [&](std::int64_t thread) {
    for (int round = 0; round < 2000; ++round) {
      const std::int64_t extent = 1 + (thread + round) % 20;
      auto call = take(calls, extent);
      if (call == nullptr) call = call_of(extent);
      ASSERT_EQ(call->inputs[0].data, nullptr) << "another thread has it, too";
      ASSERT_EQ(call->output.shape[0], extent);
      call->inputs[0].data = &call;
      call->inputs[0].data = nullptr;
      calls.put(std::move(call));
    }
  };
  std::vector<std::thread> threads;
  for (std::int64_t thread = 0; thread < 4; ++thread) threads.emplace_back(work, thread);
  for (std::thread& thread : threads) thread.join();
}

}  // namespace
}  // namespace windrow::plugins
