#include "windrow/check.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "src/models/infer_fixture.h"
#include "windrow/models.h"

namespace windrow {
namespace {

using infer_fixture::node;
using infer_fixture::value;

// table float32[4, 3] -> Gather of constant indices.
Model lookup(const std::vector<std::int64_t>& indices) {
  Model model;
  model.opset_imports[""] = 13;
  model.inputs = {value("table", DType::kFloat32, {{4, ""}, {3, ""}})};
  model.constants["i"] =
      Tensor::from<std::int64_t>({static_cast<std::int64_t>(indices.size())}, indices);
  model.nodes = {node("Gather", {"table", "i"}, "y")};
  model.outputs = {infer_fixture::untyped("y")};
  return model;
}

TEST(Check, NamesTheFirstBadIndex) {
  const CheckReport report = check(lookup({0, -4, 7, 9})).value();
  ASSERT_EQ(report.findings.size(), 1U);
  const PortabilityFinding& finding = report.findings[0];
  EXPECT_EQ(finding.rule, "gather-index-range");
  EXPECT_EQ(finding.verdict, Verdict::kHappens);
  EXPECT_EQ(finding.severity, Severity::kFails);
  EXPECT_EQ(finding.position, (std::vector<std::int64_t>{2}));
  EXPECT_EQ(finding.value, "7");
  EXPECT_EQ(finding.input, "indices");
  EXPECT_NE(finding.message.find("indices[2] is 7, but axis 0 of data takes -4 to 3"),
            std::string::npos)
      << finding.message;
  EXPECT_EQ(report.nodes, 1U);
}

TEST(Check, SaysCannotOnlyIfAsked) {
  EXPECT_TRUE(check(lookup({0, 3})).value().findings.empty());
  CheckOptions options;
  options.show_cannot = true;
  options.select = {"gather-index-range"};
  const CheckReport report = check(lookup({0, 3}), options).value();
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].verdict, Verdict::kCannot);
}

}  // namespace
}  // namespace windrow
