"""Loggers: what is printed, own classes, and exceptions in them."""

import re
import threading

import pytest
import windrow.trt as trt


def provoke(logger):
    """Gives None and logs an error."""
    return trt.Builder(logger).create_network().add_input("", trt.float32, (1,))


def test_errors_are_printed_as_tensorrt_does(capsys):
    assert provoke(trt.Logger()) is None
    captured = capsys.readouterr()
    assert captured.out == ""
    assert re.fullmatch(
        r"\[\d\d/\d\d/\d{4}-\d\d:\d\d:\d\d\] \[TRT\] \[E\] INetworkDefinition::addInput: "
        r"the name is empty\n",
        captured.err,
    )


def test_severities(capsys):
    severities = trt.Logger.Severity
    assert [int(severity) for severity in severities] == [0, 1, 2, 3, 4]
    assert trt.Logger.ERROR is trt.ILogger.Severity.ERROR is severities.ERROR
    logger = trt.Logger(trt.Logger.VERBOSE)
    for severity in severities:
        logger.log(severity, "text")
    letters = re.findall(r"\[TRT\] \[(.)\] text", capsys.readouterr().err)
    assert letters == ["F", "E", "W", "I", "V"]


def test_min_severity(capsys):
    logger = trt.Logger()
    assert logger.min_severity == trt.Logger.WARNING
    logger.log(trt.Logger.INFO, "not printed")
    logger.min_severity = trt.Logger.INTERNAL_ERROR
    provoke(logger)
    assert capsys.readouterr().err == ""
    assert trt.Logger(min_severity=trt.Logger.INFO).min_severity == trt.Logger.INFO
    with pytest.raises(ValueError):
        trt.Logger(7)


def test_log_can_be_overridden():
    class Lines(trt.Logger):
        def __init__(self):
            super().__init__(trt.Logger.ERROR)
            self.lines = []

        def log(self, severity, msg):
            self.lines.append((severity, msg))

    logger = Lines()
    provoke(logger)
    assert logger.lines == [(trt.Logger.ERROR, "INetworkDefinition::addInput: the name is empty")]
    assert isinstance(logger.lines[0][0], trt.ILogger.Severity)


class Failing(trt.ILogger):
    def log(self, severity, msg):
        raise RuntimeError(f"log fails at: {msg}")


def unraisable_of(logger, monkeypatch):
    found = []
    monkeypatch.setattr(
        "sys.unraisablehook", lambda info: found.append((info.object, info.exc_value))
    )
    assert provoke(logger) is None
    return found


def test_an_exception_in_log_is_told_and_harms_nothing(monkeypatch):
    logger = Failing()
    [(place, error)] = unraisable_of(logger, monkeypatch)
    assert place is logger
    assert str(error) == "log fails at: INetworkDefinition::addInput: the name is empty"
    assert trt.Builder(logger).create_network().add_input("x", trt.float32, (1,)).name == "x"


def test_a_logger_without_log(monkeypatch):
    class Silent(trt.ILogger):
        pass

    [(_, error)] = unraisable_of(Silent(), monkeypatch)
    assert "log" in str(error)
    with pytest.raises(NotImplementedError):
        Silent().log(trt.Logger.ERROR, "text")


def test_a_logger_whose_init_was_not_called():
    class Forgetful(trt.ILogger):
        def __init__(self):
            pass

    with pytest.warns(RuntimeWarning, match="uninitialized"), pytest.raises(TypeError):
        trt.Builder(Forgetful())


def test_log_may_use_the_network_again():
    class Curious(trt.ILogger):
        def log(self, severity, msg):
            self.seen = (self.network.num_inputs, msg)

    logger = Curious()
    network = trt.Builder(logger).create_network()
    logger.network = network
    network.add_input("x", trt.float32, (1,))
    network.add_input("x", trt.float32, (1,))
    assert logger.seen[0] == 1
    del logger.network


def test_log_is_called_in_the_thread_of_the_call():
    names = []

    class Threads(trt.ILogger):
        def log(self, severity, msg):
            names.append(threading.current_thread().name)

    thread = threading.Thread(target=provoke, args=(Threads(),), name="builder thread")
    thread.start()
    thread.join()
    assert names == ["builder thread"]
