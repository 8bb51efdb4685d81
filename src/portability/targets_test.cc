#include "src/portability/targets.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace windrow {
namespace {

bool applies(const std::string& since, const std::string& until, const std::string& targets) {
  RuleEffect effect;
  effect.runtime = "tensorrt";
  effect.device = "gpu";
  effect.since = since;
  effect.until = until;
  return internal::is_effect_on(effect, parse_targets(targets).value());
}

TEST(Targets, AreRuntimeDeviceAndVersion) {
  const std::vector<RuntimeTarget> targets =
      parse_targets("onnxruntime:cpu@1.31,tensorrt@10.3,openvino").value();
  ASSERT_EQ(targets.size(), 3U);
  EXPECT_EQ(targets[0].runtime, "onnxruntime");
  EXPECT_EQ(targets[0].device, "cpu");
  EXPECT_EQ(targets[0].version, "1.31");
  EXPECT_EQ(targets[1].device, "");
  EXPECT_EQ(targets[1].version, "10.3");
  EXPECT_EQ(targets[2].version, "");
}

TEST(Targets, MeetTheVersionsOfAnEffect) {
  EXPECT_TRUE(applies("10.0", "10.8", "tensorrt"));
  EXPECT_TRUE(applies("10.0", "10.8", "tensorrt@10.0"));
  EXPECT_TRUE(applies("10.0", "10.8", "tensorrt@10.8.0.43"));
  EXPECT_TRUE(applies("10.0", "10.8", "tensorrt@10"));
  EXPECT_FALSE(applies("10.0", "10.8", "tensorrt@10.9"));
  EXPECT_FALSE(applies("10.0", "10.8", "tensorrt@10.10"));
  EXPECT_FALSE(applies("10.0", "10.8", "tensorrt@8.6"));
  EXPECT_TRUE(applies("", "8.6", "tensorrt:gpu@8.6.1"));
  EXPECT_FALSE(applies("", "8.6", "tensorrt@9"));
  EXPECT_FALSE(applies("", "", "openvino:cpu,onnxruntime"));
}

TEST(Targets, ThatNoRuleKnowsAreErrors) {
  for (const char* const text :
       {"", ",", "onnxruntim", "tensorrt:cpu", "tensorrt@", "tensorrt@ten", "tensorrt@1.",
        "openvino:", "tensorrt@1.-2", "tensorrt@99999999999", "tensorrt,", ":cpu", "@1"}) {
    const auto parsed = parse_targets(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code(), ErrorCode::kInvalidArgument) << text;
  }
  EXPECT_NE(parse_targets("tvm").error().message().find("tensorrt:gpu"), std::string::npos);
}

}  // namespace
}  // namespace windrow
