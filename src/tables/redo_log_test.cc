#include "src/tables/redo_log.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "src/tables/checksum.h"
#include "src/tables/recording_disk.h"

namespace windrow::internal {
namespace {

// File 0 is the log, the others are targets with a header of this number of bytes.
constexpr std::int64_t kHeader = 64;

struct Put {
  std::size_t target;
  std::int64_t offset;
  std::string bytes;
};
using Call = std::vector<Put>;

Contents after(Contents contents, const Call& call) {
  for (const Put& put : call)
    contents[put.target + 1].replace(static_cast<std::size_t>(put.offset), put.bytes.size(),
                                     put.bytes);
  contents[0].clear();
  return contents;
}

// A log over a disk's files.
class Logged {
 public:
  explicit Logged(RecordingDisk& disk, bool syncs = true, std::string identity = "these files")
      : log_file_(disk, 0) {
    std::vector<RedoTarget> targets;
    for (std::size_t i = 1; i < disk.now().size(); ++i)
      files_.push_back(std::make_unique<RecordingFile>(disk, i));
    for (const auto& file : files_) targets.push_back({file.get(), kHeader, *file->size()});
    log_.emplace(log_file_, targets, std::move(identity), syncs);
  }
  RedoLog& log() { return *log_; }
  Status write(const Call& call) {
    std::vector<RedoWrite> writes;
    for (const Put& put : call)
      writes.push_back({put.target, put.offset, std::as_bytes(std::span(put.bytes))});
    return log_->write(writes);
  }

 private:
  RecordingFile log_file_;
  std::vector<std::unique_ptr<RecordingFile>> files_;
  std::optional<RedoLog> log_;
};

Call drawn_call(std::mt19937_64& random, const Contents& contents, std::int64_t most_bytes) {
  Call call;
  for (std::size_t target = 0; target + 1 < contents.size(); ++target) {
    const auto size = static_cast<std::int64_t>(contents[target + 1].size());
    for (std::int64_t at = kHeader + static_cast<std::int64_t>(random() % 300); at < size;) {
      const std::int64_t bytes = std::min<std::int64_t>(
          size - at, 1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(most_bytes)));
      std::string text(static_cast<std::size_t>(bytes), '\0');
      for (char& letter : text) letter = static_cast<char>(random());
      call.push_back({target, at, text});
      at += bytes + 400 + static_cast<std::int64_t>(random() % 900);
    }
  }
  return call;
}

Contents first_contents(std::int64_t bytes) {
  return {"", std::string(static_cast<std::size_t>(bytes), 'a'),
          std::string(static_cast<std::size_t>(bytes / 2), 'b')};
}

// Some calls on a disk, and what may be left of them.
struct History {
  History(std::int64_t file_bytes, std::int64_t most_bytes, int calls, bool syncs,
          std::mt19937_64& random, std::optional<std::size_t> unsynced = std::nullopt)
      : disk(first_contents(file_bytes)) {
    disk.unsynced = unsynced;
    Logged logged(disk, syncs);
    states.push_back(disk.now());
    for (int i = 0; i < calls; ++i) {
      const Call call = drawn_call(random, disk.now(), most_bytes);
      begins.push_back(disk.operations().size());
      EXPECT_TRUE(logged.write(call));
      ends.push_back(disk.operations().size());
      states.push_back(after(states.back(), call));
      EXPECT_EQ(disk.now(), states.back());
    }
  }

  // The state before or after the call that operation number `count` is part of; after it if it
  // had returned.
  bool allows(std::size_t count, const Contents& contents) const {
    std::size_t returned = 0;
    while (returned < ends.size() && ends[returned] <= count) ++returned;
    if (contents == states[returned]) return true;
    return returned < begins.size() && begins[returned] < count && contents == states[returned + 1];
  }

  RecordingDisk disk;
  std::vector<std::size_t> begins;
  std::vector<std::size_t> ends;
  std::vector<Contents> states;
};

// Recovers, and recovers again from losses during the recovery. The number of states that are
// neither before nor after the call.
int check_recovery(const History& history, std::size_t count, const Contents& left,
                   std::mt19937_64& random, std::uint64_t again) {
  RecordingDisk disk(left);
  Logged logged(disk);
  const Status status = logged.log().recover();
  EXPECT_TRUE(status) << status.message();
  int wrong = history.allows(count, disk.now()) ? 0 : 1;
  for (std::uint64_t i = 0; i < again; ++i)
    disk.lose_power(
        random() % (disk.operations().size() + 1), 1, random,
        [&](const Contents& twice) { wrong += check_recovery(history, count, twice, random, 0); });
  return wrong;
}

// Ends after the first number of operations at which there are `enough`.
int wrong_states(const History& history, std::uint64_t most, std::mt19937_64& random,
                 int enough = std::numeric_limits<int>::max()) {
  int wrong = 0;
  for (std::size_t count = 0; count <= history.disk.operations().size() && wrong < enough; ++count)
    history.disk.lose_power(count, most, random, [&](const Contents& left) {
      wrong += check_recovery(history, count, left, random, 1);
    });
  return wrong;
}

TEST(RedoLogTest, KnowsTheChecksum) {
  Checksum checksum;
  checksum.add(std::as_bytes(std::span("123456789", 9)));
  EXPECT_EQ(checksum.value(), 0x995dc9bbdf1939fa);
}

TEST(RedoLogTest, EveryLossOfPowerInSmallCalls) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 20; ++i)
    EXPECT_EQ(wrong_states(History(1500, 300, 3, true, random), 1 << 13, random), 0);
}

TEST(RedoLogTest, RandomLossesOfPowerInLargerCalls) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE(seed);
  std::mt19937_64 random(seed);
  for (int i = 0; i < 4; ++i)
    EXPECT_EQ(wrong_states(History(40000, 3000, 4, true, random), 25, random), 0);
}

TEST(RedoLogTest, EverySyncIsNeeded) {
  std::mt19937_64 random(3);
  for (const std::size_t file : {0, 1, 2})
    EXPECT_GT(wrong_states(History(1500, 300, 3, true, random, file), 1 << 12, random, 1), 0)
        << file;
}

TEST(RedoLogTest, EveryEndOfTheProcess) {
  std::mt19937_64 random(4);
  for (const bool syncs : {false, true}) {
    const History history(1500, 300, 3, syncs, random);
    const auto& operations = history.disk.operations();
    for (std::size_t count = 0; count < operations.size(); ++count)
      for (std::size_t bytes = 0; bytes <= operations[count].bytes.size(); ++bytes) {
        const Contents left = history.disk.killed(count, bytes);
        ASSERT_EQ(check_recovery(history, count + (bytes > 0 ? 1 : 0), left, random, 0), 0);
      }
  }
}

// One operation fails, or all from one on.
void fail_at(std::size_t number, bool for_good) {
  std::mt19937_64 random(5);
  RecordingDisk disk(first_contents(1500));
  Logged logged(disk);
  const Contents before = disk.now();
  const Call call = drawn_call(random, before, 300);
  const Call next = drawn_call(random, before, 300);
  disk.fails = [&](std::size_t i) { return for_good ? i >= number : i == number; };
  const Status status = logged.write(call);
  const bool is_pending = logged.log().is_pending();
  EXPECT_TRUE(!is_pending || !status);
  Contents now = disk.now();
  now[0].clear();
  EXPECT_TRUE(status || is_pending || now == before) << number;
  EXPECT_TRUE(!status || now == after(before, call)) << number;
  EXPECT_TRUE(!is_pending || status.message().find("'file0' and") != std::string::npos);
  // Another process, and this one, which goes on.
  RecordingDisk other(disk.now());
  ASSERT_TRUE(Logged(other).log().recover());
  EXPECT_TRUE(other.now() == before || other.now() == after(before, call)) << number;
  EXPECT_TRUE(!status || other.now() == after(before, call)) << number;
  disk.fails = nullptr;
  ASSERT_TRUE(logged.write(next));
  EXPECT_TRUE(disk.now() == after(before, next) || disk.now() == after(after(before, call), next));
  EXPECT_FALSE(logged.log().is_pending());
}

TEST(RedoLogTest, EveryFailure) {
  for (std::size_t number = 0; number < 16; ++number)
    for (const bool for_good : {false, true}) fail_at(number, for_good);
}

// The log of a call that was ended before its targets were written.
Contents with_whole_log(std::mt19937_64& random, Contents* completed) {
  const History history(1500, 300, 1, true, random);
  const auto& operations = history.disk.operations();
  std::size_t count = 0;
  while (operations[count].file == 0) ++count;
  *completed = history.states[1];
  return history.disk.killed(count, 0);
}

TEST(RedoLogTest, AppliesAWholeLogOnlyToItsFiles) {
  std::mt19937_64 random(6);
  Contents completed;
  const Contents left = with_whole_log(random, &completed);
  RecordingDisk own(left);
  RecordingFile log_file(own, 0);
  EXPECT_TRUE(*RedoLog::holds_call(log_file));
  for (const std::string& identity : {std::string("those files"), std::string("these filez")}) {
    Logged foreign(own, true, identity);
    const Status status = foreign.log().recover();
    ASSERT_FALSE(status);
    EXPECT_EQ(status.code(), ErrorCode::kUnsupported);
    EXPECT_NE(status.message().find("'file0' holds a call"), std::string::npos);
    EXPECT_EQ(own.now(), left);
  }
  EXPECT_TRUE(Logged(own).log().recover());
  EXPECT_EQ(own.now(), completed);
  EXPECT_FALSE(*RedoLog::holds_call(log_file));
}

TEST(RedoLogTest, DropsALogOfWhichAnyByteIsWrong) {
  std::mt19937_64 random(7);
  Contents completed;
  const Contents left = with_whole_log(random, &completed);
  for (std::size_t i = 0; i < left[0].size(); ++i) {
    Contents wrong = left;
    wrong[0][i] = static_cast<char>(wrong[0][i] ^ (1 << random() % 8));
    RecordingDisk disk(wrong);
    ASSERT_TRUE(Logged(disk).log().recover());
    wrong[0].clear();
    ASSERT_EQ(disk.now(), wrong);
    wrong[0] = left[0].substr(0, i);
    RecordingDisk cut(wrong);
    ASSERT_TRUE(Logged(cut).log().recover());
    wrong[0].clear();
    ASSERT_EQ(cut.now(), wrong);
  }
}

TEST(RedoLogTest, NeverWritesOutsideOfItsTargets) {
  std::mt19937_64 random(8);
  Contents completed;
  Contents left = with_whole_log(random, &completed);
  left[2].resize(kHeader);  // the second target has no room for what its log says
  RecordingDisk disk(left);
  EXPECT_FALSE(Logged(disk).log().recover());
  EXPECT_EQ(disk.now(), left);
  Logged logged(disk, true);
  EXPECT_FALSE(logged.write({{0, kHeader - 1, "ab"}}));
  RecordingDisk other(first_contents(1500));
  EXPECT_EQ(Logged(other).write({{0, 1499, "ab"}}).code(), ErrorCode::kInternal);
  EXPECT_EQ(other.now(), first_contents(1500));
}

}  // namespace
}  // namespace windrow::internal
