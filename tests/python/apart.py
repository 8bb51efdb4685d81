"""Work in a process of its own, for what may kill or spoil the process that it runs in."""

import os
import signal
import traceback


def in_child(work, log):
    """Forks, works, waits: 0, the exit code of an exception, or the negative number of the signal that ended it.

    What the child says goes into the file `log`.
    """
    child = os.fork()
    if child == 0:
        os.dup2(os.open(log, os.O_CREAT | os.O_WRONLY), 2)
        code = 1
        try:
            work()
            code = 0
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def how_it_ended(code, log, seconds):
    """In words, with the last that the child said. `seconds`: after how many an alarm ended it."""
    how = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    how = f"no answer in {seconds} s" if how == "SIGALRM" else how
    return f"{how}: {log.read_text(errors='replace').strip()}"
