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
  EXPECT_TRUE(applies("10.0", "", "tensorrt"));
  EXPECT_FALSE(applies("10.0", "10.8", "tensorrt")) << "without a version it is the newest";
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

TEST(Targets, ThatAreNoNamesAreErrors) {
  for (const char* const text :
       {"", ",", "tensorrt@", "tensorrt@ten", "tensorrt@1.", "openvino:", "tensorrt@1.-2",
        "tensorrt@99999999999", "tensorrt,", ":cpu", "@1", "tvm@"}) {
    const auto parsed = parse_targets(text);
    ASSERT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.error().code(), ErrorCode::kInvalidArgument) << text;
  }
}

TEST(Targets, ThatNoRuleKnowsAreTaken) {
  for (const char* const text : {"mxnet", "migraphx@7.2", "onnxruntime:npu", "tensorrt:cpu"}) {
    const auto parsed = parse_targets(text);
    ASSERT_TRUE(parsed.ok()) << text;
    EXPECT_FALSE(internal::is_known(parsed->front())) << text;
  }
  const std::string note = internal::unknown_text(parse_targets("openvin").value().front());
  EXPECT_NE(note.find("did you mean openvino?"), std::string::npos) << note;
}

TEST(Targets, MayBeDevicesOfOneRuntime) {
  for (const char* const device : {"coreml", "qnn", "webnn", "cuda", "directml"}) {
    const RuntimeTarget target = parse_targets(device).value().front();
    EXPECT_EQ(target.runtime, "onnxruntime") << device;
    EXPECT_EQ(target.device, device);
  }
  EXPECT_EQ(parse_targets("tensorrt").value().front().device, "") << "it is a runtime, too";
  EXPECT_EQ(parse_targets("cpu").value().front().runtime, "cpu") << "several runtimes have it";
}

TEST(Targets, WithoutADeviceLeaveOutWhatFewHave) {
  RuleEffect effect;
  effect.runtime = "onnxruntime";
  effect.device = "coreml";
  EXPECT_FALSE(internal::is_effect_on(effect, parse_targets("onnxruntime").value()));
  EXPECT_TRUE(internal::is_effect_on(effect, parse_targets("onnxruntime:coreml").value()));
  EXPECT_TRUE(internal::is_effect_on(effect, parse_targets("coreml").value()));
  EXPECT_FALSE(internal::is_told_unasked(effect));
}

}  // namespace
}  // namespace windrow
