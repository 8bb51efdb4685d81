#ifndef WINDROW_BASE_FILL_BEFORE_FORK_H_
#define WINDROW_BASE_FILL_BEFORE_FORK_H_

namespace windrow::internal {

// Calls `fill` before every fork of the process. For tables that are filled on first use: a child
// forked while another thread fills one would wait for that thread forever. Call it when the
// library is loaded, from the initialiser of a variable beside the table.
bool fill_before_fork(void (*fill)()) noexcept;

}  // namespace windrow::internal

#endif  // WINDROW_BASE_FILL_BEFORE_FORK_H_
