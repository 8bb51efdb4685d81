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

  // Whether the run shall end. Asked again and again, and only on the thread that called the run,
  // while that thread does a part of the work: a few milliseconds of it lie between two questions
  // (but a row that is longer is moved as a whole). Runs too short for a question never ask. After
  // `true` nothing more is asked, and the run ends with kInterrupted. A model's run asks before
  // every node too.
  virtual bool requested() noexcept = 0;
};

}  // namespace windrow

#endif  // WINDROW_INTERRUPT_H_
