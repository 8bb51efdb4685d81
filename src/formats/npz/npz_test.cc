#include <gtest/gtest.h>
#include <zlib.h>

#include <functional>
#include <optional>
#include <random>

#include "src/formats/archive.h"
#include "src/formats/npy/npy.h"
#include "src/formats/npz/zip_directory.h"
#include "src/formats/test_support.h"
#include "windrow/tensor_archive.h"

namespace windrow::internal {
namespace {

struct Written {
  std::string name = "a.npy";
  std::string bytes;              // as they stand in the archive
  std::uint64_t method = 0;       // in both headers
  std::uint64_t flags = 0;        // in the directory
  std::uint64_t size = 0;         // of the member
  std::uint64_t stored_size = 0;  // as the directory says
  std::uint64_t crc = 0;
  bool has_size64 = false;  // whether the directory gives the sizes in 64 bits
  std::optional<std::uint64_t> header = std::nullopt;  // where the directory says that it begins
};

// What a .npy file of the tensor has in it.
std::string npy_bytes(const Tensor& tensor) {
  const TestFolder folder;
  EXPECT_TRUE(save_tensor(tensor, folder / "t.npy").ok());
  return read_bytes(folder / "t.npy");
}

std::uint64_t checksum(const std::string& bytes) {
  return crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uInt>(bytes.size()));
}

std::string deflated(const std::string& bytes) {
  std::string out(bytes.size() + 1000, '\0');
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

Written stored(const std::string& bytes) {
  Written member;
  member.bytes = bytes;
  member.size = member.stored_size = bytes.size();
  member.crc = checksum(bytes);
  return member;
}

Written deflate_member(const std::string& bytes) {
  Written member = stored(bytes);
  member.bytes = deflated(bytes);
  member.stored_size = member.bytes.size();
  member.method = 8;
  return member;
}

void append(std::string& text, std::size_t size, std::initializer_list<std::uint64_t> values) {
  for (const std::uint64_t value : values) append_little_endian(value, size, text);
}

// A zip archive written apart from the writer under test.
std::string archive_of(const std::vector<Written>& members, const std::string& comment = "") {
  std::string file;
  std::string directory;
  for (const Written& member : members) {
    const std::uint64_t header = member.header.value_or(file.size());
    append(file, 4, {kLocalHeader});
    append(file, 2, {20, 0, member.method, 0, 33});
    append(file, 4, {member.crc, member.stored_size, member.size});
    append(file, 2, {member.name.size(), 0});
    file += member.name + member.bytes;
    append(directory, 4, {kDirectoryEntry});
    append(directory, 2, {20, 20, member.flags, member.method, 0, 33});
    append(directory, 4, {member.crc});
    if (member.has_size64) {
      append(directory, 4, {kIn64Bits, kIn64Bits});
    } else {
      append(directory, 4, {member.stored_size, member.size});
    }
    append(directory, 2, {member.name.size(), member.has_size64 ? 20U : 0U, 0, 0, 0});
    append(directory, 4, {0, header});
    directory += member.name;
    if (member.has_size64) {
      append(directory, 2, {kExtra64, 16});
      append(directory, 8, {member.size, member.stored_size});
    }
  }
  const std::uint64_t offset = file.size();
  file += directory;
  append(file, 4, {kDirectoryEnd});
  append(file, 2, {0, 0, members.size(), members.size()});
  append(file, 4, {directory.size(), offset});
  append(file, 2, {comment.size()});
  return file + comment;
}

Result<Tensor> load_first(const std::string& bytes, DType expected = DType::kAbsent) {
  Archive archive = open_npz(std::make_shared<MemorySource>(bytes));
  if (!archive) return archive.error();
  if ((*archive)->names().empty()) return Status(ErrorCode::kInvalidArgument, "no array");
  return (*archive)->load(0, expected);
}

TEST(Npz, EveryTypeComesBackFromAnArchiveOfMany) {
  const TestFolder folder;
  NamedTensors tensors;
  for (const DType type : all_dtypes())
    for (const Shape& shape : {Shape{3, 5}, Shape{}, Shape{0, 4}})
      tensors.emplace_back(std::string(dtype_name(type)) + to_string(shape), sample(type, shape));
  ASSERT_TRUE(save_tensors(tensors, folder / "all.npz").ok());
  const TensorArchive archive = TensorArchive::open(folder / "all.npz").value();
  ASSERT_EQ(archive.names().size(), tensors.size());
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    EXPECT_EQ(archive.names()[i], tensors[i].first);
    const Tensor& tensor = tensors[i].second;
    EXPECT_TRUE(same_bits(archive.load(tensors[i].first, tensor.dtype()).value(), tensor))
        << tensors[i].first;
  }
}

TEST(Npz, StoredAndDeflatedMembersAreRead) {
  const Tensor tensor = sample(DType::kFloat32, {300, 70});
  const std::string npy = npy_bytes(tensor);
  Written wide = stored(npy);
  wide.has_size64 = true;
  for (const Written& member : {stored(npy), deflate_member(npy), wide})
    EXPECT_TRUE(same_bits(load_first(archive_of({member})).value(), tensor));
  EXPECT_TRUE(same_bits(load_first(archive_of({stored(npy)}, "a comment")).value(), tensor));
}

TEST(Npz, DeflatedStringsAndColumnMajorOrderAreRead) {
  const Tensor texts = sample(DType::kString, {500, 9});
  EXPECT_TRUE(same_bits(load_first(archive_of({deflate_member(npy_bytes(texts))})).value(), texts));
}

TEST(Npz, MembersThatAreNoArraysArePassedOver) {
  Written note = stored("read me");
  note.name = "README";
  const Tensor tensor = sample(DType::kInt16, {4});
  EXPECT_TRUE(same_bits(load_first(archive_of({note, stored(npy_bytes(tensor))})).value(), tensor));
  EXPECT_EQ(load_first(archive_of({})).error().message(), "no array");
}

struct Fault {
  const char* name;
  std::function<void(Written&)> change;
  ErrorCode code;
  const char* text;
};

TEST(Npz, WhatADirectoryMustNotSay) {
  const std::string npy = npy_bytes(sample(DType::kInt64, {100}));
  const auto set_size = [](std::uint64_t size) {
    return [size](Written& member) {
      member.has_size64 = true;
      member.size = size;
    };
  };
  const std::vector<Fault> faults = {
      {"far bomb", set_size(std::uint64_t{1} << 40), ErrorCode::kFormat, "beyond the archive"},
      {"bomb", set_size(1032 * (npy.size() + 20)), ErrorCode::kFormat, ""},
      {"largest size", set_size(~std::uint64_t{0}), ErrorCode::kFormat, "beyond the archive"},
      {"negative size", set_size(std::uint64_t{1} << 63), ErrorCode::kFormat, "beyond the archive"},
      {"more than there is", set_size(npy.size() + 1), ErrorCode::kFormat, ""},
      {"less than there is", set_size(npy.size() - 1), ErrorCode::kFormat, ""},
      {"stored beyond", [](Written& m) { m.stored_size = 0x7fffffff; }, ErrorCode::kFormat,
       "beyond the archive"},
      {"stored less", [](Written& m) { --m.stored_size; }, ErrorCode::kFormat, ""},
      {"encrypted", [](Written& m) { m.flags = 1; }, ErrorCode::kUnsupported, "encrypted"},
      {"LZMA", [](Written& m) { m.method = 14; }, ErrorCode::kUnsupported, "method 14"},
      {"checksum", [](Written& m) { m.crc ^= 1; }, ErrorCode::kFormat, "checksum"},
      {"elsewhere", [](Written& m) { m.header = 1; }, ErrorCode::kFormat, "not where"},
      {"far away", [](Written& m) { m.header = 0xfffffff0; }, ErrorCode::kFormat, "beyond"},
      {"damaged", [](Written& m) { m.bytes[m.bytes.size() / 2] ^= 0x55; }, ErrorCode::kFormat, ""}};
  for (const Fault& fault : faults)
    for (Written member : {stored(npy), deflate_member(npy)}) {
      fault.change(member);
      const Status error = load_first(archive_of({member})).error();
      EXPECT_EQ(error.code(), fault.code) << fault.name << ": " << error.message();
      EXPECT_NE(error.message().find(fault.text), std::string::npos)
          << fault.name << ": " << error.message();
    }
}

TEST(Npz, ADeflatedMemberCannotBeMoreThanDeflateMakes) {
  Written member = deflate_member(npy_bytes(sample(DType::kInt64, {100})));
  member.has_size64 = true;
  member.size = 1032 * (member.stored_size + 1);
  EXPECT_NE(load_first(archive_of({member})).error().message().find("cannot have"),
            std::string::npos);
}

TEST(Npz, MembersThatShareBytesAreRefused) {
  const Written first = stored(npy_bytes(sample(DType::kInt8, {9})));
  Written second = first;
  second.header = 0;
  EXPECT_NE(load_first(archive_of({first, second})).error().message().find("shares bytes"),
            std::string::npos);
  // Quoting: the second's bytes are all of the first, headers too.
  const std::string inner = archive_of({first});
  Written outer = stored(inner);
  outer.name = "b.npy";
  Written inside = first;
  inside.header = 30 + outer.name.size();
  inside.bytes.clear();
  EXPECT_FALSE(load_first(archive_of({outer, inside})).ok());
}

// More than 16 bits can count: the directory's end is then one of 64 bits.
TEST(Npz, ManyMembers) {
  const TestFolder folder;
  NamedTensors tensors;
  for (int i = 0; i < 0x10001; ++i)
    tensors.emplace_back(std::to_string(i), Tensor::of<std::int32_t>({1}, {i}));
  ASSERT_TRUE(save_tensors(tensors, folder / "many.npz").ok());
  const TensorArchive archive = TensorArchive::open(folder / "many.npz").value();
  ASSERT_EQ(archive.names().size(), tensors.size());
  EXPECT_EQ(archive.load("65536").value().values<std::int32_t>()[0], 65536);
}

TEST(Npz, TwoArraysOfOneNameAreRefused) {
  const Written member = stored(npy_bytes(sample(DType::kInt8, {9})));
  EXPECT_NE(load_first(archive_of({member, member})).error().message().find("two members"),
            std::string::npos);
  const TestFolder folder;
  NamedTensors twice;
  for (int i = 0; i < 2; ++i) twice.emplace_back("x", sample(DType::kInt8, {1}));
  EXPECT_EQ(save_tensors(twice, folder / "t.npz").code(), ErrorCode::kInvalidArgument);
  EXPECT_EQ(save_tensors(twice, folder / "t.safetensors").code(), ErrorCode::kInvalidArgument);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

// Whatever is read of damaged archives, nothing is read outside of them (ASan) and it ends.
TEST(Npz, CutAndChangedArchivesAreErrorsOrTensors) {
  const std::string npy = npy_bytes(sample(DType::kFloat32, {40, 3}));
  Written wide = stored(npy);
  wide.has_size64 = true;
  wide.name = "w.npy";
  const std::string whole = archive_of({deflate_member(npy), wide}, "end");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(load_first(whole.substr(0, size)).ok()) << size;
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string changed = whole;
    for (int j = 0; j < 3; ++j) changed[random() % changed.size()] = static_cast<char>(random());
    (void)load_first(changed);
  }
}

TEST(Npz, AnArchiveOfSeveralTensorsNeedsAName) {
  const TestFolder folder;
  NamedTensors tensors;
  tensors.emplace_back("x", sample(DType::kInt8, {1}));
  tensors.emplace_back("y", sample(DType::kInt8, {2}));
  ASSERT_TRUE(save_tensors(tensors, folder / "two.npz").ok());
  const Status error = load_tensor(folder / "two.npz").error();
  EXPECT_EQ(error.code(), ErrorCode::kInvalidArgument);
  EXPECT_NE(error.message().find("has 2 tensors: x, y"), std::string::npos) << error.message();
  const TensorArchive archive = TensorArchive::open(folder / "two.npz").value();
  EXPECT_NE(archive.load("z").error().message().find("no tensor 'z'; it has 2 tensors: x, y"),
            std::string::npos);
}

TEST(Npz, AFileThatIsWrittenToWhileItIsOpenIsAnError) {
  const TestFolder folder;
  NamedTensors tensors;
  tensors.emplace_back("x", sample(DType::kInt8, {100}));
  ASSERT_TRUE(save_tensors(tensors, folder / "t.npz").ok());
  const TensorArchive archive = TensorArchive::open(folder / "t.npz").value();
  write_bytes(folder / "t.npz", "cut");
  EXPECT_EQ(archive.load("x").error().code(), ErrorCode::kFormat);
}

}  // namespace
}  // namespace windrow::internal
