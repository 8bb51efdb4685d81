#include "python/src/sharded_table.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/disk_table.h"
#include "python/src/errors.h"
#include "python/src/fields.h"
#include "python/src/python_exchange.h"
#include "python/src/run_arrays.h"
#include "windrow/distributed.h"
#include "windrow/reduction_name.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

// A table with the exchange that it uses.
struct BoundTable {
  std::unique_ptr<PythonExchange> exchange;
  std::optional<ShardedTable> table;
};

ShardBy shard_by_of(const std::string& name) {
  if (name == "contiguous") return ShardBy::kContiguous;
  if (name == "hash") return ShardBy::kHash;
  throw wrong_argument("by is '" + name + "', must be 'contiguous' or 'hash'");
}

const char* name_of(ShardBy by) { return by == ShardBy::kContiguous ? "contiguous" : "hash"; }

void check_below(std::int64_t value, std::int64_t end, const char* what) {
  if (value >= 0 && value < end) return;
  throw wrong_argument(std::string(what) + " is " + std::to_string(value) +
                       ", must be at least 0 and below " + std::to_string(end));
}

// The rows of the table that rank `rank` has, in the order of its shard.
nb::object rows_at(const ShardMap& map, std::int64_t rank) {
  check_below(rank, map.ranks(), "the rank");
  const auto of_rank = static_cast<int>(rank);
  const std::int64_t count = map.rows_of(of_rank);
  NewArray made = new_numpy_array(DType::kInt64, {count});
  auto* rows = static_cast<std::int64_t*>(made.memory);
  const GilRelease released;
  for (std::int64_t row = 0; row < count; ++row) rows[row] = map.row_at({of_rank, row});
  return std::move(made.array);
}

nb::tuple place_of(const ShardMap& map, std::int64_t row) {
  check_below(row, map.rows(), "the row");
  const ShardPlace place = map.place(row);
  return nb::make_tuple(place.rank, place.row);
}

void bind_map(nb::module_& module) {
  nb::class_<ShardMap>(module, "ShardMap")
      .def_static(
          "contiguous",
          [](const std::vector<std::int64_t>& rows) { return ShardMap::contiguous(rows).value(); })
      .def_static("hashed", [](std::int64_t rows,
                               int ranks) { return ShardMap::hashed(rows, ranks).value(); })
      .def_prop_ro("by", [](const ShardMap& map) { return name_of(map.by()); })
      .def_prop_ro("ranks", &ShardMap::ranks)
      .def_prop_ro("rows", &ShardMap::rows)
      .def("rows_of",
           [](const ShardMap& map, std::int64_t rank) {
             check_below(rank, map.ranks(), "the rank");
             return map.rows_of(static_cast<int>(rank));
           })
      .def("rows_at", &rows_at)
      .def("place", &place_of);
}

// The elements of row-major memory that `owner` keeps, as an array on that memory; `Byte` is const
// if it must not be written.
template <class Byte>
nb::object array_on(const TensorView& view, nb::handle owner) {
  const auto bytes = static_cast<std::size_t>(*dense_byte_count(view.dtype, view.shape));
  const nb::ndarray<nb::numpy, Byte, nb::ndim<1>> memory(const_cast<void*>(view.data), {bytes},
                                                         owner);
  return nb::module_::import_("windrow._base.arrays")
      .attr("memory_as")(memory, std::string(dtype_name(view.dtype)), shape_to_python(view.shape));
}

// Whether NumPy's elements have the bytes of the library's.
bool is_shared(const TensorView& view) {
  return !is_packed(view.dtype) && element_count(view.shape).value_or(0) > 0;
}

nb::object result_to_python(Tensor result) {
  if (!is_shared(result)) return to_numpy(result);
  auto kept = std::make_unique<Tensor>(std::move(result));
  const TensorView view = kept->view();
  const nb::capsule owner(kept.get(),
                          [](void* tensor) noexcept { delete static_cast<Tensor*>(tensor); });
  (void)kept.release();
  return array_on<std::uint8_t>(view, owner);
}

nb::object shard_of(nb::handle self) {
  const auto& bound = nb::cast<const BoundTable&>(self);
  const TensorView view = bound.table->shard();
  if (view.is_absent())
    throw Error(Status(ErrorCode::kUnsupported,
                       "the shard of this rank is on disk, not an array: take() reads its rows"));
  if (!is_shared(view)) return to_numpy(Tensor::copy_of(view).value());
  return array_on<const std::uint8_t>(view, self);
}

// A shard in the memory of the array that the caller gave, which `view` shows.
Tensor adopted(const TensorView& view, nb::handle array) {
  const std::shared_ptr<void> owner(nb::borrow(array).release().ptr(), [](void* object) {
    const nb::gil_scoped_acquire held;
    Py_DECREF(static_cast<PyObject*>(object));
  });
  return Tensor::adopt(view.dtype, view.shape, const_cast<void*>(view.data), owner);
}

// The error of an exception that arguments have raised, for the other ranks.
Status status_of(const nb::python_error& error) {
  const nb::object name =
      nb::module_::import_("windrow._base.errors").attr("code_of")(error.value());
  const auto code = nb::cast<std::string>(name);
  const std::string text = nb::cast<std::string>(nb::str(error.value()));
  for (int number = 1; number <= static_cast<int>(ErrorCode::kInterrupted); ++number)
    if (error_code_name(static_cast<ErrorCode>(number)) == code)
      return Status(static_cast<ErrorCode>(number), text);
  return Status(ErrorCode::kInternal, text);
}

// Calls `convert`, which reads arguments, and returns its error, if any. What Python raised is kept
// in `raised`.
template <class Convert>
Status converted(const Convert& convert, std::optional<nb::python_error>& raised) {
  try {
    convert();
    return {};
  } catch (const Error& error) {
    return error.status();
  } catch (nb::python_error& error) {
    raised.emplace(std::move(error));
    return status_of(*raised);
  } catch (const std::bad_cast&) {
    return Status(ErrorCode::kInvalidArgument, "an argument has a type that it cannot have");
  }
}

// `copy` false: writes go into the memory of `shard`, a row-major NumPy array that may be written.
// The options that all ways to make a table have. `remote_cache`: bytes, or None.
ShardedOptions sharded_options(const std::string& by, nb::handle remote_cache) {
  ShardedOptions options;
  options.by = shard_by_of(by);
  if (remote_cache.is_none()) return options;
  options.remote_cache_bytes = integer_of(remote_cache.ptr(), "remote_cache");
  if (options.remote_cache_bytes < kLeastRemoteCache)
    throw wrong_argument("remote_cache is " + std::to_string(options.remote_cache_bytes) +
                         ", must be at least " + std::to_string(kLeastRemoteCache) + ", or None");
  return options;
}

void make_table(BoundTable* self, nb::object exchange, nb::handle shard, const std::string& by,
                bool copy, nb::handle remote_cache) {
  auto own = std::make_unique<PythonExchange>(std::move(exchange));
  ShardedOptions options;
  Tensor kept;
  std::optional<nb::python_error> raised;
  const Status status = converted(
      [&] {
        options = sharded_options(by, remote_cache);
        if (!copy) nb::module_::import_("windrow._base.arrays").attr("check_lent")(shard, "shard");
        InputArrays arrays;
        arrays.append(shard.ptr(), {"shard", DType::kAbsent, false});
        kept = copy ? Tensor::copy_of(arrays.views[0]).value() : adopted(arrays.views[0], shard);
      },
      raised);
  // A rank that cannot give a shard gives none: the others see that it is absent.
  auto made = own->run([&] { return ShardedTable::create(*own, std::move(kept), options); });
  if (raised) throw *std::move(raised);
  if (!status) throw Error(status);
  if (!made) throw Error(made.error());
  new (self) BoundTable{std::move(own), *std::move(made)};
}

// The shard that `source`, a function, describes: it returns parts, a dict of options, and None or
// the first row and the number of rows.
Result<std::unique_ptr<RowStore>> shard_of_source(nb::handle source) {
  const auto given = nb::cast<nb::tuple>(source());
  const auto options = nb::cast<nb::dict>(given[1]);
  const TableSource files = table_source_of(
      nb::cast<nb::list>(given[0]), nb::cast<std::string>(options["reads"]), options["direct"],
      nb::cast<int>(options["depth"]), options["cache"], nb::cast<bool>(options["writable"]),
      nb::cast<std::string>(options["durability"]));
  std::optional<TableRows> rows;
  if (const nb::handle some = given[2]; !some.is_none())
    rows = {nb::cast<std::int64_t>(some[0]), nb::cast<std::int64_t>(some[1])};
  const GilRelease released;
  return open_shard(files.parts, files.options, rows);
}

BoundTable open_table(nb::object exchange, nb::handle source, const std::string& by,
                      nb::handle accept_torn, nb::handle remote_cache) {
  auto own = std::make_unique<PythonExchange>(std::move(exchange));
  ShardedOptions options;
  Result<std::unique_ptr<RowStore>> shard = std::unique_ptr<RowStore>();
  std::optional<nb::python_error> raised;
  const Status status = converted(
      [&] {
        options = sharded_options(by, remote_cache);
        options.accept_torn = truth_of(accept_torn.ptr());
        shard = shard_of_source(source);
      },
      raised);
  if (!status) shard = status;
  auto made = own->run([&] { return ShardedTable::open(*own, std::move(shard), options); });
  if (raised) throw *std::move(raised);
  if (!made) throw Error(made.error());
  return BoundTable{std::move(own), *std::move(made)};
}

nb::list call_numbers_of(const BoundTable& self) {
  nb::list numbers = new_list();
  for (const std::int64_t number : self.table->call_numbers())
    numbers.append(number < 0 ? nb::none() : nb::cast(number));
  return numbers;
}

// What a call of a table is given.
struct Given {
  InputArrays arrays;  // ids, then rows if there are any
  CallOptions options;
  Threads* threads = nullptr;
};

// Reads the arguments of a call with read(given). If it throws, the other ranks get that error
// too, and this rank throws the error of the lowest rank that has one; or what Python raised, if
// that is not one of the library.
template <class Read>
void read_arguments(BoundTable& self, Given& given, const Read& read) {
  self.exchange->check_idle();
  std::optional<nb::python_error> raised;
  const Status own = converted([&] { read(given); }, raised);
  if (own.ok()) return;
  const Status all = self.exchange->run([&] { return self.table->fail(own); });
  const nb::object ours = nb::module_::import_("windrow._base.errors").attr("Error");
  if (raised && !raised->matches(ours)) throw *std::move(raised);
  throw Error(all);
}

void read_options(Given& given, const nb::dict& options, nb::handle threads) {
  given.options = options_of(options);
  given.threads = threads_of(thread_count(threads.ptr(), default_thread_count()));
}

nb::object take(BoundTable& self, nb::handle ids, const nb::dict& options, nb::handle threads) {
  Given given;
  read_arguments(self, given, [&](Given& call) {
    call.arrays.append(ids.ptr(), {"ids", DType::kAbsent, true});
    read_options(call, options, threads);
  });
  auto result = self.exchange->run(
      [&] { return self.table->take(given.arrays.views[0], given.options, given.threads); });
  if (!result) throw Error(result.error());
  return result_to_python(*std::move(result));
}

nb::object embedding_bag(BoundTable& self, nb::handle ids, nb::handle offsets, nb::handle weights,
                         const array::EmbeddingBag& op, const nb::dict& options,
                         nb::handle threads) {
  Given given;
  read_arguments(self, given, [&](Given& call) {
    call.arrays.append(ids.ptr(), {"ids", DType::kAbsent, true});
    call.arrays.append(offsets.ptr(), {"offsets", DType::kAbsent, true});
    call.arrays.append(weights.ptr(), {"weights", self.table->dtype(), false});
    read_options(call, options, threads);
  });
  const auto& views = given.arrays.views;
  auto result = self.exchange->run([&] {
    return self.table->embedding_bag(views[0], views[1], views[2], op, given.options,
                                     given.threads);
  });
  if (!result) throw Error(result.error());
  return result_to_python(*std::move(result));
}

TakeRoute plan_take(BoundTable& self, nb::handle ids, const nb::dict& options) {
  Given given;
  read_arguments(self, given, [&](Given& call) {
    call.arrays.append(ids.ptr(), {"ids", DType::kAbsent, true});
    call.options = options_of(options);
  });
  auto route = self.exchange->run(
      [&] { return self.table->plan_take(given.arrays.views[0], given.options); });
  if (!route) throw Error(route.error());
  return *std::move(route);
}

nb::object take_by(BoundTable& self, nb::handle route, nb::handle threads) {
  Given given;
  const TakeRoute* along = nullptr;
  read_arguments(self, given, [&](Given& call) {
    if (!nb::try_cast(route, along) || along == nullptr)
      throw wrong_argument("route is no TakeRoute, as plan_take() returns it");
    call.threads = threads_of(thread_count(threads.ptr(), default_thread_count()));
  });
  auto result = self.exchange->run([&] { return self.table->take(*along, given.threads); });
  if (!result) throw Error(result.error());
  return result_to_python(*std::move(result));
}

// Runs call(table, ids, rows, options, threads) without the GIL. `name`: of the rows, for messages.
template <class Call>
void write(BoundTable& self, nb::handle ids, nb::handle rows, const char* name,
           const nb::dict& options, nb::handle threads, const Call& call) {
  Given given;
  read_arguments(self, given, [&](Given& all) {
    all.arrays.append(ids.ptr(), {"ids", DType::kAbsent, true});
    all.arrays.append(rows.ptr(), {name, self.table->dtype(), false});
    read_options(all, options, threads);
  });
  const auto& views = given.arrays.views;
  const Status status = self.exchange->run(
      [&] { return call(*self.table, views[0], views[1], given.options, given.threads); });
  if (!status) throw Error(status);
}

void index_add(BoundTable& self, nb::handle ids, nb::handle updates, const nb::dict& options,
               nb::handle threads) {
  write(self, ids, updates, "updates", options, threads,
        [](ShardedTable& table, const auto&... given) { return table.index_add(given...); });
}

void index_reduce(BoundTable& self, nb::handle ids, nb::handle updates,
                  const std::string& reduction, bool use_init_val, const nb::dict& options,
                  nb::handle threads) {
  array::IndexReduce op;
  op.reduction = std::string(own_reduction_name("array", reduction));
  op.use_init_val = use_init_val;
  write(self, ids, updates, "updates", options, threads,
        [&op](ShardedTable& table, const TensorView& at, const TensorView& with,
              const CallOptions& call,
              Threads* pool) { return table.index_reduce(at, with, op, call, pool); });
}

void assign(BoundTable& self, nb::handle ids, nb::handle rows, const nb::dict& options,
            nb::handle threads) {
  write(self, ids, rows, "rows", options, threads,
        [](ShardedTable& table, const auto&... given) { return table.assign(given...); });
}

bool any(BoundTable& self, bool own) {
  const auto all = self.exchange->run([&] { return self.table->any(own); });
  if (!all) throw Error(all.error());
  return *all;
}

// The other ranks get an error with this text from the call that they make.
void fail(BoundTable& self, const std::string& text) {
  const Status own(ErrorCode::kInvalidArgument, text);
  (void)self.exchange->run([&] { return self.table->fail(own); });
}

nb::dict statistics_of(const BoundTable& self) {
  self.exchange->check_idle();
  const ShardedStatistics now = self.table->statistics();
  nb::dict numbers = new_dict();
  numbers["calls"] = now.calls;
  numbers["sent_id_bytes"] = now.sent_id_bytes;
  numbers["sent_row_bytes"] = now.sent_row_bytes;
  numbers["received_id_bytes"] = now.received_id_bytes;
  numbers["received_row_bytes"] = now.received_row_bytes;
  numbers["rounds"] = now.rounds;
  numbers["messages"] = now.messages;
  numbers["remote_rows"] = now.remote_rows;
  numbers["cached_rows"] = now.cached_rows;
  return numbers;
}

}  // namespace

void bind_sharded_tables(nb::module_& module) {
  bind_map(module);
  nb::class_<TakeRoute>(module, "TakeRoute").def_prop_ro("shape", [](const TakeRoute& route) {
    return shape_to_python(route.shape());
  });
  nb::class_<BoundTable>(module, "ShardedTable")
      .def("__init__", &make_table, nb::arg("exchange"), nb::arg("shard"), nb::arg("by"),
           nb::arg("copy"), nb::arg("remote_cache").none())
      .def_static("open", &open_table, nb::arg("exchange"), nb::arg("source"), nb::arg("by"),
                  nb::arg("accept_torn"), nb::arg("remote_cache").none())
      .def_prop_ro("call_numbers", &call_numbers_of)
      .def_prop_ro(
          "dtype",
          [](const BoundTable& self) { return std::string(dtype_name(self.table->dtype())); })
      .def_prop_ro("shape",
                   [](const BoundTable& self) { return shape_to_python(self.table->shape()); })
      .def_prop_ro("map", [](const BoundTable& self) { return ShardMap(self.table->map()); })
      .def("shard", [](nb::handle_t<BoundTable> self) { return shard_of(self); })
      .def("take", &take, nb::arg("ids"), nb::arg("options"), nb::arg("threads").none())
      .def("plan_take", &plan_take, nb::arg("ids"), nb::arg("options"))
      .def("take_by", &take_by, nb::arg("route").none(), nb::arg("threads").none())
      .def(
          "embedding_bag",
          [](BoundTable& self, nb::handle ids, nb::handle offsets, nb::handle weights,
             std::string reduction, bool include_last_offset, std::string accumulate,
             const nb::dict& options, nb::handle threads) {
            return embedding_bag(self, ids, offsets, weights,
                                 {.reduction = std::move(reduction),
                                  .include_last_offset = include_last_offset,
                                  .accumulate = std::move(accumulate)},
                                 options, threads);
          },
          nb::arg("ids"), nb::arg("offsets").none(), nb::arg("weights").none(),
          nb::arg("reduction"), nb::arg("include_last_offset"), nb::arg("accumulate"),
          nb::arg("options"), nb::arg("threads").none())
      .def("index_add", &index_add, nb::arg("ids"), nb::arg("updates"), nb::arg("options"),
           nb::arg("threads").none())
      .def("index_reduce", &index_reduce, nb::arg("ids"), nb::arg("updates"), nb::arg("reduction"),
           nb::arg("use_init_val"), nb::arg("options"), nb::arg("threads").none())
      .def("assign", &assign, nb::arg("ids"), nb::arg("rows"), nb::arg("options"),
           nb::arg("threads").none())
      .def("any", &any, nb::arg("own"))
      .def("fail", &fail, nb::arg("text"))
      .def("statistics", &statistics_of);
}

}  // namespace windrow::python
