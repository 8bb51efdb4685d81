#ifndef WINDROW_TESTS_CONFORMANCE_CASE_FILES_H_
#define WINDROW_TESTS_CONFORMANCE_CASE_FILES_H_

#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

namespace windrow::tests {

// Every .json and .json.gz file below the folders, sorted. Throws
// std::runtime_error for a folder that is not there.
std::vector<std::filesystem::path> list_case_files(
    const std::vector<std::filesystem::path>& folders);

// The project's own cases, a folder per dialect, then the folders that the environment variable
// WINDROW_CASES names, separated by colons.
std::vector<std::filesystem::path> case_folders();

// The records of a file. Throws std::runtime_error for a file that can't be read or is not a list.
nlohmann::json read_case_file(const std::filesystem::path& path);

}  // namespace windrow::tests

#endif  // WINDROW_TESTS_CONFORMANCE_CASE_FILES_H_
