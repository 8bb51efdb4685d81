#include "tools/windrow/output_files.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "tools/windrow/console.h"
#include "tools/windrow/input_files.h"

namespace windrow::tool {
namespace {

constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGXCPU};

// What the handler reads. It is written while no handler is set, or while the signals wait.
std::atomic<LastAct*> last_act = nullptr;  // the first of a list
static_assert(std::atomic<LastAct*>::is_always_lock_free);
pthread_t owner;
std::array<struct sigaction, kSignals.size()> before;

sigset_t ending_signals() noexcept {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : kSignals) sigaddset(&set, signal);
  return set;
}

void give_back(int signal) noexcept {
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    if (kSignals[i] == signal) sigaction(signal, &before[i], nullptr);
  }
}

// Only functions that a handler may call (signal-safety(7)).
void end(int signal) {
  const int error = errno;
  if (pthread_equal(pthread_self(), owner) == 0) {
    pthread_kill(owner, signal);  // the one thread that makes and renames files
  } else {
    perform_last_acts();
    give_back(signal);
    raise(signal);  // arrives when this handler returns
  }
  errno = error;
}

}  // namespace

void perform_last_acts() noexcept {
  for (LastAct* act = last_act.exchange(nullptr); act != nullptr; act = act->next_) act->perform();
}

EndingSignals::EndingSignals(LastAct& act) noexcept : act_(act) {
  const EndingSignalsHeld held;
  owner = pthread_self();
  act.next_ = last_act.exchange(&act);
  if (act.next_ != nullptr) return;  // the handlers are set
  struct sigaction action = {};
  action.sa_handler = &end;
  action.sa_mask = ending_signals();
  action.sa_flags = SA_RESTART;
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], nullptr, &before[i]);
    const bool is_ignored =
        (before[i].sa_flags & SA_SIGINFO) == 0 && before[i].sa_handler == SIG_IGN;
    if (!is_ignored) sigaction(kSignals[i], &action, nullptr);
  }
}

EndingSignals::~EndingSignals() {
  const EndingSignalsHeld held;
  if (last_act == &act_) {
    last_act = act_.next_;
  } else {
    for (LastAct* act = last_act; act != nullptr; act = act->next_)
      if (act->next_ == &act_) act->next_ = act_.next_;
  }
  if (last_act != nullptr) return;
  for (const int signal : kSignals) give_back(signal);
}

EndingSignalsHeld::EndingSignalsHeld() noexcept {
  const sigset_t set = ending_signals();
  pthread_sigmask(SIG_BLOCK, &set, &before_);
}

namespace {

namespace fs = std::filesystem;

// System calls alone: a signal handler calls it.
void remove_files(int folder) noexcept {
  alignas(dirent64) char entries[4096];
  while (true) {
    lseek(folder, 0, SEEK_SET);
    bool removed = false;
    const ssize_t bytes = getdents64(folder, entries, sizeof entries);
    for (ssize_t at = 0; at < bytes;) {
      const auto* const entry = reinterpret_cast<const dirent64*>(entries + at);
      removed = unlinkat(folder, entry->d_name, 0) == 0 || removed;
      at += entry->d_reclen;
    }
    if (!removed) return;
  }
}

}  // namespace

StagingFolder::StagingFolder(const fs::path& folder, bool make_folder, const fs::path& target) {
  const EndingSignalsHeld held;
  signals_.emplace(static_cast<LastAct&>(*this));
  try {
    if ((make_folder && !make_parents(folder)) || !make(folder)) {
      const std::string reason = std::generic_category().message(errno);
      fail(ErrorCode::kIo, fmt::format("cannot write '{}': {}", target.string(), reason));
    }
  } catch (...) {
    perform();
    throw;
  }
}

StagingFolder::~StagingFolder() {
  const EndingSignalsHeld held;
  perform();
  signals_.reset();
}

bool StagingFolder::make(const fs::path& folder) {
  std::string name = (folder / ".windrow-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return false;
  path_.swap(name);
  fd_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return fd_ >= 0;
}

bool StagingFolder::make_parents(const fs::path& folder) {
  fs::path part;
  for (const fs::path& name : folder) {
    part /= name;
    std::string made = part.string();
    made_.reserve(made_.size() + 1);
    if (mkdir(made.c_str(), 0777) == 0) {
      made_.push_back(std::move(made));
    } else if (const int error = errno; access(made.c_str(), F_OK) != 0) {
      errno = error;
      return false;
    }
  }
  return true;
}

void StagingFolder::perform() noexcept {
  if (gone_) return;
  gone_ = true;
  if (fd_ >= 0) {
    remove_files(fd_);
    close(fd_);
  }
  if (!path_.empty()) rmdir(path_.c_str());
  if (keeps_folder_) return;
  std::for_each(made_.rbegin(), made_.rend(),
                [](const std::string& folder) { rmdir(folder.c_str()); });
}

namespace {

namespace fs = std::filesystem;

std::string file_stem(const std::string& name) {
  std::string stem = name;
  for (char& c : stem) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '_' || c == '-' || c == '.';
    if (!plain) c = '_';
  }
  // A leading dot would hide the file.
  if (stem.empty() || stem[0] == '.') stem.insert(0, "_");
  return stem;
}

// One file name per tensor, no two the same.
std::vector<std::string> file_names(const NamedTensors& tensors, const std::string& format) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const auto& [name, tensor] : tensors) {
    const std::string stem = file_stem(name);
    std::string file = stem + "." + format;
    for (int i = 2; !taken.insert(file).second; ++i)
      file = fmt::format("{}_{}.{}", stem, i, format);
    names.push_back(file);
  }
  return names;
}

fs::path folder_of(const fs::path& file) {
  if (file == kStandardStream) return fs::temp_directory_path();
  return file.has_parent_path() ? file.parent_path() : ".";
}

}  // namespace

void OutputFiles::check_targets(const std::vector<Target>& targets, Console& console) {
  const Target* taken = nullptr;
  for (const Target& target : targets) {
    if (target.file != kStandardStream) continue;
    if (taken != nullptr)
      fail(ErrorCode::kInvalidArgument, fmt::format("{} - and {} -: standard output takes one file",
                                                    taken->option, target.option));
    taken = &target;
    if (console.json())
      fail(ErrorCode::kInvalidArgument,
           fmt::format("{} - and JSON: standard output takes one of them", target.option));
    if (target.content == Content::kBinary && ::isatty(STDOUT_FILENO) == 1)
      fail(ErrorCode::kInvalidArgument,
           fmt::format("{} -: standard output is a terminal, and what would be written is binary: "
                       "name a file, or put a pipe or > FILE behind the command",
                       target.option));
  }
  if (taken != nullptr) console.report_on_errors();
}

OutputFiles::OutputFiles(const fs::path& path, Into into, std::string ending)
    : folder_(into == Into::kFolder ? path : folder_of(path)),
      for_stream_("standard_output" + ending),
      has_stream_(path == kStandardStream),
      staging_(folder_, into == Into::kFolder, path),
      files_(staging_.path()) {}

fs::path OutputFiles::target_of(const fs::path& path) const {
  return path == kStandardStream ? staging_.path() / for_stream_ : path;
}

void OutputFiles::add(const NamedTensors& tensors, const std::string& format) {
  const std::vector<std::string> names = file_names(tensors, format);
  for (std::size_t i = 0; i < names.size(); ++i) {
    try {
      add(tensors[i].second, folder_ / names[i], tensors[i].first);
    } catch (const Error& error) {
      throw Error(error.status().with_context(fmt::format("output '{}'", tensors[i].first)));
    }
  }
}

void OutputFiles::add(const Tensor& tensor, const fs::path& path, const std::string& name) {
  note_added(files_.add(tensor, target_of(path), name), path);
}

void OutputFiles::add_archive(const NamedTensors& tensors, const fs::path& path) {
  note_added(files_.add_archive(tensors, target_of(path)), path);
}

void OutputFiles::add_text(std::string_view text, const fs::path& path) {
  note_added(files_.add_text(text, target_of(path)), path);
}

void OutputFiles::add_model(const Model& model, const fs::path& path) {
  note_added(files_.add_model(model, target_of(path)), path);
}

void OutputFiles::note_added(const Status& saved, const fs::path& path) {
  if (!saved) throw Error(saved);
  paths_.push_back(path);
}

void OutputFiles::commit() { commit_all({this}); }

void OutputFiles::commit_all(std::initializer_list<OutputFiles*> all) {
  {
    const EndingSignalsHeld held;
    for (OutputFiles* const files : all) {
      if (files == nullptr) continue;
      const Status done = files->files_.commit();
      if (!done) throw Error(done);
      files->staging_.keep_folder();
    }
  }
  for (const OutputFiles* const files : all)
    if (files != nullptr && files->has_stream_) files->copy_to_standard_output();
}

void OutputFiles::copy_to_standard_output() const {
  const fs::path path = staging_.path() / for_stream_;
  std::ifstream file(path, std::ios::binary);
  std::vector<char> block(std::size_t{1} << 16);
  while (file.read(block.data(), static_cast<std::streamsize>(block.size())), file.gcount() > 0)
    write_standard_output({block.data(), static_cast<std::size_t>(file.gcount())});
}

std::string shown_output(const std::string& text) {
  return text == kStandardStream ? "standard output" : text;
}

std::string refuse_empty_name(const std::string& name) {
  return name.empty() ? "the name is empty" : "";
}

}  // namespace windrow::tool
