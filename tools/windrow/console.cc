#include "tools/windrow/console.h"

#include <fmt/color.h>
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cwchar>  // wcwidth()
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "windrow/printable.h"

namespace windrow::tool {
namespace {

constexpr std::size_t kWrittenAtOnce = std::size_t{1} << 16;  // bytes that are written at once

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

// Nothing can be done where the stream takes no text.
void write_all(int stream, std::string_view text) noexcept {
  while (!text.empty()) {
    const ssize_t written = ::write(stream, text.data(), text.size());
    if (written < 0 && errno != EINTR) return;
    if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
  }
}

void write_error_line(const std::string& line) {
  std::fflush(stderr);
  write_all(STDERR_FILENO, line);
}

// The numbers of one position.
std::span<const std::int64_t> position_of(const BadIndices& listed, std::size_t at) {
  const auto rank = static_cast<std::size_t>(listed.rank);
  return std::span(listed.positions).subspan(at * rank, rank);
}

// "  indices[1, 2] is 9", a line for each, and how many there are.
std::string list_text(const IndexFault& fault) {
  const BadIndices& listed = fault.listed;
  std::string lines;
  for (std::size_t i = 0; i < listed.values.size(); ++i) {
    const std::int64_t value = listed.values[i];
    const std::string position = fmt::format("[{}]", fmt::join(position_of(listed, i), ", "));
    lines += fmt::format("  {}{} is {}\n", listed.input, listed.rank == 0 ? "" : position,
                         listed.is_uint64 ? std::to_string(static_cast<std::uint64_t>(value))
                                          : std::to_string(value));
  }
  if (fault.count > listed.count())
    lines += fmt::format("  {} of {} are listed; --all-bad={} lists all\n", listed.count(),
                         fault.count, fault.count);
  return lines;
}

}  // namespace

void write_standard_output(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, bytes.data(), bytes.size());
    if (written < 0 && errno == EPIPE) return;
    if (written < 0 && errno != EINTR)
      fail(ErrorCode::kIo,
           fmt::format("standard output can't be written: {}", std::strerror(errno)));
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool may_colour(int stream) {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(stream) == 1 && (refused == nullptr || *refused == '\0') &&
         (terminal == nullptr || std::strcmp(terminal, "dumb") != 0);
}

Console::Console(bool json)
    : json_(json),
      colour_output_(may_colour(STDOUT_FILENO)),
      colour_errors_(may_colour(STDERR_FILENO)),
      results_(stdout) {}

void Console::report_on_errors() noexcept {
  results_ = stderr;
  colour_output_ = colour_errors_;
}

TextWidths Console::widths() const {
  winsize size = {};
  const bool is_known =
      isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  if (!is_known) return {};
  return {std::clamp<std::size_t>(size.ws_col, 40, 120), size.ws_col};
}

void Console::flush() {
  const bool written = write_error_ != 0 || std::fwrite(unwritten_.data(), 1, unwritten_.size(),
                                                        results_) == unwritten_.size();
  if (!written) write_error_ = errno;
  unwritten_.clear();
}

void Console::print_line(std::initializer_list<Text> parts) {
  if (json_) return;
  std::string line;
  for (const Text& part : parts) {
    const std::string text = printable(part.text());
    line += part.paint() ? styled(colour_output_, *part.paint(), text) : text;
  }
  unwritten_ += line;
  unwritten_ += '\n';
  if (!held_ && unwritten_.size() >= kWrittenAtOnce) flush();
}

void Console::print_json(const Json& document) {
  unwritten_ += json_text(document, JsonForm::kIndented) + "\n";
}

void Console::print_verbatim(std::string_view text) {
  unwritten_ += text;
  if (!held_ && unwritten_.size() >= kWrittenAtOnce) flush();
}

void Console::warn(std::string_view text) {
  write_error_line(
      fmt::format("{} {}\n", styled(colour_errors_, Paint::kCaution, "warning:"), printable(text)));
}

void Console::error(const Status& status) {
  std::string line = fmt::format("windrow: {} {}\n", styled(colour_errors_, Paint::kBad, "error:"),
                                 status.message());
  if (const IndexFault* fault = status.index_fault(); fault && fault->listed.count() > 0)
    line += list_text(*fault);
  unwritten_.clear();
  if (json_) print_json(error_document(status));
  write_error_line(line);
}

int Console::finish(int code) {
  flush();
  if (std::fflush(results_) != 0 && write_error_ == 0) write_error_ = errno;
  if (write_error_ == 0 || write_error_ == EPIPE) return code;
  write_error_line(fmt::format("windrow: {} standard output can't be written: {}\n",
                               styled(colour_errors_, Paint::kBad, "error:"),
                               std::strerror(write_error_)));
  return kBadInput;
}

int Console::out_of_memory(bool json) noexcept {
  constexpr std::string_view kDocument =
      "{\n  \"error\": {\n    \"code\": \"out of memory\",\n"
      "    \"message\": \"not enough memory\"\n  }\n}\n";
  constexpr std::string_view kLine = "windrow: error: not enough memory\n";
  std::fflush(stdout);
  if (json) write_all(STDOUT_FILENO, kDocument);
  write_all(STDERR_FILENO, kLine);
  return kBadInput;
}

namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kPartBytes = std::size_t{1} << 18;  // of text in a part, about

// Makes the functions of wide characters read UTF-8 in this thread, whatever the user's language
// is.
class Utf8Locale {
 public:
  Utf8Locale() : before_(uselocale(utf8())) {}
  Utf8Locale(const Utf8Locale&) = delete;
  Utf8Locale& operator=(const Utf8Locale&) = delete;
  ~Utf8Locale() { uselocale(before_); }

 private:
  // Null, which changes nothing, if the system has no such locale.
  static locale_t utf8() {
    static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return locale;
  }
  locale_t before_;
};

}  // namespace

std::size_t width_of(std::string_view text) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::all_of(text.begin(), text.end(), is_ascii)) return text.size();
  const Utf8Locale locale;
  std::size_t width = 0;
  std::mbstate_t state{};
  while (!text.empty()) {
    wchar_t character = 0;
    const std::size_t size = std::mbrtowc(&character, text.data(), text.size(), &state);
    if (size == 0 || size > text.size()) return width + text.size();  // not UTF-8
    width += static_cast<std::size_t>(std::max(wcwidth(character), 0));
    text.remove_prefix(size);
  }
  return width;
}

void Table::add(std::initializer_list<std::string_view> cells) {
  if (parts_.empty() || parts_.back().text.size() >= kPartBytes) parts_.emplace_back();
  Part& part = parts_.back();
  widths_.resize(std::max(widths_.size(), cells.size()));
  auto width = widths_.begin();
  for (const std::string_view text : cells) {
    const std::string cell = printable(text);
    *width = std::max(*width, width_of(cell));
    ++width;
    part.text += cell;
    part.cell_ends.push_back(part.text.size());
  }
  part.line_ends.push_back(part.cell_ends.size());
}

void Table::for_each_line(const std::function<void(const std::string&)>& visit) const {
  std::string line;
  for (const Part& part : parts_) {
    std::size_t begin = 0;  // of the cell in the part's text
    std::size_t cell = 0;
    for (const std::size_t line_end : part.line_ends) {
      line.clear();
      for (std::size_t column = 0; cell < line_end; ++cell, ++column) {
        const std::string_view text(part.text.data() + begin, part.cell_ends[cell] - begin);
        line += text;
        line.append(widths_[column] - width_of(text) + kGap, ' ');
        begin = part.cell_ends[cell];
      }
      line.erase(line.find_last_not_of(' ') + 1);
      visit(line);
    }
  }
}

std::vector<std::string> Table::lines() const {
  std::vector<std::string> result;
  for_each_line([&result](const std::string& line) { result.push_back(line); });
  return result;
}

void print_table(Console& console, const Table& table) {
  bool is_heading = true;
  table.for_each_line([&](const std::string& line) {
    if (is_heading) {
      console.print_line({Paint::kHeading, line});
    } else {
      console.print_line(line);
    }
    is_heading = false;
  });
}

namespace {

constexpr std::size_t kWidth = 30;

}  // namespace

Progress::Progress(std::size_t total) : total_(total), is_terminal_(isatty(STDERR_FILENO) == 1) {}

void Progress::show(std::size_t done) {
  if (!is_terminal_ || std::chrono::steady_clock::now() - start_ < std::chrono::seconds(1)) return;
  const std::size_t filled = total_ == 0 ? kWidth : kWidth * done / total_;
  const std::string bar = std::string(filled, '#') + std::string(kWidth - filled, '.');
  std::fputs(fmt::format("\r[{}] {} of {}", bar, done, total_).c_str(), stderr);
  visible_ = true;
}

void Progress::hide() {
  if (visible_) std::fputs("\r\033[K", stderr);
  visible_ = false;
}

}  // namespace windrow::tool
