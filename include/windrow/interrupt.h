#ifndef WINDROW_INTERRUPT_H_
#define WINDROW_INTERRUPT_H_

namespace windrow {

// How the caller of a long run ends it early: because of a key press, a deadline, or a request that
// is no longer needed.
class Interrupt {
 public:
  Interrupt() = default;
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;
  virtual ~Interrupt() = default;

  // Whether the run must end. A run calls this every few milliseconds of its work, only on the
  // thread that called the run. A single row is always moved as a whole, even if it takes longer. A
  // shorter run does not call it. After `true` it is not called again, and the run ends with
  // kInterrupted. A model's run also calls it before every node.
  virtual bool requested() noexcept = 0;
};

}  // namespace windrow

#endif  // WINDROW_INTERRUPT_H_
