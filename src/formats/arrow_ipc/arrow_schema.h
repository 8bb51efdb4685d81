#ifndef WINDROW_FORMATS_ARROW_IPC_ARROW_SCHEMA_H_
#define WINDROW_FORMATS_ARROW_IPC_ARROW_SCHEMA_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "src/formats/arrow_ipc/flat_table.h"
#include "windrow/dtype.h"
#include "windrow/shape.h"
#include "windrow/status.h"

namespace windrow::internal {

// Positions among the nodes, buffers and counts of views of a record batch.
struct BatchPosition {
  std::int64_t nodes = 0;
  std::int64_t buffers = 0;
  std::int64_t views = 0;
};

// A column of numbers of fixed size.
struct ArrowColumn {
  std::string name;
  DType dtype = DType::kAbsent;
  Shape row;                // the shape of one row
  std::int64_t levels = 1;  // of nodes: one more for each list around the numbers
  BatchPosition before;     // what the columns before it take
};

// Finds a column by its name in a Schema of Arrow's, or the only one if the name is empty. `bytes`
// are those of the table; `path` is for messages, which name it. Errors: kFormat, kUnsupported
// (types other than integers, floats, fixed-size lists of them and fixed-size binary; big-endian
// numbers), kShape (rank), kInvalidArgument (no such column, or several).
Result<ArrowColumn> find_arrow_column(FlatBytes& bytes, const FlatTable& schema,
                                      const std::filesystem::path& path, const std::string& name);

// "the footer is damaged"; kFormat.
Status damaged_arrow(std::string_view what);

}  // namespace windrow::internal

#endif  // WINDROW_FORMATS_ARROW_IPC_ARROW_SCHEMA_H_
