"""QR codes in terminals: a scanner reads them, and where it could not there is none."""

import io
import os
import re

import cv2
import numpy as np
import pytest

from firmware.commands.page_guide import terminal_qr

TEXT = "http://192.168.178.105:8000/arbiter#123456789012"
BLOCKS = {" ": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
"""Light (1) or dark (0) upper and lower half of each character."""


class FakeTerminal(io.StringIO):
    def __init__(self, encoding: str = "utf-8", *, is_terminal: bool = True) -> None:
        super().__init__()
        self._encoding = encoding
        self._is_terminal = is_terminal

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self._encoding

    def isatty(self) -> bool:
        return self._is_terminal

    def fileno(self) -> int:
        return 1


def sized(monkeypatch: pytest.MonkeyPatch, columns: int, lines: int) -> None:
    monkeypatch.setattr(os, "get_terminal_size", lambda _: os.terminal_size((columns, lines)))


def scanned(drawn: str) -> str:
    """Reads the code in a terminal's text as a camera would."""
    rows = [
        [BLOCKS[one][half] for one in re.sub(r"\033\[[0-9;]*m", "", line)]
        for line in drawn.splitlines()
        for half in (0, 1)
    ]
    picture = np.kron(np.array(rows, np.uint8) * 255, np.ones((8, 8), np.uint8))
    text, *_ = cv2.QRCodeDetector().detectAndDecode(picture)
    return text


def test_a_scanner_reads_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    sized(monkeypatch, 80, 24)
    assert scanned(terminal_qr(TEXT, FakeTerminal())) == TEXT


def test_the_code_is_light_on_dark_whatever_colours_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sized(monkeypatch, 80, 24)
    for line in terminal_qr(TEXT, FakeTerminal()).splitlines():
        assert line.startswith("\033[38;5;231;48;5;16m")
        assert line.endswith("\033[0m")


@pytest.mark.parametrize(("columns", "lines"), [(36, 50), (200, 19)])
def test_a_terminal_that_is_too_small_shows_none(
    monkeypatch: pytest.MonkeyPatch, columns: int, lines: int
) -> None:
    sized(monkeypatch, columns, lines)
    assert terminal_qr(TEXT, FakeTerminal()) == ""


def test_a_file_or_a_terminal_without_blocks_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    sized(monkeypatch, 80, 50)
    assert terminal_qr(TEXT, FakeTerminal(is_terminal=False)) == ""
    assert terminal_qr(TEXT, FakeTerminal("latin-1")) == ""
