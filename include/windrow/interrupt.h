#ifndef WINDROW_INTERRUPT_H_
#define WINDROW_INTERRUPT_H_

namespace windrow {

// How the caller of a long run ends it early: for a key that was pressed, a deadline, a request
// that nobody waits for any longer.
class Interrupt {
 public:
  Interrupt() = default;
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  virtual ~Interrupt() = default;

  // Whether the run shall end. A run calls this every few milliseconds of its work, on the thread
  // that called the run and on no other; only a row that takes longer is moved as a whole. A
  // shorter run does not call it. After `true` it is not called again, and the run ends with
  // kInterrupted. A model's run calls it before every node as well.
  virtual bool requested() noexcept = 0;
};

}  // namespace windrow

#endif  // WINDROW_INTERRUPT_H_
