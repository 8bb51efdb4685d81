#ifndef WINDROW_TOOLS_WINDROW_CONSOLE_H_
#define WINDROW_TOOLS_WINDROW_CONSOLE_H_

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "windrow/status.h"

namespace windrow::tool {

// Objects keep the order in which their members were added.
using Json = nlohmann::ordered_json;

enum ExitCode : int { kFine = 0, kCaseFailed = 1, kBadInput = 2 };

enum class Paint { kHeading, kGood, kBad, kCaution };

// A bad input that the tool itself finds; main prints it.
[[noreturn]] void fail(ErrorCode code, std::string message);

// What a command prints: results on standard output, warnings and errors on standard error. In JSON
// mode standard output takes one document and nothing else.
class Console {
 public:
  explicit Console(bool json);

  bool json() const noexcept { return json_; }
  // Text for people; dropped in JSON mode. A reader that closes the pipe ends the output, not the
  // command.
  void print(std::string_view text);
  // The document of JSON mode.
  void print_json(const Json& document);
  void warn(std::string_view text);
  // The line on standard error and, in JSON mode, {"error": ...} on standard output.
  void error(const Status& status);
  // `text` with the colours of a terminal where standard output is one.
  std::string paint(Paint paint, std::string_view text) const;
  // Flushes. `code`, or kBadInput if standard output could not take the result.
  int finish(int code);

 private:
  void write(std::string_view text);

  bool json_;
  bool colour_output_;
  bool colour_errors_;
  int write_error_ = 0;  // errno of the first failed write
};

// Whether `stream` (1 or 2) is a terminal that may be coloured; NO_COLOR and TERM=dumb refuse.
bool may_colour(int stream);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_CONSOLE_H_
