#ifndef WINDROW_TOOLS_WINDROW_CONSOLE_H_
#define WINDROW_TOOLS_WINDROW_CONSOLE_H_

#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/windrow/documents.h"
#include "windrow/status.h"

namespace windrow::tool {

enum ExitCode : int { kFine = 0, kCaseFailed = 1, kBadInput = 2 };

enum class Paint { kHeading, kGood, kBad, kCaution };

// The widest lines of running text and of tables, in characters. The defaults hold where the output
// is not a terminal.
struct TextWidths {
  std::size_t prose = 100;
  std::size_t table = 200;
};

// A part of a line, perhaps painted. It does not own the text.
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
  // Prints a line of text; in JSON mode it is dropped. A reader that closes the pipe ends the
  // output, not the command.
  void print_line(std::initializer_list<Text> parts);
  void print_line(const Text& text) { print_line({text}); }
  // Prints the document of JSON mode.
  void print_json(const Json& document);
  // Prints a document, or a part of one, as it is. The caller sees to it that it holds nothing that
  // a terminal obeys: it comes from json_text(), or its texts are printable().
  void print_verbatim(std::string_view text);
  void warn(std::string_view text);
  // Writes the message to standard error and, in JSON mode, {"error": ...} to standard output. What
  // was printed but not written yet is dropped.
  void error(const Status& status);
  // Keeps what is printed from now on until finish(), so that an error can replace it. Otherwise
  // long output is written as it is printed.
  void hold() noexcept { held_ = true; }
  // Prints to standard error from now on, because a file goes to standard output.
  void report_on_errors() noexcept;
  // The widths of the terminal if standard output is one, else the defaults.
  TextWidths widths() const;
  // Writes what was printed so far.
  void flush();
  // Flushes. Returns `code`, or kBadInput if standard output could not take the result.
  int finish(int code);
  // Prints the error "not enough memory" without allocating. What no console has written yet is
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

// Writes the bytes of a file to standard output, at once. A reader that closes the pipe ends the
// output, not the command. Throws Error (kIo).
void write_standard_output(std::string_view bytes);

// Whether `stream` (1 or 2) is a terminal that may be coloured; NO_COLOR and TERM=dumb refuse.
bool may_colour(int stream);

// The columns that a line of UTF-8 takes in a terminal: 2 for wide characters such as those of
// Chinese, 0 for combining ones. A byte that is not UTF-8 counts as one column.
std::size_t width_of(std::string_view text);

// Lines of cells, printed in columns that are as wide as their widest cell. Cells are made
// printable().
class Table {
 public:
  void add(std::initializer_list<std::string_view> cells);
  // Calls `visit` with each line, without its newline and trailing blanks.
  void for_each_line(const std::function<void(const std::string&)>& visit) const;
  // The lines as strings.
  std::vector<std::string> lines() const;

 private:
  // Some lines, their cells one after another. Tables may have a line for each of a million nodes:
  // in parts none of them is ever moved for room.
  struct Part {
    std::string text;
    std::vector<std::size_t> cell_ends;  // in text
    std::vector<std::size_t> line_ends;  // in cell_ends
  };

  std::vector<Part> parts_;
  std::vector<std::size_t> widths_;  // in characters, of columns
};

// Prints a table whose first line is its heading.
void print_table(Console& console, const Table& table);

// A bar on standard error while many cases run: only on a terminal, and only once the work has
// taken a second.
class Progress {
 public:
  explicit Progress(std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress() { hide(); }

  void show(std::size_t done);
  // Removes the bar from the screen, so that a line can be printed.
  void hide();

 private:
  std::size_t total_;
  bool is_terminal_;
  bool visible_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CONSOLE_H_
