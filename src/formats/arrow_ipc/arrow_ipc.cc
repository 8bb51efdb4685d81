#include "src/formats/arrow_ipc/arrow_ipc.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "src/base/integers.h"
#include "src/formats/archive.h"
#include "src/formats/arrow_ipc/arrow_schema.h"
#include "src/formats/arrow_ipc/flat_table.h"
#include "src/models/value_info.h"
#include "windrow/counted.h"

namespace windrow::internal {
namespace {

constexpr std::string_view kArrowMagic = "ARROW1";
constexpr std::int64_t kArrowStart = 8;  // bytes of the magic and what pads it
constexpr std::int64_t kFooterTail = 4 + static_cast<std::int64_t>(kArrowMagic.size());
constexpr std::int64_t kBlockBytes = 24;        // of a record batch's entry in the footer
constexpr std::int64_t kNodeBytes = 16;         // length, number of nulls
constexpr std::int64_t kArrowBufferBytes = 16;  // offset, length

// The fields of the tables that are read, by their numbers.
enum FooterField { kFooterSchema = 1, kFooterBatches = 3 };
enum MessageField { kMessageKind = 1, kMessageHeader = 2, kMessageBody = 3 };
enum BatchField {
  kBatchLength = 0,
  kBatchNodes = 1,
  kBatchBuffers = 2,
  kBatchCompression = 3,
  kBatchViews = 4
};

constexpr std::int64_t kRecordBatch = 3;  // the kind of a message

// Where the message of a record batch and its body are.
struct BatchBlock {
  std::int64_t offset = 0;
  std::int64_t metadata = 0;  // bytes, with what precedes and pads the message
  std::int64_t body = 0;      // bytes
  std::int64_t body_at() const { return offset + metadata; }
};

Result<std::vector<BatchBlock>> find_blocks(FlatBytes& bytes, const FlatTable& footer,
                                            std::int64_t limit) {
  const FlatVector entries = footer.vector(kFooterBatches, kBlockBytes);
  std::vector<BatchBlock> blocks;
  for (std::int64_t i = 0; i < entries.count; ++i) {
    const std::int64_t at = entries.at + kBlockBytes * i;
    const BatchBlock block = {bytes.number(at, 8), bytes.number(at + 8, 4),
                              bytes.number(at + 16, 8)};
    if (block.offset < kArrowStart || block.metadata < 8 || block.body < 0 ||
        block.offset > limit || block.metadata > limit - block.offset ||
        block.body > limit - block.body_at())
      return format_error("record batch ", i, " is not inside the file");
    blocks.push_back(block);
  }
  if (bytes.is_damaged()) return damaged_arrow("footer");
  std::vector<BatchBlock> in_place = blocks;
  std::ranges::sort(in_place, {}, &BatchBlock::offset);
  for (std::size_t i = 1; i < in_place.size(); ++i)
    if (in_place[i].offset - in_place[i - 1].body_at() < in_place[i - 1].body)
      return format_error("two record batches share bytes");
  return blocks;
}

// The message of a record batch, without the numbers before it: a mark, which old files lack, and
// its length.
Result<std::string> read_batch_message(const ByteSource& file, const BatchBlock& block) {
  Result<std::string> bytes = file.read_bytes(block.offset, block.metadata);
  if (!bytes) return bytes;
  const bool has_mark = little_endian(bytes->data(), 4) == 0xffffffff;
  bytes->erase(0, has_mark ? 8 : 4);
  return bytes;
}

// Finds the elements of a column in the body of one batch.
Result<TensorPlace> place_in_batch(FlatBytes& bytes, const BatchBlock& block,
                                   const ArrowColumn& column) {
  const FlatTable message = FlatTable::root(bytes);
  if (message.number(kMessageKind, 1) != kRecordBatch) return damaged_arrow("message");
  const FlatTable batch = message.table(kMessageHeader);
  if (batch.has(kBatchCompression))
    return unsupported_error(
        "its buffers are compressed; write the file without compression (compression="
        "'uncompressed' of pyarrow.feather.write_feather)");
  const FlatVector nodes = batch.vector(kBatchNodes, kNodeBytes);
  const FlatVector buffers = batch.vector(kBatchBuffers, kArrowBufferBytes);
  const FlatVector views = batch.vector(kBatchViews, 8);
  std::int64_t data = column.before.buffers + column.levels;
  for (std::int64_t i = 0; i < column.before.views; ++i) {
    const std::int64_t more = i < views.count ? bytes.number(views.at + 8 * i, 8) : -1;
    if (more < 0 || more > buffers.count - data) return damaged_arrow("message");
    data += more;
  }
  if (bytes.is_damaged() || column.before.nodes + column.levels > nodes.count ||
      data >= buffers.count)
    return damaged_arrow("message");

  TensorPlace place = {{}, column.name, column.dtype, {batch.number(kBatchLength, 8)}, 0};
  std::optional<std::int64_t> length = place.shape[0];
  for (std::int64_t level = 0; level < column.levels; ++level) {
    const std::int64_t at = nodes.at + kNodeBytes * (column.before.nodes + level);
    if (level > 0) length = checked_mul(*length, column.row[static_cast<int>(level) - 1]);
    if (!length || *length < 0 || bytes.number(at, 8) != *length)
      return format_error("it has ", bytes.number(at, 8), " elements, not the batch's number");
    if (const std::int64_t nulls = bytes.number(at + 8, 8); nulls != 0)
      return unsupported_error("it has ", counted(nulls, "null"), ", expected none");
  }
  place.shape.append(column.row, 0, column.row.rank());
  // The numbers stand after one bitmap for each level.
  const std::int64_t at = buffers.at + kArrowBufferBytes * data;
  place.first_byte = bytes.number(at, 8);
  const std::int64_t found = bytes.number(at + 8, 8);
  if (Status status = check_range(place.first_byte, found, block.body); !status) return status;
  if (Status status = check_place(place, place.first_byte + found); !status) return status;
  place.first_byte += block.body_at();
  return place;
}

Result<std::string> read_footer(const ByteSource& file) {
  if (file.size() == 0) return format_error("the file is empty");
  const std::int64_t tail_at = file.size() - kFooterTail;
  const Result<std::string> start =
      file.read_bytes(0, std::min<std::int64_t>(file.size(), kArrowStart));
  if (!start) return start.error();
  if (start->starts_with("FEA1"))
    return unsupported_error("version 1 of Feather is not supported, version 2 is");
  if (start->starts_with("\xff\xff\xff\xff"))
    return unsupported_error("this is a stream of Arrow, expected a file of Arrow");
  if (!start->starts_with(kArrowMagic) || tail_at < kArrowStart)
    return format_error("not a file of Arrow, or a cut one");
  const Result<std::string> tail = file.read_bytes(tail_at, kFooterTail);
  if (!tail) return tail.error();
  if (!tail->ends_with(kArrowMagic)) return format_error("the file is cut: it has no footer");
  const auto bytes = static_cast<std::int64_t>(little_endian(tail->data(), 4));
  if (bytes > tail_at - kArrowStart) return format_error("a footer of ", bytes, " bytes");
  return file.read_bytes(tail_at - bytes, bytes);
}

Result<std::vector<TensorPlace>> place_column(const ByteSource& file, const ArrowColumn& column,
                                              const std::vector<BatchBlock>& blocks) {
  std::vector<TensorPlace> places;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const Result<std::string> message = read_batch_message(file, blocks[i]);
    if (!message) return message.error();
    FlatBytes bytes(*message);
    Result<TensorPlace> place = place_in_batch(bytes, blocks[i], column);
    if (place && bytes.is_damaged()) place = damaged_arrow("message");
    if (!place) return place.error().with_context(text_of({"record batch ", i}));
    places.push_back(*std::move(place));
  }
  if (!places.empty()) return places;
  places.push_back({{}, column.name, column.dtype, {0}, 0});
  places.front().shape.append(column.row, 0, column.row.rank());
  return places;
}

}  // namespace

Result<std::vector<TensorPlace>> place_arrow(const ByteSource& file,
                                             const std::filesystem::path& path,
                                             const std::string& name) {
  const Result<std::string> content = read_footer(file);
  if (!content) return content.error().with_context(quoted(path));
  FlatBytes bytes(*content);
  const FlatTable footer = FlatTable::root(bytes);
  const FlatTable schema = footer.table(kFooterSchema);
  const Result<ArrowColumn> column = find_arrow_column(bytes, schema, path, name);
  if (!column) return column.error();
  const std::int64_t limit = file.size() - kFooterTail - bytes.size();
  const auto blocks = find_blocks(bytes, footer, limit);
  if (!blocks) return blocks.error().with_context(quoted(path));
  return with_context(place_column(file, *column, *blocks),
                      quoted(path) + ": column '" + column->name + "'");
}

}  // namespace windrow::internal
