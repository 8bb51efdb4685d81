"""Pictures written as text."""

from __future__ import annotations

from xml.sax.saxutils import escape


def text(x: float, y: float, words: str, how: str = "") -> str:
    """how: further attributes, with a space before each."""
    return f'  <text x="{round(x, 1):g}" y="{round(y, 1):g}"{how}>{escape(words)}</text>'


def document(width: float, height: float, title: str, said: str, style: str, lines: list[str]) -> str:
    """said: what the picture shows, for those who do not see it."""
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img" '
        'aria-labelledby="title said">',
        f'  <title id="title">{escape(title)}</title>', f'  <desc id="said">{escape(said)}</desc>',
        f"  <style>{style}  </style>", *lines, "</svg>", ""])
