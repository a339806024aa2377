"""QR codes drawn in a terminal."""

import io
import os
import sys
from typing import Final, TextIO

import segno

_COLOURS: Final = "\033[38;5;231;48;5;16m"
"""White blocks on black, whatever colours the terminal has: scanners need the light margin."""

_PLAIN: Final = "\033[0m"
"""ANSI code that ends `_COLOURS` after each line, so that the rest of it has the usual ones."""


def terminal_qr(text: str, output: TextIO | None = None) -> str:
    """Returns a QR code as lines of text with colours; empty where nobody could scan it.

    That is where the output is no terminal, where the code does not fit into it, and where it
    cannot show blocks.

    Args:
        text: content of the code.
        output: where it will be printed; standard output by default.
    """
    output = output or sys.stdout
    if not output.isatty():
        return ""
    drawn = io.StringIO()
    segno.make(text, error="l", micro=False).terminal(drawn, compact=True)
    lines = drawn.getvalue().splitlines()
    try:
        width, height = os.get_terminal_size(output.fileno())
        "".join(lines).encode(output.encoding)
    except (OSError, ValueError):
        return ""
    if len(lines[0]) > width or len(lines) >= height:
        return ""
    return "\n".join(f"{_COLOURS}{line}{_PLAIN}" for line in lines)
