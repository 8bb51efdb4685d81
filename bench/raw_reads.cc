// The limit of reading a table: blocks of a file are read by io_uring past the page cache, and
// nothing else is done.
//
//   windrow_raw_reads FILE LIST DEPTH
//
// LIST holds two 64-bit integers for each read, in the order in which they begin: its first byte
// and its length. DEPTH is the number of reads under way at a time. Prints the seconds from the
// first read to the end of the last. Exit code 1, with a message: a read failed or came short.

#include <fcntl.h>
#include <liburing.h>
#include <sys/mman.h>
#include <sys/uio.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

struct Block {
  std::int64_t offset;
  std::int64_t bytes;
};

[[noreturn]] void fail(const std::string& what, int error) {
  std::fprintf(stderr, "windrow_raw_reads: %s: %s\n", what.c_str(), std::strerror(error));
  std::exit(1);
}

std::vector<Block> read_list(const char* path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  std::vector<Block> blocks(file ? static_cast<std::size_t>(file.tellg()) / sizeof(Block) : 0);
  file.seekg(0).read(reinterpret_cast<char*>(blocks.data()),
                     static_cast<std::streamsize>(blocks.size() * sizeof(Block)));
  if (!file) fail(std::string("cannot read ") + path, errno);
  return blocks;
}

// One file and a slot of memory for each read under way, both known to the kernel beforehand, so
// that a read costs it as little as it can.
class Reader {
 public:
  Reader(const char* path, unsigned depth, std::int64_t slot_bytes)
      : slot_bytes_(slot_bytes), blocks_(depth) {
    const int file = ::open(path, O_RDONLY | O_DIRECT | O_CLOEXEC);
    if (file < 0) fail(std::string("cannot open ") + path + " past the page cache", errno);
    const std::size_t bytes = depth * static_cast<std::size_t>(slot_bytes);
    void* memory = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) fail("no memory", errno);
    slots_ = static_cast<char*>(memory);
    const iovec all = {memory, bytes};
    int error = io_uring_queue_init(depth, &ring_, 0);
    if (error == 0) error = io_uring_register_files(&ring_, &file, 1);
    if (error == 0) error = io_uring_register_buffers(&ring_, &all, 1);
    if (error != 0) fail("no io_uring", -error);
    for (unsigned slot = 0; slot < depth; ++slot) free_.push_back(slot);
  }

  void run(const std::vector<Block>& list) {
    std::size_t next = 0;
    while (next < list.size() || free_.size() < blocks_.size()) {
      for (; next < list.size() && !free_.empty(); ++next) start(list[next]);
      const int error = io_uring_submit_and_wait(&ring_, 1);
      if (error < 0 && error != -EINTR) fail("io_uring", -error);
      collect();
    }
  }

 private:
  void start(const Block& block) {
    const unsigned slot = free_.back();
    free_.pop_back();
    blocks_[slot] = block;
    io_uring_sqe* entry = io_uring_get_sqe(&ring_);
    io_uring_prep_read_fixed(entry, 0, slots_ + slot * slot_bytes_,
                             static_cast<unsigned>(block.bytes),
                             static_cast<std::uint64_t>(block.offset), 0);
    entry->flags |= IOSQE_FIXED_FILE;
    entry->user_data = slot;
  }

  void collect() {
    io_uring_cqe* entry = nullptr;
    unsigned head = 0;
    unsigned count = 0;
    io_uring_for_each_cqe(&ring_, head, entry) {
      const auto slot = static_cast<unsigned>(entry->user_data);
      const Block& block = blocks_[slot];
      if (entry->res != block.bytes)
        fail("a read at byte " + std::to_string(block.offset) + " got " +
                 std::to_string(entry->res) + " bytes instead of " + std::to_string(block.bytes),
             entry->res < 0 ? -entry->res : 0);
      free_.push_back(slot);
      ++count;
    }
    io_uring_cq_advance(&ring_, count);
  }

  io_uring ring_ = {};
  char* slots_ = nullptr;
  std::int64_t slot_bytes_;
  std::vector<Block> blocks_;  // by slot
  std::vector<unsigned> free_;
};

}  // namespace

int main(int count, char** words) {
  const int depth = count == 4 ? std::atoi(words[3]) : 0;
  if (depth < 1) {
    std::fprintf(stderr, "usage: windrow_raw_reads FILE LIST DEPTH\n");
    return 2;
  }
  const std::vector<Block> list = read_list(words[2]);
  std::int64_t longest = 512;
  for (const Block& block : list) longest = std::max(longest, block.bytes);
  Reader reader(words[1], static_cast<unsigned>(depth), (longest + 4095) / 4096 * 4096);
  const auto begin = std::chrono::steady_clock::now();
  reader.run(list);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
  std::printf("%.9f\n", seconds.count());
  return 0;
}
