#include "tests/attack/watched_memory.h"

#include <sys/mman.h>
#include <sys/ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <stdexcept>

namespace windrow::tests {
namespace {

constexpr std::size_t kAlignment = 64;
constexpr long long kTrapFlag = 0x100;

std::size_t round_up(std::size_t bytes, std::size_t to) { return (bytes + to - 1) / to * to; }

void* map_shared(int file, std::size_t bytes, int protection) {
  void* memory = mmap(nullptr, bytes, protection, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) throw std::runtime_error("mmap failed");
  return memory;
}

}  // namespace

// The run that is under way. Signal handlers find it here; they call nothing but memcpy and
// mprotect.
struct WatchedMemory::Watch {
  WatchedMemory* memory = nullptr;
  const Changes* changes = nullptr;
  std::int64_t reads = 0;
  bool open = false;  // one instruction is running
  struct sigaction fault_before = {};
  struct sigaction step_before = {};
};

WatchedMemory::Watch WatchedMemory::watch;

WatchedMemory::WatchedMemory(std::size_t bytes) : bytes_(bytes) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  mapped_ = round_up(bytes, page);
  const int file = memfd_create("watched", 0);
  // One page more than the file has: reading it is a bus error.
  if (file < 0 || ftruncate(file, static_cast<off_t>(mapped_)) != 0)
    throw std::runtime_error("memfd_create failed");
  watched_ = static_cast<std::byte*>(map_shared(file, mapped_ + page, PROT_READ));
  alias_ = static_cast<std::byte*>(map_shared(file, mapped_, PROT_READ | PROT_WRITE));
  close(file);
  data_ = watched_ + (mapped_ - round_up(bytes, kAlignment));
}

WatchedMemory::~WatchedMemory() {
  munmap(watched_, mapped_ + static_cast<std::size_t>(sysconf(_SC_PAGESIZE)));
  munmap(alias_, mapped_);
}

void WatchedMemory::fill(std::span<const std::byte> contents) {
  std::memcpy(alias_ + (data_ - watched_), contents.data(), bytes_);
}

// A fault elsewhere, or a write to the memory, is the call's own: it comes again, to the handler
// that was there before.
void WatchedMemory::on_fault(int signal, void* info, void* context) {
  const auto* at = static_cast<std::byte*>(static_cast<siginfo_t*>(info)->si_addr);
  const WatchedMemory& memory = *watch.memory;
  if (watch.open || at < memory.watched_ || at >= memory.watched_ + memory.mapped_) {
    sigaction(signal, &watch.fault_before, nullptr);
    return;
  }
  watch.open = true;
  mprotect(memory.watched_, memory.mapped_, PROT_READ);
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] |= kTrapFlag;
}

void WatchedMemory::on_step(void* context) {
  static_cast<ucontext_t*>(context)->uc_mcontext.gregs[REG_EFL] &= ~kTrapFlag;
  if (watch.open) watch.memory->step();
}

void WatchedMemory::step() {
  const Changes& changes = *watch.changes;
  const std::int64_t since = watch.reads++ - changes.first;
  watch.open = false;
  if (changes.first >= 0 && since >= 0 &&
      (since == 0 || (changes.every > 0 && since % changes.every == 0))) {
    const bool other = changes.every > 0 && since / changes.every % 2 == 1;
    fill(other ? changes.others : changes.contents);
    if (changes.every == 0) return;
  }
  mprotect(watched_, mapped_, PROT_NONE);
}

std::int64_t WatchedMemory::run(const Changes& changes, const std::function<void()>& call) {
  watch = Watch{};
  watch.memory = this;
  watch.changes = &changes;
  struct sigaction action = {};
  action.sa_flags = SA_SIGINFO;
  action.sa_sigaction = [](int signal, siginfo_t* info, void* context) {
    on_fault(signal, info, context);
  };
  sigaction(SIGSEGV, &action, &watch.fault_before);
  action.sa_sigaction = [](int, siginfo_t*, void* context) { on_step(context); };
  sigaction(SIGTRAP, &action, &watch.step_before);
  mprotect(watched_, mapped_, PROT_NONE);
  call();
  mprotect(watched_, mapped_, PROT_READ);
  sigaction(SIGSEGV, &watch.fault_before, nullptr);
  sigaction(SIGTRAP, &watch.step_before, nullptr);
  return watch.reads;
}

}  // namespace windrow::tests
