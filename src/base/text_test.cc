#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "windrow/nearest_name.h"
#include "windrow/printable.h"
#include "windrow/status.h"

namespace windrow {
namespace {

using namespace std::string_view_literals;

TEST(Printable, KeepsWhatATerminalShows) {
  for (const std::string_view text :
       {""sv, "plain 'name'/0:1 ~"sv, R"(back\slash \n)"sv, "größe 表 😀 e\u0301"sv, "\u00a0"sv})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, LineBreaksAndZeros) {
  EXPECT_EQ(printable("a\nb\r\nc\td\0e"sv), "a\\nb\\r\\nc\\td\\0e");
  EXPECT_EQ(printable("a\u2028b\u2029c\u0085d"), "a\\u2028b\\u2029c\\u0085d");
}

TEST(Printable, EscapeSequences) {
  EXPECT_EQ(printable("\033[31mred\007\177"), "\\x1b[31mred\\x07\\x7f");
  EXPECT_EQ(printable("\u009b31m"), "\\u009b31m");  // as strong as ESC [
}

TEST(Printable, TurnsOfDirection) {
  EXPECT_EQ(printable("\u202etxt.\u2066x\u2069\u200f\u061c"),
            "\\u202etxt.\\u2066x\\u2069\\u200f\\u061c");
}

TEST(Printable, CharactersThatNobodySees) {
  EXPECT_EQ(printable("i\u200bds\u00ad \u200d\u2060\ufeff"),
            "i\\u200bds\\u00ad \\u200d\\u2060\\ufeff");
  EXPECT_EQ(printable("a\U000e0041"), "a\\U000e0041");
  EXPECT_EQ(printable("a\u3164\uffa0\u115f\u1160\u034f"), "a\\u3164\\uffa0\\u115f\\u1160\\u034f");
  EXPECT_EQ(printable("\u0600\u3000\ufe0f"), "\u0600\u3000\ufe0f");  // these are seen, or vary it
}

TEST(Printable, BytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff\x80z"), "\\xff\\x80z");
  EXPECT_EQ(printable("\xc3"), "\\xc3");                    // cut
  EXPECT_EQ(printable("\xe8\xa1"), "\\xe8\\xa1");           // cut
  EXPECT_EQ(printable("\xc0\xaf"), "\\xc0\\xaf");           // longer than needed
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");
}

TEST(Printable, DoesNotChangeItsOwnResult) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string once = printable(all);
  EXPECT_EQ(printable(once), once);
}

TEST(Printable, EveryErrorIsOneLine) {
  const Status status(ErrorCode::kFormat, "there is no '\033[2J\n\xff'");
  EXPECT_EQ(status.message(), "there is no '\\x1b[2J\\n\\xff'");
  EXPECT_EQ(status.with_context("file\n").message(), "file\\n: there is no '\\x1b[2J\\n\\xff'");
  const Status named(ErrorInfo{ErrorCode::kType, "m", "onnx.A\n-1", "C\n1", nullptr});
  EXPECT_EQ(named.operator_name(), "onnx.A\\n-1");
  EXPECT_EQ(named.constraint(), "C\\n1");
}

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
