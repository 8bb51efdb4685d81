#include "src/formats/arrow_ipc/arrow_ipc.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/formats/archive.h"
#include "src/formats/byte_source.h"

namespace windrow::internal {
namespace {

// A field of a table to be written: a number, a table, tables, or bytes that are a vector.
struct Flat {
  int field = 0;
  int number_bytes = 0;  // 0: not a number
  std::int64_t number = 0;
  bool is_vector = false;
  std::size_t count = 0;  // of a vector that is bytes
  std::string bytes;
  std::vector<std::vector<Flat>> tables;  // the table, or those of the vector
};
using FlatFields = std::vector<Flat>;

Flat number(int field, int bytes, std::int64_t value) {
  return {field, bytes, value, false, 0, {}, {}};
}
Flat table(int field, FlatFields fields) {
  return {field, 0, 0, false, 0, {}, {std::move(fields)}};
}
Flat tables(int field, std::vector<FlatFields> all) {
  return {field, 0, 0, true, 0, {}, std::move(all)};
}
Flat vector(int field, std::size_t count, std::string bytes) {
  return {field, 0, 0, true, count, std::move(bytes), {}};
}
Flat text(int field, const std::string& value) { return vector(field, value.size(), value); }

void put(std::string& out, std::size_t at, std::size_t size, std::uint64_t value) {
  std::string bytes;
  append_little_endian(value, size, bytes);
  out.replace(at, size, bytes);
}

std::size_t write_table(const FlatFields& fields, std::string& out);

void write_vector(const Flat& field, std::string& out) {
  append_little_endian(field.tables.empty() ? field.count : field.tables.size(), 4, out);
  out += field.bytes;
  std::size_t at = out.size();
  out.append(4 * field.tables.size(), '\0');
  for (const FlatFields& each : field.tables) {
    put(out, at, 4, write_table(each, out) - at);
    at += 4;
  }
}

// Returns where the table is, after what tells its fields' places.
std::size_t write_table(const FlatFields& fields, std::string& out) {
  constexpr std::size_t kEntries = 8;
  const std::size_t entries = out.size();
  out.append(4 + 2 * kEntries, '\0');
  put(out, entries, 2, 4 + 2 * kEntries);
  const std::size_t start = out.size();
  append_little_endian(start - entries, 4, out);
  std::vector<std::size_t> places;
  for (const Flat& field : fields) {
    places.push_back(out.size());
    put(out, entries + 4 + 2 * static_cast<std::size_t>(field.field), 2, out.size() - start);
    append_little_endian(static_cast<std::uint64_t>(field.number),
                         static_cast<std::size_t>(field.number_bytes > 0 ? field.number_bytes : 4),
                         out);
  }
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i].number_bytes > 0) continue;
    if (fields[i].is_vector) {
      put(out, places[i], 4, out.size() - places[i]);
      write_vector(fields[i], out);
    } else {
      put(out, places[i], 4, write_table(fields[i].tables.front(), out) - places[i]);
    }
  }
  return start;
}

std::string message_of(const FlatFields& fields) {
  std::string out(4, '\0');
  put(out, 0, 4, write_table(fields, out));
  return out;
}

std::string numbers(const std::vector<std::int64_t>& values) {
  std::string bytes;
  for (const std::int64_t value : values)
    append_little_endian(static_cast<std::uint64_t>(value), 8, bytes);
  return bytes;
}

FlatFields column(const std::string& name, int kind, FlatFields type,
                  std::vector<FlatFields> children = {}) {
  return {text(0, name), number(2, 1, kind), table(3, std::move(type)),
          tables(5, std::move(children))};
}
FlatFields int32_column(const std::string& name) {
  return column(name, 2, {number(0, 4, 32), number(1, 1, 1)});
}
FlatFields list_column(const std::string& name, int extent, FlatFields child) {
  return column(name, 16, {number(0, 4, extent)}, {std::move(child)});
}

// One record batch: pairs of numbers, as in its message.
struct Batch {
  std::int64_t rows = 0;
  std::vector<std::int64_t> nodes;
  std::vector<std::int64_t> buffers;
  std::string body;
  FlatFields more;
};

std::string file_of(const std::vector<FlatFields>& columns, const std::vector<Batch>& batches,
                    FlatFields more_of_schema = {}) {
  std::string file("ARROW1\0\0", 8);
  std::string blocks;
  for (const Batch& batch : batches) {
    FlatFields header = {number(0, 8, batch.rows),
                         vector(1, batch.nodes.size() / 2, numbers(batch.nodes)),
                         vector(2, batch.buffers.size() / 2, numbers(batch.buffers))};
    header.insert(header.end(), batch.more.begin(), batch.more.end());
    const std::string message =
        message_of({number(0, 2, 4), number(1, 1, 3), table(2, header),
                    number(3, 8, static_cast<std::int64_t>(batch.body.size()))});
    blocks += numbers({static_cast<std::int64_t>(file.size()),
                       static_cast<std::int64_t>(message.size()) + 8,
                       static_cast<std::int64_t>(batch.body.size())});
    file += "\xff\xff\xff\xff";
    append_little_endian(message.size(), 4, file);
    file += message + batch.body;
  }
  more_of_schema.push_back(tables(1, columns));
  const std::string footer =
      message_of({number(0, 2, 4), table(1, more_of_schema), vector(3, batches.size(), blocks)});
  file += footer;
  append_little_endian(footer.size(), 4, file);
  return file + "ARROW1";
}

Result<std::vector<TensorPlace>> find(const std::string& file, const std::string& name) {
  return place_arrow(MemorySource(file), "t.arrow", name);
}

void expect_refused(const std::string& file, const std::string& name, ErrorCode code,
                    const std::string& part) {
  const Status status = find(file, name).error();
  EXPECT_EQ(status.code(), code) << status.message();
  EXPECT_NE(status.message().find("'t.arrow'"), std::string::npos) << status.message();
  EXPECT_NE(status.message().find(part), std::string::npos) << status.message();
}

// A text column, lists of two int32 in lists of one, and int32.
const std::vector<FlatFields>& three_columns() {
  static const std::vector<FlatFields> columns = {
      column("text", 5, {}), list_column("lists", 1, list_column("x", 2, int32_column("y"))),
      int32_column("ids")};
  return columns;
}
Batch three_of(std::int64_t rows, char fill) {
  const std::int64_t ids = 8 * rows + 4;
  return {rows,
          {rows, 0, rows, 0, rows, 0, 2 * rows, 0, rows, 0},
          {0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 4, 8 * rows, 0, 0, ids, 4 * rows},
          "text" + std::string(static_cast<std::size_t>(8 * rows), fill) +
              std::string(static_cast<std::size_t>(4 * rows), static_cast<char>(fill + 1)),
          {}};
}

TEST(ArrowIpc, FindsColumnsInEachBatch) {
  const std::string file =
      file_of(three_columns(), {three_of(3, 'a'), three_of(0, 'c'), three_of(1, 'e')});
  const auto lists = find(file, "lists").value();
  const auto ids = find(file, "ids").value();
  ASSERT_EQ(lists.size(), 3U);
  ASSERT_EQ(ids.size(), 3U);
  const auto bytes = [&file](const TensorPlace& place) {
    return file.substr(
        static_cast<std::size_t>(place.first_byte),
        static_cast<std::size_t>(dense_byte_count(place.dtype, place.shape).value()));
  };
  EXPECT_EQ(lists[0].shape, (Shape{3, 1, 2}));
  EXPECT_EQ(lists[0].dtype, DType::kInt32);
  EXPECT_EQ(lists[0].name, "lists");
  EXPECT_EQ(bytes(lists[0]), std::string(24, 'a'));
  EXPECT_EQ(bytes(lists[2]), std::string(8, 'e'));
  EXPECT_EQ(lists[1].shape, (Shape{0, 1, 2}));
  EXPECT_EQ(ids[0].shape, (Shape{3}));
  EXPECT_EQ(bytes(ids[0]), std::string(12, 'b'));
  EXPECT_EQ(bytes(ids[2]), std::string(4, 'f'));
}

TEST(ArrowIpc, WithoutBatchesHasNoRows) {
  const auto places = find(file_of(three_columns(), {}), "lists").value();
  ASSERT_EQ(places.size(), 1U);
  EXPECT_EQ(places[0].shape, (Shape{0, 1, 2}));
}

TEST(ArrowIpc, RefusesWhatIsNotPlainNumbers) {
  const auto with = [](const FlatFields& each) { return file_of({each}, {}); };
  expect_refused(with(column("c", 6, {})), "c", ErrorCode::kUnsupported,
                 "column 'c': it is of type bool");
  expect_refused(with(column("c", 99, {})), "c", ErrorCode::kUnsupported, "unknown");
  expect_refused(with(column("c", 2, {number(0, 4, 24)})), "c", ErrorCode::kUnsupported, "int");
  FlatFields encoded = int32_column("c");
  encoded.push_back(table(4, {}));
  expect_refused(with(encoded), "c", ErrorCode::kUnsupported, "dictionary");
  expect_refused(with(list_column("c", -1, int32_column("x"))), "c", ErrorCode::kFormat, "-1");
  expect_refused(file_of({column("u", 14, {}), int32_column("c")}, {}), "c",
                 ErrorCode::kUnsupported, "union");
  expect_refused(file_of({int32_column("c")}, {}, {number(0, 2, 1)}), "c", ErrorCode::kUnsupported,
                 "big-endian");
  expect_refused(file_of(three_columns(), {}), "id", ErrorCode::kInvalidArgument,
                 "text, lists, ids");
  expect_refused(file_of(three_columns(), {}), "", ErrorCode::kInvalidArgument, "3 tensors");
  expect_refused(std::string("FEA1....", 8), "c", ErrorCode::kUnsupported, "Feather");
  expect_refused("\xff\xff\xff\xff....", "c", ErrorCode::kUnsupported, "stream");
  expect_refused("", "c", ErrorCode::kFormat, "empty");
}

TEST(ArrowIpc, RefusesBatchesThatAreNotPlain) {
  const auto with = [](const Batch& batch) { return file_of({int32_column("c")}, {batch}); };
  const Batch right = {2, {2, 0}, {0, 0, 0, 8}, "abcdefgh", {}};
  EXPECT_EQ(find(with(right), "").value()[0].shape, Shape{2});
  Batch wrong = right;
  wrong.nodes[1] = 1;
  expect_refused(with(wrong), "c", ErrorCode::kUnsupported, "1 null");
  wrong = right;
  wrong.nodes[0] = 3;
  expect_refused(with(wrong), "c", ErrorCode::kFormat, "record batch 0: it has 3 elements");
  wrong = right;
  wrong.more.push_back(table(3, {}));
  expect_refused(with(wrong), "c", ErrorCode::kUnsupported, "compressed");
  wrong = right;
  wrong.buffers[3] = 9;
  expect_refused(with(wrong), "c", ErrorCode::kFormat, "9 bytes");
  wrong.buffers[3] = 7;
  expect_refused(with(wrong), "c", ErrorCode::kFormat, "int32[2]");
  wrong = right;
  wrong.rows = wrong.nodes[0] = std::int64_t{1} << 62;
  expect_refused(with(wrong), "c", ErrorCode::kFormat, "too large");
  wrong = right;
  wrong.buffers.resize(2);
  expect_refused(with(wrong), "c", ErrorCode::kFormat, "damaged");
}

TEST(ArrowIpc, NoDamagedFileLeadsOutsideOfIt) {
  const std::string whole = file_of(three_columns(), {three_of(3, 'a'), three_of(1, 'e')});
  const auto check = [](const std::string& bytes) {
    for (const std::string name : {"lists", "ids"}) {
      const auto places = find(bytes, name);
      for (std::size_t i = 0; places && i < places->size(); ++i) {
        const TensorPlace& place = (*places)[i];
        const std::int64_t needed = dense_byte_count(place.dtype, place.shape).value();
        EXPECT_TRUE(check_range(place.first_byte, needed, std::ssize(bytes)).ok());
      }
    }
  };
  for (std::size_t i = 0; i < whole.size(); ++i) {
    check(whole.substr(0, i));
    for (int flipped = 1; flipped < 256; ++flipped) {
      std::string bytes = whole;
      bytes[i] = static_cast<char>(bytes[i] ^ flipped);
      check(bytes);
    }
  }
}

}  // namespace
}  // namespace windrow::internal
