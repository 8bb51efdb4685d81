#include "python/src/disk_table.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/src/call_options.h"
#include "python/src/errors.h"
#include "python/src/fields.h"
#include "python/src/plan_object.h"
#include "python/src/run_arrays.h"
#include "python/src/signals.h"
#include "windrow/table.h"

namespace nb = nanobind;

namespace windrow::python {
namespace {

DType dtype_of_name(const std::string& name) {
  const std::optional<DType> dtype = parse_dtype(name);
  if (!dtype) throw wrong_argument("no element type is called '" + name + "'");
  return *dtype;
}

// (path, name, element type or "", extents, first byte)
TablePart part_of(nb::handle given) {
  const auto fields = nb::cast<nb::tuple>(given);
  TablePart part{nb::cast<std::string>(fields[0]), nb::cast<std::string>(fields[1])};
  const auto type = nb::cast<std::string>(fields[2]);
  if (!type.empty()) part.dtype = dtype_of_name(type);
  const auto extents = nb::cast<nb::tuple>(fields[3]);
  if (extents.size() > static_cast<std::size_t>(kMaxRank))
    throw Error(Status(ErrorCode::kShape, "shape has " + std::to_string(extents.size()) +
                                              " axes, at most " + std::to_string(kMaxRank) +
                                              " are possible"));
  for (const nb::handle extent : extents) part.shape.push_back(nb::cast<std::int64_t>(extent));
  part.first_byte = nb::cast<std::int64_t>(fields[4]);
  return part;
}

nb::dict statistics_of(const Table& table) {
  const TableStatistics now = table.statistics();
  nb::dict numbers = new_dict();
  numbers["rows"] = now.rows;
  numbers["row_bytes"] = now.row_bytes;
  numbers["cached"] = now.cached;
  numbers["reads"] = now.reads;
  numbers["read_bytes"] = now.read_bytes;
  return numbers;
}

nb::dict cache_statistics(const TableCache& cache) {
  const TableCache::Statistics now = cache.statistics();
  nb::dict numbers = new_dict();
  numbers["hits"] = now.hits;
  numbers["misses"] = now.misses;
  numbers["rows"] = now.rows;
  numbers["bytes"] = now.bytes;
  return numbers;
}

nb::dict description_of(const Table& table) {
  const TableDescription how = table.description();
  nb::list files = new_list();
  for (const std::string& file : how.files) files.append(file);
  nb::dict fields = new_dict();
  fields["dtype"] = std::string(dtype_name(how.dtype));
  fields["shape"] = shape_to_python(table.shape());
  fields["files"] = files;
  fields["reads"] = how.reads;
  fields["direct"] = how.is_direct;
  fields["block"] = how.block;
  fields["depth"] = how.depth;
  return fields;
}

nb::object run(const Table& table, nb::handle plan, const nb::tuple& inputs, nb::handle out) {
  PyObject* const result =
      guarded([&] { return run_plan_on(table, plan.ptr(), inputs.ptr(), out.ptr()); });
  if (result == nullptr) throw nb::python_error();
  return nb::steal(result);
}

nb::object embedding_bag(const Table& table, nb::handle ids, nb::handle offsets, nb::handle weights,
                         nb::handle out, const array::EmbeddingBag& op, const nb::dict& options) {
  InputArrays arrays;
  arrays.append(ids.ptr(), {"ids", DType::kAbsent, true});
  arrays.append(offsets.ptr(), {"offsets", DType::kAbsent, true});
  arrays.append(weights.ptr(), {"weights", table.dtype(), false});
  const auto& views = arrays.views;
  const CallOptions call = options_of(options);
  RunOptions run;
  if (out.is_none()) {
    const Result<Tensor> pooled = without_gil(
        run, [&] { return table.embedding_bag(views[0], views[1], views[2], op, call, run); });
    return to_numpy(pooled.value());
  }
  OutputArray output;
  MutableTensorView view;
  if (!output.acquire(out.ptr(), view))
    throw Error(Status(ErrorCode::kType, "out has elements of another layout than a table's"));
  const Status status = without_gil(
      run, [&] { return table.embedding_bag(views[0], views[1], views[2], view, op, call, run); });
  if (!status) throw Error(status);
  return nb::borrow(out);
}

// Table::assign or Table::add, without the GIL.
template <Status (Table::*kWrite)(const TensorView&, const TensorView&, const CallOptions&,
                                  const RunOptions&)>
void write(Table& table, nb::handle ids, nb::handle rows, const nb::dict& options) {
  InputArrays arrays;
  arrays.append(ids.ptr(), {"ids", DType::kAbsent, true});
  arrays.append(rows.ptr(), {"rows", table.dtype(), false});
  const CallOptions call = options_of(options);
  RunOptions run;
  const Status status = without_gil(
      run, [&] { return (table.*kWrite)(arrays.views[0], arrays.views[1], call, run); });
  if (!status) throw Error(status);
}

}  // namespace

TableSource table_source_of(const nb::list& parts, const std::string& reads, nb::handle direct,
                            int depth, nb::handle cache, bool writable,
                            const std::string& durability) {
  TableSource source;
  for (const nb::handle part : parts) source.parts.push_back(part_of(part));
  TableOptions& options = source.options;
  const std::optional<TableReads> chosen = parse_table_reads(reads);
  if (!chosen)
    throw wrong_argument("reads is '" + reads +
                         "', must be 'best', 'io_uring', 'threads' or 'read_ahead'");
  options.reads = *chosen;
  if (!direct.is_none()) options.direct = truth_of(direct.ptr());
  options.depth = depth;
  if (!cache.is_none()) options.cache = nb::cast<const TableCache&>(cache);
  options.writable = writable;
  const std::optional<TableDurability> survives = parse_table_durability(durability);
  if (!survives)
    throw wrong_argument("durability is '" + durability + "', must be 'power' or 'process'");
  options.durability = *survives;
  return source;
}

void bind_disk_tables(nb::module_& module) {
  nb::class_<TableCache>(module, "DiskCache")
      .def("__init__",
           [](TableCache* self, std::int64_t bytes) {
             new (self) TableCache(TableCache::create(bytes).value());
           })
      .def("statistics", &cache_statistics);
  nb::class_<Table>(module, "DiskTable")
      .def(
          "__init__",
          [](Table* self, const nb::list& parts, const std::string& reads, nb::handle direct,
             int depth, nb::handle cache, bool writable, const std::string& durability) {
            const TableSource source =
                table_source_of(parts, reads, direct, depth, cache, writable, durability);
            new (self) Table(Table::open(source.parts, source.options).value());
          },
          nb::arg("parts"), nb::arg("reads"), nb::arg("direct").none(), nb::arg("depth"),
          nb::arg("cache").none(), nb::arg("writable"), nb::arg("durability"))
      .def_prop_ro("dtype",
                   [](const Table& table) { return std::string(dtype_name(table.dtype())); })
      .def_prop_ro("shape", [](const Table& table) { return shape_to_python(table.shape()); })
      .def("run", &run, nb::arg("plan"), nb::arg("inputs"), nb::arg("out").none())
      .def(
          "embedding_bag",
          [](const Table& table, nb::handle ids, nb::handle offsets, nb::handle weights,
             nb::handle out, std::string reduction, bool include_last_offset,
             std::string accumulate, const nb::dict& options) {
            return embedding_bag(table, ids, offsets, weights, out,
                                 {.reduction = std::move(reduction),
                                  .include_last_offset = include_last_offset,
                                  .accumulate = std::move(accumulate)},
                                 options);
          },
          nb::arg("ids"), nb::arg("offsets").none(), nb::arg("weights").none(),
          nb::arg("out").none(), nb::arg("reduction"), nb::arg("include_last_offset"),
          nb::arg("accumulate"), nb::arg("options"))
      .def("assign", &write<&Table::assign>, nb::arg("ids"), nb::arg("rows"), nb::arg("options"))
      .def("add", &write<&Table::add>, nb::arg("ids"), nb::arg("rows"), nb::arg("options"))
      .def("statistics", &statistics_of)
      .def("description", &description_of)
      .def("describe", &Table::describe);
}

}  // namespace windrow::python
