#ifndef WINDROW_TABLES_LOG_POINTER_H_
#define WINDROW_TABLES_LOG_POINTER_H_

#include <filesystem>
#include <span>
#include <string>

#include "windrow/status.h"

// The log of a table stands beside its first file. Beside each further one a pointer, a file of the
// same kind of name, leads to it, so that whoever opens that file in another table learns of a call
// that was ended in between.
namespace windrow::internal {

// Where the log, or the pointer, of a file stands: by whichever link the file is opened.
std::filesystem::path log_path(const std::filesystem::path& file);

// Checks that no call of another table was ended in between that wrote to one of these files, which
// are locked, and of which the first one's log is the table's own. Errors: kUnsupported, kIo.
Status check_calls_of_others(std::span<const std::filesystem::path> files);

// Makes, or replaces, the pointer of `file` to the log of `first`; `identity` is that of the log's
// calls, without line breaks. `syncs`: it survives a loss of power. Errors: kIo.
Status make_log_pointer(const std::filesystem::path& file, const std::filesystem::path& first,
                        const std::string& identity, unsigned mode, bool syncs);

// Removes the pointer of a file. A pointer that stays leads nowhere.
void remove_log_pointer(const std::filesystem::path& file);

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_LOG_POINTER_H_
