#include "plugins/onnxruntime/host.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <vector>

namespace windrow::plugins {
namespace {

using ParallelFor = OrtStatusPtr(const OrtKernelContext*, void (*)(void*, size_t), size_t, size_t,
                                 void*);

// The number of times that each of eight tasks ran with this pool.
std::vector<int> runs_with(ParallelFor* pool) {
  OrtApi ort{};
  ort.KernelContext_ParallelFor = reinterpret_cast<decltype(ort.KernelContext_ParallelFor)>(pool);
  ort.ReleaseStatus = [](OrtStatus*) {};
  HostThreads threads(ort, nullptr, 2);
  EXPECT_EQ(threads.count(), 2);
  std::vector<int> runs(8);
  threads.parallel(
      8, [](void* context, int index) { ++static_cast<int*>(context)[index]; }, runs.data());
  return runs;
}

const std::vector<int> kOnceEach(8, 1);

TEST(HostThreads, EveryTaskRunsOnce) {
  EXPECT_EQ(runs_with([](const OrtKernelContext*, void (*task)(void*, size_t), size_t count, size_t,
                         void* user) -> OrtStatusPtr {
              for (size_t i = count; i-- > 0;) task(user, i);
              return nullptr;
            }),
            kOnceEach);
}

TEST(HostThreads, APoolThatFailsLeavesNothingUndone) {
  EXPECT_EQ(runs_with([](const OrtKernelContext*, void (*task)(void*, size_t), size_t, size_t,
                         void* user) -> OrtStatusPtr {
              for (size_t i = 0; i < 3; ++i) task(user, i);
              static char status;
              return reinterpret_cast<OrtStatusPtr>(&status);
            }),
            kOnceEach);
}

}  // namespace
}  // namespace windrow::plugins
