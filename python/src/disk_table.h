#ifndef WINDROW_PYTHON_DISK_TABLE_H_
#define WINDROW_PYTHON_DISK_TABLE_H_

#include <nanobind/nanobind.h>

#include <string>
#include <vector>

#include "windrow/table.h"

namespace windrow::python {

// What a table is opened from, and how.
struct TableSource {
  std::vector<TablePart> parts;
  TableOptions options;
};

// parts: of (path, name, element type or "", extents, first byte); direct and cache may be None.
// Throws windrow::Error, and what casts of Python's values throw.
TableSource table_source_of(const nanobind::list& parts, const std::string& reads,
                            nanobind::handle direct, int depth, nanobind::handle cache,
                            bool writable, const std::string& durability);

// Binds tables on disk, for windrow.tables: DiskTable, DiskCache.
void bind_disk_tables(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_DISK_TABLE_H_
