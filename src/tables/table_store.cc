#include <array>
#include <string>
#include <utility>

#include "src/tables/in_memory.h"
#include "src/tables/table_state.h"
#include "windrow/array.h"
#include "windrow/table.h"

namespace windrow {
namespace internal {

// A table, or some of its rows, as a shard.
class TableStore final : public RowStore {
 public:
  static Result<std::unique_ptr<RowStore>> open(std::span<const TablePart> parts,
                                                const TableOptions& options,
                                                const std::optional<TableRows>& rows);

  TensorSpec spec() const override {
    TensorSpec spec = table_.spec();
    spec.shape[0] = rows_.count;
    return spec;
  }
  std::optional<std::int64_t> call_number() const override { return call_number_; }
  Status check_writable() const override {
    if (table_.state_->writer() != nullptr) return {};
    return Status(ErrorCode::kUnsupported,
                  "a shard on disk that was opened for reading is not written to: open it as "
                  "writable");
  }
  Status take(const TensorView& ids, const MutableTensorView& to,
              const CallOptions& options) override {
    return in_memory([&] { return read(ids, to, options); });
  }
  Status write(const Tensor& rows, const TensorView& values, std::int64_t number) override {
    return in_memory([&] { return put(rows, values, number); });
  }

 private:
  TableStore(Table table, const TableRows& rows, std::optional<std::int64_t> call_number)
      : table_(std::move(table)), rows_(rows), call_number_(call_number) {}
  Status read(const TensorView& ids, const MutableTensorView& to, const CallOptions& options) const;
  Status put(const Tensor& rows, const TensorView& values, std::int64_t number);

  Table table_;
  TableRows rows_;
  std::optional<std::int64_t> call_number_;
};

namespace {

Result<TableRows> rows_of_shard(const Table& table, const TableOptions& options,
                                const std::optional<TableRows>& rows) {
  const std::int64_t all = table.shape()[0];
  if (!rows) return TableRows{0, all};
  if (options.writable)
    return Status(ErrorCode::kInvalidArgument,
                  "a shard on disk that is written to has all rows of its files");
  if (rows->first >= 0 && rows->count >= 0 && rows->first <= all &&
      rows->count <= all - rows->first)
    return *rows;
  return Status(ErrorCode::kInvalidArgument,
                "a shard on disk: rows " + std::to_string(rows->first) + " and " +
                    std::to_string(rows->count) + " from there on are not in a table of " +
                    std::to_string(all));
}

// The numbers of rows in the whole table.
Result<Tensor> shifted(const TensorView& ids, std::int64_t first) {
  auto rows = Tensor::allocate(DType::kInt64, ids.shape);
  if (!rows) return rows;
  auto* const to = static_cast<std::int64_t*>(rows->data());
  for (std::int64_t i = 0; i < rows->element_count(); ++i)
    to[i] = first + (ids.dtype == DType::kInt32 ? static_cast<const std::int32_t*>(ids.data)[i]
                                                : static_cast<const std::int64_t*>(ids.data)[i]);
  return rows;
}

}  // namespace

Result<std::unique_ptr<RowStore>> TableStore::open(std::span<const TablePart> parts,
                                                   const TableOptions& options,
                                                   const std::optional<TableRows>& rows) {
  auto state =
      TableState::open(parts, options, options.cache ? options.cache->cache_ : nullptr, true);
  if (!state) return state.error();
  Table table(*std::move(state));
  const auto given = rows_of_shard(table, options, rows);
  if (!given) return given.error();
  const auto number = table.state_->read_call_number();
  if (!number) return number.error();
  const bool has_number = !table.state_->pieces().empty();
  return std::unique_ptr<RowStore>(
      new TableStore(std::move(table), *given, has_number ? std::optional(*number) : std::nullopt));
}

Status TableStore::read(const TensorView& ids, const MutableTensorView& to,
                        const CallOptions& options) const {
  Tensor moved;
  TensorView rows = ids;
  if (rows_.first != 0) {
    auto made = shifted(ids, rows_.first);
    if (!made) return made.error();
    moved = *std::move(made);
    rows = moved;
  }
  CallOptions local;
  local.kernels = options.kernels;
  const auto plan = compile(array::Take{}, {table_.spec(), rows.spec()}, local);
  if (!plan) return plan.error();
  const std::array<TensorView, 2> inputs = {TensorView(), rows};
  return table_.run(*plan, inputs, to);
}

Status TableStore::put(const Tensor& rows, const TensorView& values, std::int64_t number) {
  const auto lock = table_.state_->writer()->begin();
  if (!lock) return lock.error();
  if (Status status = table_.state_->write(rows, values, number); !status) return status;
  if (call_number_) call_number_ = number;
  return {};
}

}  // namespace internal

Result<std::unique_ptr<RowStore>> open_shard(std::span<const TablePart> parts,
                                             const TableOptions& options,
                                             const std::optional<TableRows>& rows) {
  return internal::in_memory([&]() -> Result<std::unique_ptr<RowStore>> {
    internal::no_memory();
    return internal::TableStore::open(parts, options, rows);
  });
}

}  // namespace windrow
