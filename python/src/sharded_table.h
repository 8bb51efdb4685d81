#ifndef WINDROW_PYTHON_SHARDED_TABLE_H_
#define WINDROW_PYTHON_SHARDED_TABLE_H_

#include <nanobind/nanobind.h>

namespace windrow::python {

// Binds tables over ranks, for windrow.distributed: ShardMap, ShardedTable.
void bind_sharded_tables(nanobind::module_& module);

}  // namespace windrow::python

#endif  // WINDROW_PYTHON_SHARDED_TABLE_H_
