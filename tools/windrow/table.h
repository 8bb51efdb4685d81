#ifndef WINDROW_TOOLS_WINDROW_TABLE_H_
#define WINDROW_TOOLS_WINDROW_TABLE_H_

#include <string>
#include <vector>

namespace windrow::tool {

// Lines of cells, printed in columns that are as wide as their widest cell. Cells are made
// printable().
class Table {
 public:
  void add(std::vector<std::string> cells);
  // One string per line, without newline and without blanks at its end.
  std::vector<std::string> lines() const;

 private:
  std::vector<std::vector<std::string>> lines_;
};

}  // namespace windrow::tool

#endif  // WINDROW_TOOLS_WINDROW_TABLE_H_
