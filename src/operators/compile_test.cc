#include "src/operators/compile.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "windrow/windrow.h"

namespace windrow::internal {
namespace {

// Sets the environment variable as long as the object lives.
class KernelsInEnvironment {
 public:
  explicit KernelsInEnvironment(const char* value) { setenv("WINDROW_KERNELS", value, 1); }
  KernelsInEnvironment(const KernelsInEnvironment&) = delete;
  KernelsInEnvironment& operator=(const KernelsInEnvironment&) = delete;
  ~KernelsInEnvironment() { unsetenv("WINDROW_KERNELS"); }
};

Result<Plan> compile_gather(const CallOptions& options) {
  const TensorSpec data{DType::kFloat32, {500, 300}, {}, {}};
  const TensorSpec indices{DType::kInt64, {1000}, {}, {}};
  return compile(onnx::Gather{}, {data, indices}, options);
}

TEST(ChosenTuning, TheEnvironmentSpeaksForCallsThatSayNothing) {
  const KernelsInEnvironment environment("plain,prefetch=7");
  const Plan plan = compile_gather({}).value();
  EXPECT_EQ(plan.kernel_set(), "plain");
  EXPECT_NE(plan.describe().find("prefetch: 7 rows ahead"), std::string::npos) << plan.describe();
}

TEST(ChosenTuning, ACallsOwnKernelsOutrankTheEnvironment) {
  const std::string best(compile_gather({}).value().kernel_set());
  const KernelsInEnvironment environment("plain,prefetch=7");
  const Plan plan = compile_gather({.kernels = ",prefetch=9"}).value();
  EXPECT_EQ(plan.kernel_set(), best);
  EXPECT_NE(plan.describe().find("prefetch: 9 rows ahead"), std::string::npos) << plan.describe();
}

TEST(ChosenTuning, WrongLeversAreNamed) {
  const struct {
    const char* environment;
    const char* kernels;
    const char* named;
  } cases[] = {{"", "plain,prefetch=many", "prefetch=many"},
               {"plain,sream=on", "", "sream=on"},
               {"abacus", "", "abacus"}};
  for (const auto& [environment, kernels, named] : cases) {
    const KernelsInEnvironment set(environment);
    const Result<Plan> plan = compile_gather({.kernels = kernels});
    ASSERT_FALSE(plan.ok()) << named;
    EXPECT_EQ(plan.error().constraint(), "CALL-O2");
    EXPECT_NE(plan.error().message().find(named), std::string::npos) << plan.error().message();
  }
}

}  // namespace
}  // namespace windrow::internal
