#include "windrow/nearest_name.h"

#include <gtest/gtest.h>

#include <vector>

namespace windrow {
namespace {

std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  NearestName found(name);
  for (const std::string& each : known) found.consider(each);
  return found.name();
}

TEST(NearestName, TheFewestChangesWinAndLetterCaseIsNone) {
  EXPECT_EQ(nearest("gahternd", {"Gather", "GatherND", "ScatterND"}), "GatherND");
  EXPECT_EQ(nearest("Gathr", {"GatherND", "Gather"}), "Gather");
  EXPECT_EQ(nearest("ScaterND", {"GatherND", "ScatterND"}), "ScatterND");
  EXPECT_EQ(nearest("ab", {"aa", "bb"}), "aa");
}

TEST(NearestName, WhatIsFarAwayIsNotMeant) {
  EXPECT_EQ(nearest("fly", {"run", "call"}), "");
  EXPECT_EQ(nearest("", {"a", ""}), "");
  EXPECT_EQ(nearest("x", {""}), "");
  EXPECT_EQ(nearest("ab", {"cd", "abcd"}), "");
}

TEST(NearestName, HintsEndASentence) {
  EXPECT_EQ(nearest_hint("axes", std::vector<std::string>{"axis", "mode"}), "; did you mean axis?");
  EXPECT_EQ(nearest_hint("zzzz", std::vector<std::string>{"axis"}), "");
}

TEST(NearestName, WorkIsBounded) {
  const std::string longer(257, 'a');
  EXPECT_EQ(nearest(longer, {longer}), "");
  EXPECT_EQ(nearest(std::string(256, 'a'), {longer}), "");
  // Each comparison takes 66,049 of 2^26 steps: the thousandth is made, the ten-thousandth not.
  const auto after = [](int others) {
    NearestName found(std::string(256, 'a'));
    for (int i = 0; i < others; ++i) found.consider(std::string(256, 'b'));
    found.consider(std::string(256, 'a'));
    return found.name();
  };
  EXPECT_EQ(after(900), std::string(256, 'a'));
  EXPECT_EQ(after(10000), "");
}

}  // namespace
}  // namespace windrow
