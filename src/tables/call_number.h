#ifndef WINDROW_TABLES_CALL_NUMBER_H_
#define WINDROW_TABLES_CALL_NUMBER_H_

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "src/tables/write_file.h"
#include "windrow/status.h"

// A small file beside the first file of a table: the number of the last call that wrote to the
// table as a shard (windrow/row_store.h). Calls write it by the table's log, together with rows.
namespace windrow::internal {

// "<file>.windrow-calls", by whichever link the file is opened.
std::filesystem::path call_number_path(const std::filesystem::path& file);

// What the file holds: a line that says what it is, and the number. All texts have one length.
std::string call_number_text(std::int64_t number);

// Opens the file of a table, or makes it with the number 0. A number that is there is not read: the
// log may have to complete it. Errors: kIo; kFormat (it is something else).
Result<std::unique_ptr<SystemFile>> open_call_number(const std::filesystem::path& path,
                                                     unsigned mode);

// The number in a file; 0 if its maker was ended before it was written. Errors as above.
Result<std::int64_t> read_call_number(SystemFile& file);

}  // namespace windrow::internal

#endif  // WINDROW_TABLES_CALL_NUMBER_H_
