#ifndef WINDROW_TESTS_DISTRIBUTED_DISK_SHARDS_FIXTURE_H_
#define WINDROW_TESTS_DISTRIBUTED_DISK_SHARDS_FIXTURE_H_

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/tables/table_fixture.h"
#include "windrow/distributed.h"
#include "windrow/table.h"

namespace windrow::internal {

// Tests of shards in files of a folder.
class DiskShards : public FolderTest {
 protected:
  // The rows in two files, the first of which is `name`.
  std::vector<TablePart> write_shard(const std::string& name, const Tensor& rows) const {
    const std::int64_t count = rows.shape()[0];
    const std::int64_t half = count / 2;
    const auto bytes = static_cast<std::size_t>(rows.byte_count());
    const std::size_t cut =
        count == 0 ? 0 : bytes / static_cast<std::size_t>(count) * static_cast<std::size_t>(half);
    const std::string_view all(static_cast<const char*>(rows.data()), bytes);
    Shape first = rows.shape();
    Shape second = rows.shape();
    first[0] = half;
    second[0] = count - half;
    return {{write(name, all.substr(0, cut)), "", rows.dtype(), first},
            {write(name + ".2", all.substr(cut)), "", rows.dtype(), second}};
  }

  static TableOptions writable() {
    TableOptions options;
    options.writable = true;
    options.durability = TableDurability::kProcess;
    return options;
  }
};

}  // namespace windrow::internal

#endif  // WINDROW_TESTS_DISTRIBUTED_DISK_SHARDS_FIXTURE_H_
