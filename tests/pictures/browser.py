"""A page in headless Chromium, by its DevTools protocol through a pipe: no port, no driver, no package."""

import json
import os
import pathlib
import selectors
import shutil
import signal
import subprocess
import time

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
_ARGUMENTS = ["--headless", "--disable-gpu", "--no-first-run", "--disable-extensions", "--disable-dev-shm-usage"]
_SECONDS = 30  # that an answer may take


class ScriptError(AssertionError):
    """What the browser says of a script, or a command, that failed."""


class Browser:
    """One Chromium with one page. `errors`: what the page's console and its scripts complained of."""

    def __init__(self, folder):
        self.errors = []
        self._last = 0
        self._unread = b""
        self._events = []
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()
        # The browser reads from descriptor 3 and writes to 4; root has no sandbox.
        words = [CHROMIUM, *_ARGUMENTS, *(["--no-sandbox"] if os.getuid() == 0 else [])]
        words += [f"--user-data-dir={folder}", "--remote-debugging-pipe", "about:blank"]
        self._log = (pathlib.Path(folder) / "stderr.txt").open("wb")
        shell = f'exec "$@" 3<&{to_browser} 4>&{from_browser}'
        self._process = subprocess.Popen(  # a group of its own, with the browser's children
            ["bash", "-c", shell, "bash", *words],
            pass_fds=(to_browser, from_browser),
            stdout=self._log,
            stderr=self._log,
            start_new_session=True,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._read, selectors.EVENT_READ)
        target = self._call("Target.createTarget", {"url": "about:blank"}, None)["targetId"]
        attach = {"targetId": target, "flatten": True}
        self._session = self._call("Target.attachToTarget", attach, None)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def close(self):
        """Ends the browser and its children."""
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for descriptor in (self._read, self._write):
            os.close(descriptor)
        self._log.close()

    def call(self, method, **parameters):
        """The result of a method of the page's session."""
        return self._call(method, parameters, self._session)

    def _call(self, method, parameters, session):
        self._last += 1
        message = {"id": self._last, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._last:
                if "error" in answer:
                    raise ScriptError(method, answer["error"])
                return answer["result"]
            self._note(answer)

    def _receive(self):
        end = time.monotonic() + _SECONDS
        while b"\0" not in self._unread:
            assert self._selector.select(end - time.monotonic()), "the browser does not answer"
            part = os.read(self._read, 1 << 16)
            assert part, "the browser ended"
            self._unread += part
        message, self._unread = self._unread.split(b"\0", 1)
        return json.loads(message)

    def _note(self, event):
        method, parameters = event.get("method"), event.get("params", {})
        self._events.append(method)
        if method == "Runtime.exceptionThrown":
            self.errors.append(str(parameters["exceptionDetails"]))
        if method == "Log.entryAdded" or (
            method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert")
        ):
            self.errors.append(str(parameters))

    def open(self, path):
        """Loads a file and waits until its scripts have run."""
        self.visit(pathlib.Path(path).resolve().as_uri())

    def visit(self, address):
        """The same for an address, also where it differs from the present one only behind the '#'."""
        for each in ("about:blank", address):
            self._events.clear()
            self.call("Page.navigate", url=each)
            while "Page.loadEventFired" not in self._events:
                self._note(self._receive())

    def run(self, script):
        """The value of an expression in the page."""
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in answer:
            raise ScriptError(script, answer["exceptionDetails"])
        return answer["result"].get("value")

    def wait_until(self, condition):
        """The value of the expression once it is true. A page that is just being loaded counts as one where it is not."""
        for _ in range(_SECONDS * 10):
            try:
                if value := self.run(condition):
                    return value
            except ScriptError:
                pass
            time.sleep(0.1)
        raise AssertionError(f"never so: {condition}")

    def point_at(self, selector):
        """Moves the pointer onto the middle of an element, after scrolling to it."""
        x, y = self._middle(selector)
        self.call("Input.dispatchMouseEvent", type="mouseMoved", x=x, y=y)

    def click(self, selector):
        x, y = self._middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", clickCount=1)

    def press(self, key):
        """A key: a letter, or a name such as ArrowRight."""
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def _middle(self, selector):
        box = f"""(() => {{
            const element = document.querySelector({json.dumps(selector)});
            element.scrollIntoView({{block: 'center', inline: 'center'}});
            const box = element.getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2];
        }})()"""
        return self.run(box)
