#include "tests/support/kernel_sets.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>

namespace windrow::tests {
namespace {

class KernelSetsNamed : public ::testing::Test {
 protected:
  static void name(const char* sets) { ASSERT_EQ(setenv("WINDROW_TEST_KERNELS", sets, 1), 0); }
  void TearDown() override { unsetenv("WINDROW_TEST_KERNELS"); }
};

TEST_F(KernelSetsNamed, AreTheOnlyOnes) {
  const std::vector<std::string> every = supported_kernel_sets();
  name(("another," + every.back()).c_str());
  EXPECT_EQ(supported_kernel_sets(), std::vector<std::string>{every.back()});
  EXPECT_NE(describe_kernel_sets().find("kernel sets: " + every.back() + "; skipped"),
            std::string::npos);
  name((every.back() + ",plain").c_str());
  EXPECT_EQ(supported_kernel_sets().front(), "plain");
}

TEST_F(KernelSetsNamed, AreSomeThatTheMachineHas) {
  for (const char* none : {"", ",", "plai", "plainer"}) {
    name(none);
    EXPECT_THROW(supported_kernel_sets(), std::invalid_argument) << none;
  }
}

}  // namespace
}  // namespace windrow::tests
