"""windrow.playground(): the page that explains calls in a browser, without a network."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from windrow import _core
from windrow._base.errors import ArgumentError
from windrow._explain.api import _called_id

# Beside the extension, as a build that could make it has it.
PAGE = Path(_core.__file__).with_name("playground.html")


def show(address: str) -> bool:
    """Opens a page in the browser, with what stands behind the '#'. Returns False if no browser could be started.

    Some desktops' openers drop the '#' of an address of a file: they get a small temporary page that leads there. The
    browser may read it after this process has ended, so it stays.
    """
    import tempfile
    import webbrowser  # both take longer to load than the rest of this module, and few need them

    if "#" not in address:
        return webbrowser.open(address)
    link = escape(address)
    with tempfile.NamedTemporaryFile("w", prefix="windrow-", suffix=".html", delete=False, encoding="utf-8") as file:
        file.write(
            f'<!DOCTYPE html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url={link}">\n'
            f'<title>Windrow</title>\n<a href="{link}">The call in the playground</a>\n'
        )
    return webbrowser.open(Path(file.name).as_uri())


@dataclass(frozen=True)
class Playground:
    """The playground, perhaps with a call; a notebook shows it in a frame.

    path: the page, one HTML file. address: that of the page in a browser, with the call behind the '#'.
    """

    path: Path
    address: str
    _call: str = field(repr=False)  # JSON, or empty

    def open(self) -> bool:
        """Opens the page in the user's browser; False if none could be started."""
        return show(self.address)

    def to_html(self) -> str:
        """The text of the page with the call inside: a file of it needs nothing else."""
        return _core.playground_page(str(self.path), self._call)

    def _repr_html_(self) -> str:
        """The whole page, 0.7 MB, in a frame of its own: a notebook shows it without this package and without a network."""
        style = "width: 100%; height: 56em; border: 0"
        return f'<iframe title="Windrow\'s playground" style="{style}" srcdoc="{escape(self.to_html())}"></iframe>'


def playground(
    operator: Any = None,
    *inputs: Any,
    as_: str | None = None,
    version: int | None = None,
    out_of_range: str | None = None,
    negative: str | None = None,
    padding_index: int | None = None,
    strict: bool = False,
    duplicates: str | None = None,
    **attributes: Any,
) -> Playground:
    """The playground, a page that explains any call in a browser: windrow.playground("onnx.GatherND", "3x4x2", [[0, 1]]).

    A notebook shows it, to_html() gives the page, open() opens it in a browser. Nothing is sent anywhere.

    operator: "onnx.GatherND", "onnx.GatherND-12", or a function such as windrow.onnx.gather_nd; None: the page opens
        with a call of its own.
    inputs: as for windrow.call(), with at most 4096 elements each; windrow.Spec, which gives only type and shape, with
        which elements count from 0; or a str, as the command and the page take inputs: "3x4x2", "[[0, 1], [2, -1]]".
    as_: another operator, with whose result for the same inputs the page compares.
    version, out_of_range, negative, padding_index, strict, duplicates, attributes: as for windrow.call().

    Raises Unsupported if this build has no page, as one that was made without clang for WebAssembly, and for elements
    that the page's texts cannot hold, such as NaN; ArgumentError for unknown attributes. A call that fails is shown with
    its message.
    """
    call = ""
    options = {
        "out_of_range": out_of_range,
        "negative": negative,
        "padding_index": padding_index,
        "strict": strict,
        "duplicates": duplicates,
    }
    if operator is not None:
        words = {place: given for place, given in enumerate(inputs) if isinstance(given, str)}
        arrays = [None if isinstance(given, str) else given for given in inputs]
        call = _core.playground_call(_called_id(operator, version), arrays, words, attributes, options, as_ or "")
    elif inputs or attributes or as_ or version is not None or any(value not in (None, False) for value in options.values()):
        raise ArgumentError("what is said of a call needs its operator: windrow.playground('onnx.Gather', data, indices)")
    return Playground(PAGE, _core.playground_address(str(PAGE), call), call)
