"""The line that shows how far a computation has come."""

import io

import pytest

from firmware.commands.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def connected(monkeypatch: pytest.MonkeyPatch, out: io.StringIO, err: io.StringIO) -> None:
    monkeypatch.setattr("sys.stdout", out)
    monkeypatch.setattr("sys.stderr", err)
    monkeypatch.setenv("COLUMNS", "20")


def test_a_text_replaces_the_one_before_and_is_cleared_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    out, err = Terminal(), Terminal()
    connected(monkeypatch, out, err)
    assert list(Progress().each("ab", "picture", 2)) == ["a", "b"]
    clear = "\x1b[K\r"
    assert err.getvalue() == f"picture 1 of 2{clear}picture 2 of 2{clear}{clear}"
    assert out.getvalue() == ""


def test_the_same_text_is_written_once_and_a_long_one_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    err = Terminal()
    connected(monkeypatch, Terminal(), err)
    progress = Progress()
    for _ in range(3):
        progress.show("x" * 30)
    assert err.getvalue() == "x" * 19 + "\x1b[K\r"


@pytest.mark.parametrize("piped", ["output", "errors"])
def test_nothing_is_written_where_nobody_looks_on(
    piped: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [io.StringIO(), Terminal()]
    out, err = files if piped == "output" else files[::-1]
    connected(monkeypatch, out, err)
    progress = Progress()
    progress.show("half")
    progress.clear()
    assert err.getvalue() == ""


def test_an_end_before_the_last_item_clears_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    err = Terminal()
    connected(monkeypatch, Terminal(), err)
    items = Progress().each("abc", "picture")
    next(items)
    items.close()
    assert err.getvalue().endswith("picture 1\x1b[K\r\x1b[K\r")
