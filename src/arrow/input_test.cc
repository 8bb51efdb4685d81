#include <gtest/gtest.h>

#include <cerrno>
#include <cstdint>
#include <functional>
#include <string>

#include "src/arrow/arrow_fixture.h"
#include "src/arrow/field.h"

namespace windrow::arrow {
namespace {

const std::int32_t kNumbers[] = {1, 2, 3, 4};

// What reading says of an array of int32 that `break_it` has changed.
Status broken(const std::function<void(Producer&)>& break_it) {
  Producer producer("i", 4, {nullptr, kNumbers});
  break_it(producer);
  const bool has_schema = producer.schema.release != nullptr;
  const bool has_array = producer.array.release != nullptr;
  Status status = producer.give().error();
  // Whatever is wrong, both are taken over and released once.
  EXPECT_EQ(producer.released, int{has_schema} + int{has_array});
  EXPECT_EQ(producer.schema.release, nullptr);
  EXPECT_EQ(producer.array.release, nullptr);
  return status;
}

TEST(Input, TakesOverAndReleasesOnce) {
  Producer producer("i", 4, {nullptr, kNumbers});
  {
    const Input input = producer.give().value();
    EXPECT_EQ(producer.array.release, nullptr);
    EXPECT_EQ(input.length(), 4);
    const std::vector<Input> copies(2, input);
    EXPECT_EQ(producer.released, 1);
  }
  EXPECT_EQ(producer.released, 2);
}

TEST(Input, Contradictions) {
  const auto is_refused = [](const std::function<void(Producer&)>& break_it) {
    const Status status = broken(break_it);
    EXPECT_EQ(status.code(), ErrorCode::kInvalidArgument) << status.message();
  };
  is_refused([](Producer& p) { p.array.length = -1; });
  is_refused([](Producer& p) { p.array.length = std::int64_t{1} << 60; });
  is_refused([](Producer& p) { p.array.offset = -1; });
  is_refused([](Producer& p) { p.array.null_count = 5; });
  is_refused([](Producer& p) { p.array.null_count = 1; });  // and no bitmap
  is_refused([](Producer& p) { p.array.null_count = -2; });
  is_refused([](Producer& p) { p.array.n_buffers = 1; });
  is_refused([](Producer& p) { p.array.buffers = nullptr; });
  is_refused([](Producer& p) { p.array.buffers[1] = nullptr; });
  is_refused([](Producer& p) { p.array.n_children = 1; });
  is_refused([](Producer& p) { p.array.dictionary = &p.array; });
  is_refused([](Producer& p) { p.array.release = nullptr; });
  is_refused([](Producer& p) { p.schema.release = nullptr; });
  is_refused([](Producer& p) { p.schema.format = nullptr; });
  is_refused([](Producer& p) { p.schema.n_children = -1; });
  is_refused([](Producer& p) { p.schema.metadata = "\xff\xff\xff\xff"; });
}

// The format says that a null column has no buffers. Polars gives one, the validity bitmap that
// arrays of this type had in Arrow 0.x, and its contents mean nothing.
TEST(Input, ANullColumnMayHaveAValidityBuffer) {
  const auto status_of = [](std::vector<const void*> buffers) {
    Producer producer("n", 4, std::move(buffers));
    return producer.give().error();
  };
  EXPECT_TRUE(status_of({}).ok());
  EXPECT_TRUE(status_of({nullptr}).ok());
  EXPECT_TRUE(status_of({kNumbers}).ok());
  EXPECT_EQ(status_of({nullptr, nullptr}).message(),
            "column 'a' of values: n_buffers is 2, must be 0 or 1");
}

TEST(Input, ASchemaThatContainsItself) {
  Producer producer("+s", 4, {nullptr});
  ArrowSchema* children[] = {&producer.schema, &producer.schema};
  producer.schema.n_children = 2;
  producer.schema.children = children;
  // The structure is moved, so its children point to what is released now.
  EXPECT_EQ(producer.give().error().code(), ErrorCode::kInvalidArgument);
  ArrowSchema cycle{};
  cycle.format = "+s";
  cycle.release = [](ArrowSchema*) {};
  ArrowSchema* both[] = {&cycle, &cycle};
  cycle.n_children = 2;
  cycle.children = both;
  EXPECT_EQ(read_field(cycle, {"values", "", false}).error().code(), ErrorCode::kInvalidArgument);
}

TEST(Input, UnsupportedTypesByName) {
  constexpr std::pair<const char*, const char*> kTypes[] = {{"+l", "list"},
                                                            {"+m", "map"},
                                                            {"+ud:0", "union"},
                                                            {"+r", "run_end_encoded"},
                                                            {"?", "of format '?'"}};
  for (const auto& [format, name] : kTypes) {
    Producer producer(format, 0, {});
    const Status status = producer.give().error();
    EXPECT_EQ(status.code(), ErrorCode::kUnsupported);
    EXPECT_TRUE(status.message().starts_with("column 'a' of values has the type " +
                                             std::string(name) + ","))
        << status.message();
  }
  const Status dictionary = broken([](Producer& p) { p.schema.dictionary = &p.schema; });
  EXPECT_TRUE(dictionary.message().starts_with("column 'a' of values has the type dictionary,"));
}

TEST(Formats, Widths) {
  constexpr std::pair<const char*, std::int64_t> kWidths[] = {{"c", 1},
                                                              {"S", 2},
                                                              {"g", 8},
                                                              {"e", 2},
                                                              {"d:10,2", 16},
                                                              {"tdD", 4},
                                                              {"tsu:UTC", 8},
                                                              {"tsn:", 8},
                                                              {"tin", 16},
                                                              {"d:5,2,32", 4},
                                                              {"w:0", 0},
                                                              {"d:40,2,256", 32},
                                                              {"w:2147483647", 2147483647}};
  for (const auto& [format, width] : kWidths) {
    const std::optional<Format> type = parse_format(format);
    ASSERT_TRUE(type && type->layout == Layout::kFixed) << format;
    EXPECT_EQ(type->width, width) << format;
  }
  for (const char* const format :
       {"", "w:", "w:-1", "w:99999999999", "w:3x", "d:1", "d:1,2,7", "tsx:", "ts", "+w:-2", "vx"})
    EXPECT_FALSE(parse_format(format)) << format;
}

// A stream whose second array is an error.
TEST(Input, AStreamThatFails) {
  struct State {
    Producer first{"i", 4, {nullptr, kNumbers}};
    int given = 0;
    int released = 0;
  } state;
  ArrowArrayStream stream{};
  stream.private_data = &state;
  stream.get_schema = [](ArrowArrayStream* from, ArrowSchema* out) {
    Producer& producer = static_cast<State*>(from->private_data)->first;
    *out = producer.schema;
    return 0;
  };
  stream.get_next = [](ArrowArrayStream* from, ArrowArray* out) {
    auto& held = *static_cast<State*>(from->private_data);
    if (held.given++ > 0) return EIO;
    *out = held.first.array;
    return 0;
  };
  stream.get_last_error = [](ArrowArrayStream*) { return "the disk is gone"; };
  stream.release = [](ArrowArrayStream* from) {
    ++static_cast<State*>(from->private_data)->released;
    from->release = nullptr;
  };
  const Status status = Input::from_stream(&stream, "ids").error();
  EXPECT_EQ(status.code(), ErrorCode::kIo);
  EXPECT_EQ(status.message(), "ids: the stream failed: the disk is gone");
  EXPECT_EQ(state.released, 1);
  EXPECT_EQ(state.first.released, 2);
}

}  // namespace
}  // namespace windrow::arrow
