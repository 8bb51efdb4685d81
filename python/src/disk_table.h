#ifndef WINDROW_PYTHON_DISK_TABLE_H_
#define WINDROW_PYTHON_DISK_TABLE_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Binds tables on disk, for windrow.tables: DiskTable, DiskCache.
void bind_disk_tables(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_DISK_TABLE_H_
