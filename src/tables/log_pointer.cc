#include "src/tables/log_pointer.h"

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include "src/tables/redo_log.h"
#include "src/tables/write_file.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kPointerStart = "windrow-log pointer 1\n";
constexpr std::int64_t kMostPointerBytes = std::int64_t{1} << 24;

// Behind the start, one line of the identity, and then the path, relative to the pointer's folder.
struct LogPointer {
  std::filesystem::path log;
  std::string identity;
};

std::string text_of(const LogPointer& pointer, const std::filesystem::path& folder) {
  return std::string(kPointerStart) + pointer.identity + "\n" +
         pointer.log.lexically_relative(folder).string();
}

// Absent if the file is no pointer.
Result<std::optional<LogPointer>> read_pointer(SystemFile& file) {
  const auto size = file.size();
  if (!size) return size.error();
  if (*size > kMostPointerBytes) return std::optional<LogPointer>();
  std::string text(static_cast<std::size_t>(*size), '\0');
  if (Status status = file.read(0, std::as_writable_bytes(std::span(text))); !status) return status;
  const std::size_t line = text.find('\n', kPointerStart.size());
  if (!text.starts_with(kPointerStart) || line == std::string::npos)
    return std::optional<LogPointer>();
  const std::filesystem::path log = file.path().parent_path() / text.substr(line + 1);
  return std::optional(LogPointer{log.lexically_normal(),
                                  text.substr(kPointerStart.size(), line - kPointerStart.size())});
}

// Nothing if there is no such file, or one without bytes.
Result<std::unique_ptr<SystemFile>> open_if_there(const std::filesystem::path& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size == 0) return std::unique_ptr<SystemFile>();
  return SystemFile::open_for_reading(path);
}

Status foreign_call(const std::filesystem::path& file, const std::filesystem::path& log) {
  return Status(ErrorCode::kUnsupported,
                "a call that wrote to '" + file.string() +
                    "' as a file of another table was ended in between and stands in '" +
                    log.string() + "': open that table first, which completes it");
}

Status check_file(const std::filesystem::path& file, const std::filesystem::path& own_log) {
  const std::filesystem::path place = log_path(file);
  const auto there = open_if_there(place);
  if (!there) return there.error();
  if (*there == nullptr) return {};
  const auto pointer = read_pointer(**there);
  if (!pointer) return pointer.error();
  if (!*pointer) {
    if (place == own_log) return {};
    const auto holds = RedoLog::holds_call(**there);
    if (!holds) return holds.error();
    return *holds ? foreign_call(file, place) : Status();
  }
  const LogPointer& other = **pointer;
  if (other.log == own_log) return {};
  const auto log = open_if_there(other.log);
  if (!log) return log.error();
  if (*log == nullptr) return {};
  const auto holds = RedoLog::holds_call(**log, &other.identity);
  if (!holds) return holds.error();
  return *holds ? foreign_call(file, other.log) : Status();
}

}  // namespace

std::filesystem::path log_path(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::path path = std::filesystem::canonical(file, error);
  if (error) path = file;
  path += ".windrow-log";
  return path;
}

Status check_calls_of_others(std::span<const std::filesystem::path> files) {
  if (files.empty()) return {};
  const std::filesystem::path own_log = log_path(files.front());
  for (const std::filesystem::path& file : files)
    if (Status status = check_file(file, own_log); !status) return status;
  return {};
}

Status make_log_pointer(const std::filesystem::path& file, const std::filesystem::path& first,
                        const std::string& identity, unsigned mode, bool syncs) {
  const std::filesystem::path place = log_path(file);
  const std::string text = text_of({log_path(first), identity}, place.parent_path());
  const auto pointer = SystemFile::open_or_make(place, mode);
  if (!pointer) return pointer.error();
  if (Status status = (*pointer)->write(0, std::as_bytes(std::span(text))); !status) return status;
  if (Status status = (*pointer)->resize(static_cast<std::int64_t>(text.size())); !status)
    return status;
  return syncs ? (*pointer)->sync() : Status();
}

void remove_log_pointer(const std::filesystem::path& file) { ::unlink(log_path(file).c_str()); }

}  // namespace windrow::internal
