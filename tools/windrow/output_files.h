#ifndef WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_
#define WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_

#include <pthread.h>

#include <csignal>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tools/windrow/console.h"
#include "windrow/models.h"

namespace windrow::tool {

// What is still to be done when a signal ends the process. It may use system calls only.
class LastAct {
 public:
  virtual void perform() noexcept = 0;

 protected:
  ~LastAct() = default;

 private:
  friend class EndingSignals;
  friend void perform_last_acts() noexcept;
  LastAct* next_ = nullptr;  // the one that an object made before wants
};

// While it lives, SIGINT, SIGTERM, SIGHUP, SIGQUIT and SIGXCPU first let `act` be performed, in the
// thread that made this object, and then do what they did before, which as a rule ends the process.
// A signal that was ignored stays ignored. Objects that live at the same time belong to one thread
// and are destroyed in it; the acts of all are performed, the newest first.
class EndingSignals {
 public:
  explicit EndingSignals(LastAct& act) noexcept;
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;
  ~EndingSignals();

 private:
  LastAct& act_;
};

// Performs the acts of all living objects once. May be called anywhere.
void perform_last_acts() noexcept;

// Blocks these signals in this thread during its lifetime.
class EndingSignalsHeld {
 public:
  EndingSignalsHeld() noexcept;
  EndingSignalsHeld(const EndingSignalsHeld&) = delete;
  EndingSignalsHeld& operator=(const EndingSignalsHeld&) = delete;
  ~EndingSignalsHeld() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// A new folder inside `folder` with a name of its own, accessible to this user only. `folder` is
// made if it is not there and `make_folder` says so. Errors name `target`. At the end of its life,
// and at a signal that ends the process, the new folder goes away with the files in it; so does
// what was made of `folder`, unless keep_folder() or something else stands in it.
class StagingFolder final : private LastAct {
 public:
  // Throws Error (kIo).
  StagingFolder(const std::filesystem::path& folder, bool make_folder,
                const std::filesystem::path& target);
  StagingFolder(const StagingFolder&) = delete;
  StagingFolder& operator=(const StagingFolder&) = delete;
  ~StagingFolder();

  std::filesystem::path path() const { return path_; }
  void keep_folder() noexcept { keeps_folder_ = true; }

 private:
  // False and errno if it can't be made.
  bool make(const std::filesystem::path& folder);
  bool make_parents(const std::filesystem::path& folder);
  void perform() noexcept override;

  std::vector<std::string> made_;  // folders, each inside the one before
  std::string path_;
  int fd_ = -1;  // of path_
  bool keeps_folder_ = false;
  bool gone_ = false;
  std::optional<EndingSignals> signals_;
};

// Output files of a command. They are written aside, in a folder inside theirs, and get their names
// together: a failure, or a signal that ends the process, leaves what was there, and nothing else.
// A file called "-" is written in the folder of temporary files and copied to standard output when
// all is done. All errors are thrown as Error.
class OutputFiles {
 public:
  enum class Into { kFolder, kFile };

  // What standard output takes of the options (names and values) that name an output: where one is
  // "-", it takes that file alone, and what is printed goes to standard error. Throws Error if two
  // are, if JSON goes there too, or, unless it is text, if it is a terminal.
  enum class Content { kText, kBinary };
  struct Target {
    std::string option;
    std::string file;
    Content content;
  };
  static void check_targets(const std::vector<Target>& targets, Console& console);

  // `path` is a folder that takes the files and is made if it is not there, or the one file itself,
  // whose folder must be there. `ending` is that of a file for standard output, ".npy".
  OutputFiles(const std::filesystem::path& path, Into into, std::string ending = {});

  // Each tensor is <folder>/<name>.<format> ("npy" or "pb"). Characters of a name that a file name
  // should not have become '_'.
  void add(const NamedTensors& tensors, const std::string& format);
  // Adds one tensor as the file `path` in the folder. `name` is stored where the file can hold it.
  void add(const Tensor& tensor, const std::filesystem::path& path, const std::string& name);
  // Adds all tensors as one archive, .npz or .safetensors.
  void add_archive(const NamedTensors& tensors, const std::filesystem::path& path);

  // Adds a text as the file `path` in the folder.
  void add_text(std::string_view text, const std::filesystem::path& path);

  // Where the file `path` is written: itself, or the temporary file for standard output, which
  // others may write, too.
  std::filesystem::path target_of(const std::filesystem::path& path) const;

  // In the order of add().
  const std::vector<std::filesystem::path>& paths() const noexcept { return paths_; }

  // Adds a model as the file `path` in the folder, with the files that belong to it.
  void add_model(const Model& model, const std::filesystem::path& path);

  // Gives all files their names: all or none. Then copies the one for standard output.
  void commit();
  // Commits several, some of which may be null; a signal takes effect before or after all of them.
  // An error leaves the files of those already committed.
  static void commit_all(std::initializer_list<OutputFiles*> all);

 private:
  void note_added(const Status& saved, const std::filesystem::path& path);
  void copy_to_standard_output() const;

  std::filesystem::path folder_;
  std::string for_stream_;   // the name of a file for standard output, in the staging folder
  bool has_stream_ = false;  // whether there is one
  StagingFolder staging_;
  TensorFiles files_;
  std::vector<std::filesystem::path> paths_;
};

// How reports call an output that a command line names.
std::string shown_output(const std::string& text);

// For options that name an output: an error message for an empty name, else nothing.
std::string refuse_empty_name(const std::string& name);

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_OUTPUT_FILES_H_
