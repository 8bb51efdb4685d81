#ifndef WINDROW_TOOLS_WINDROW_CONSOLE_H_
#define WINDROW_TOOLS_WINDROW_CONSOLE_H_

#include <concepts>
#include <cstddef>
#include <cstdio>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "windrow/status.h"

namespace windrow::tool {

// Objects keep the order in which their members were added.
using Json = nlohmann::ordered_json;

enum ExitCode : int { kFine = 0, kCaseFailed = 1, kBadInput = 2 };

enum class Paint { kHeading, kGood, kBad, kCaution };

// Characters of a line of running text, and of a table: those of text that is not for a terminal.
struct TextWidths {
  std::size_t prose = 100;
  std::size_t table = 200;
};

// A bad input that the tool itself finds; main prints it.
[[noreturn]] void fail(ErrorCode code, std::string message);

// A part of a line, perhaps painted. It refers to the text that it is made of.
class Text {
 public:
  template <class T>
  requires std::convertible_to<const T&, std::string_view> Text(const T& text)
      : text_(text) {}  // NOLINT: implicit by design
  Text(Paint paint, std::string_view text) : text_(text), paint_(paint) {}

  std::string_view text() const noexcept { return text_; }
  std::optional<Paint> paint() const noexcept { return paint_; }

 private:
  std::string_view text_;
  std::optional<Paint> paint_;
};

// What a command prints: results on standard output, warnings and errors on standard error. In JSON
// mode standard output takes one document and nothing else. Texts may quote names from files: they
// are made printable() here, so that the terminal sees no escape sequence but the console's own.
class Console {
 public:
  explicit Console(bool json);

  bool json() const noexcept { return json_; }
  // A line for people; dropped in JSON mode. A reader that closes the pipe ends the output, not the
  // command.
  void print_line(std::initializer_list<Text> parts);
  void print_line(const Text& text) { print_line({text}); }
  // The document of JSON mode.
  void print_json(const Json& document);
  // A document, or one part of it after another, written as they come, unless held. Who calls this
  // has made sure that no terminal obeys it: json_text() and JSON's own signs, other formats whose
  // texts are printable().
  void print_verbatim(std::string_view text);
  void warn(std::string_view text);
  // The line on standard error and, in JSON mode, {"error": ...} on standard output. What was
  // printed and is not written yet is dropped.
  void error(const Status& status);
  // From here on what is printed waits for finish(): an error takes its place. Without it, long
  // output is written as it comes.
  void hold() noexcept { held_ = true; }
  // From here on what is printed goes to standard error, because a file goes to standard output.
  void report_on_errors() noexcept;
  // As wide as the terminal that standard output is, if it is one.
  TextWidths widths() const;
  // Writes what was printed so far.
  void flush();
  // Flushes. `code`, or kBadInput if standard output could not take the result.
  int finish(int code);
  // The error "not enough memory", printed without taking any. What no console has written yet is
  // dropped. Returns kBadInput.
  static int out_of_memory(bool json) noexcept;

 private:
  bool json_;
  bool held_ = false;
  bool colour_output_;
  bool colour_errors_;
  std::string unwritten_;  // to `results_`
  std::FILE* results_;     // where results go
  int write_error_ = 0;    // errno of the first failed write
};

enum class JsonForm { kIndented, kLine };

// Writes the bytes of a file to standard output, at once. A reader that closes the pipe ends the
// output, not the command. Throws Error (kIo).
void write_standard_output(std::string_view bytes);

// Names in files may be any bytes: what is not UTF-8 is replaced, and what a terminal would obey is
// escaped as JSON does. A line has no blanks between values.
std::string json_text(const Json& value, JsonForm form);

// Whether `stream` (1 or 2) is a terminal that may be coloured; NO_COLOR and TERM=dumb refuse.
bool may_colour(int stream);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CONSOLE_H_
