#include "tools/windrow/console.h"

#include <fmt/color.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace windrow::tool {
namespace {

fmt::text_style style_of(Paint paint) {
  switch (paint) {
    case Paint::kHeading:
      return fmt::emphasis::bold;
    case Paint::kGood:
      return fmt::fg(fmt::terminal_color::green);
    case Paint::kBad:
      return fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red);
    case Paint::kCaution:
      return fmt::fg(fmt::terminal_color::yellow);
  }
  return {};
}

std::string styled(bool colour, Paint paint, std::string_view text) {
  return colour ? fmt::format(style_of(paint), "{}", text) : std::string(text);
}

void write_error_line(const std::string& line) {
  // Nothing can be done where even standard error takes no text.
  static_cast<void>(std::fwrite(line.data(), 1, line.size(), stderr));
}

// Names in files may be any bytes; what is not UTF-8 is replaced.
std::string dump(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace);
}

Json error_document(const Status& status) {
  Json error = {{"code", error_code_name(status.code())}, {"message", status.message()}};
  if (!status.operator_name().empty()) error["operator"] = status.operator_name();
  if (!status.constraint().empty()) error["constraint"] = status.constraint();
  if (const IndexFault* fault = status.index_fault()) {
    error["index"] = {{"input", fault->input},   {"position", fault->position},
                      {"value", fault->value},   {"axis", fault->axis},
                      {"extent", fault->extent}, {"count", fault->count}};
  }
  return {{"error", error}};
}

}  // namespace

void fail(ErrorCode code, std::string message) { throw Error(Status(code, std::move(message))); }

bool may_colour(int stream) {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(stream) == 1 && (refused == nullptr || *refused == '\0') &&
         (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

Console::Console(bool json)
    : json_(json),
      colour_output_(may_colour(STDOUT_FILENO)),
      colour_errors_(may_colour(STDERR_FILENO)) {}

void Console::write(std::string_view text) {
  if (write_error_ != 0) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) write_error_ = errno;
}

void Console::print(std::string_view text) {
  if (!json_) write(text);
}

void Console::print_json(const Json& document) { write(dump(document) + "\n"); }

void Console::warn(std::string_view text) {
  write_error_line(
      fmt::format("{} {}\n", styled(colour_errors_, Paint::kCaution, "warning:"), text));
}

void Console::error(const Status& status) {
  if (json_) print_json(error_document(status));
  write_error_line(fmt::format("windrow: {} {}\n", styled(colour_errors_, Paint::kBad, "error:"),
                               status.message()));
}

std::string Console::paint(Paint paint, std::string_view text) const {
  return styled(colour_output_, paint, text);
}

int Console::finish(int code) {
  if (std::fflush(stdout) != 0 && write_error_ == 0) write_error_ = errno;
  if (write_error_ == 0 || write_error_ == EPIPE) return code;
  write_error_line(fmt::format("windrow: {} standard output can't be written: {}\n",
                               styled(colour_errors_, Paint::kBad, "error:"),
                               std::strerror(write_error_)));
  return kBadInput;
}

}  // namespace windrow::tool
