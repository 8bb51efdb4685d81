"""The work of the tests' worker processes; each function takes an item's value and returns another value."""

import ctypes
import os
import signal
import subprocess
import sys
import time

import numpy as np


def act(item):
    """Calls the function of this module that the item names, with its arguments."""
    return globals()[item["do"]](*item.get("arguments", ()))


def echo(value):
    return value


def process_number():
    return os.getpid()


def parent_number():
    return os.getppid()


def kill_itself(number):
    os.kill(os.getpid(), number)
    time.sleep(60)


def kill_its_worker():
    os.kill(os.getppid(), signal.SIGKILL)
    time.sleep(60)


def read_address_zero():
    print("about to fault", flush=True)
    ctypes.string_at(0)


def leave(code):
    os._exit(code)


def hang():
    """Holds the interpreter's lock and takes no signal that can be ignored."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGINT})
    ctypes.PyDLL(None).pause()


def hang_and_tell(path):
    """Writes its process number and its worker's into a file, then waits."""
    with open(path, "w", encoding="ascii") as file:
        file.write(f"{os.getpid()} {os.getppid()}\n")
    time.sleep(600)


def leave_a_process_behind():
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid


def take_memory(count):
    """Touches a number of bytes, in pieces, and holds them."""
    held = []
    for _ in range(count >> 24):
        held.append(np.ones(1 << 24, np.uint8))
        time.sleep(0.005)
    return len(held)


def ask_for_too_much():
    return np.ones(1 << 60, np.uint8)


def make_noise(count):
    """Writes to both streams, from Python and below it."""
    for _ in range(count):
        print("noise " * 100)
        os.write(1, b"\x00\xff{noise}\n")
        os.write(2, b"more noise\n")
    return count


def read_standard_input():
    return sys.stdin.read()


def raise_error(text):
    raise ValueError(text)


def end_by_exception():
    raise SystemExit(0)


def give_no_value():
    return object()
