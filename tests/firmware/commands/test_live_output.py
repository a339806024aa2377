"""Output of a table that nobody reads, or that cannot be written: the game goes on."""

import os
import pty
import re
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import takewhile
from pathlib import Path

import pytest

from tests.conftest import ROOT
from tests.support.waiting import eventually
from web.table_client import TableClient

pytestmark = pytest.mark.slow

PATIENCE_S = 90.0
"""Seconds for a simulated move; this machine may be busy."""

XOFF = b"\x13"
"""Control-S, which stops the output of a terminal (termios(3), IXON)."""


def full_pipe() -> int:
    """Returns the end of a full pipe, whose other end stays open and is never read."""
    reader, writer = os.pipe()
    os.dup(reader)
    os.set_blocking(writer, False)
    with suppress(BlockingIOError):
        while True:
            os.write(writer, bytes(1 << 12))
    os.set_blocking(writer, True)
    return writer


def held_terminal() -> int:
    """Returns a terminal that a person holds by Control-S."""
    ours, theirs = pty.openpty()
    os.write(ours, XOFF)
    return theirs


def abandoned_pipe() -> int:
    """Returns the end of a pipe whose reader has gone, as `head` does."""
    reader, writer = os.pipe()
    os.close(reader)
    return writer


def full_disk() -> int:
    return os.open("/dev/full", os.O_WRONLY)


@pytest.mark.parametrize("made", [full_pipe, held_terminal, abandoned_pipe, full_disk, None])
def test_a_game_goes_on_and_ends_in_time_whatever_becomes_of_its_output(
    made: Callable[[], int] | None, tmp_path: Path
) -> None:
    """The output of a table and its log go to the same place; None closes both."""
    words = [sys.executable, "-m", "firmware", "demo", "--autoplay", "--speed", "20"]
    words += ["--no-browser", "--port", "0", "--folder", str(tmp_path)]
    if made is None:
        words = ["/bin/sh", "-c", 'exec "$@" >&- 2>&-', "sh", *words]
    output = made() if made else None
    with (
        subprocess.Popen(words, stdout=output, stderr=output, cwd=ROOT) as demo,
        TableClient(tmp_path / "feed.sock") as link,
    ):
        try:
            eventually(lambda: link.news.page and link.news.page.ply, PATIENCE_S)
            seen = link.news.picture_serial  # the move was printed
            eventually(lambda: link.news.picture_serial > seen + 3, PATIENCE_S)
            demo.terminate()
            assert demo.wait(5) == 0
        finally:
            demo.kill()


LINES = """
import os, sys
from firmware.commands.live_output import live_output
with live_output():
    for number in range(20_000):
        print(number, "x" * 50)
    print("printed", file=sys.stderr, flush=True)
    sys.stdin.readline()
    print("last")
"""


def test_what_nobody_reads_is_counted_and_the_rest_is_whole() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", LINES],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        assert process.stderr is not None
        said = list(takewhile(lambda line: line != "printed\n", process.stderr))
        output, errors = process.communicate("\n", timeout=30)
    lines = output.splitlines()
    said += errors.splitlines(keepends=True)
    counts = [re.fullmatch(r"cornerlight: (\d+) lines were not printed, .*\n", one) for one in said]
    assert counts
    assert len(lines) + sum(int(one[1]) for one in counts if one) == 20_001
    assert all(counts)
    if lines[-1] == "last":  # otherwise it came before there was room for it
        lines.pop()
    numbers = [int(line.removesuffix(f" {'x' * 50}")) for line in lines]
    assert numbers == sorted(set(numbers))


def test_a_disk_that_is_full_for_a_while_loses_lines_and_no_later_ones(tmp_path: Path) -> None:
    program = """
import resource, sys
from firmware.commands.live_output import live_output
resource.setrlimit(resource.RLIMIT_FSIZE, (25, resource.RLIM_INFINITY))
with live_output():
    for word in ("first", "second"):
        print(word, "x" * 10, flush=True)
        sys.stdin.readline()
    resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    print("last", flush=True)
"""
    printed = tmp_path / "printed"
    with (
        printed.open("wb") as file,
        subprocess.Popen(
            [sys.executable, "-c", program],
            stdin=subprocess.PIPE,
            stdout=file,
            stderr=subprocess.PIPE,
            cwd=ROOT,
        ) as process,
    ):
        assert process.stdin is not None
        assert process.stderr is not None
        eventually(lambda: printed.read_bytes() == b"first xxxxxxxxxx\n")
        process.stdin.write(b"\n")
        process.stdin.flush()
        eventually(lambda: len(printed.read_bytes()) == 25)
        assert process.stderr.readline() == (
            b"cornerlight: cannot print: File too large; the program goes on\n"
        )
        process.communicate(b"\n", timeout=30)
    assert printed.read_bytes() == b"first xxxxxxxxxx\nsecond x\nlast\n"


def test_what_libraries_print_holds_nobody_up() -> None:
    """A decoder prints a line on standard error for each damaged picture."""
    program = """
import cv2, numpy as np
from firmware.commands.live_output import live_output
from vision.io.image_file import decode_live
image = np.random.default_rng(1).integers(0, 255, (64, 64, 3), np.uint8)
jpeg = bytearray(cv2.imencode(".jpg", image)[1].tobytes())
jpeg[-9:-2] = b"\\xff\\xd0" * 3 + b"x"
with live_output():
    for _ in range(4000):
        decode_live(bytes(jpeg), "picture")
    print("decoded", flush=True)
"""
    words = [sys.executable, "-c", program]
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=full_pipe(), cwd=ROOT) as process:
        try:
            output, _ = process.communicate(timeout=30)
        finally:
            process.kill()
    assert output == b"decoded\n"


def test_where_nothing_is_lost_everything_is_printed_in_order() -> None:
    program = LINES.replace("20_000", "900").replace("sys.stdin.readline()", "")
    words = [sys.executable, "-c", program]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stderr == "printed\n"
    assert done.stdout == "".join(f"{n} {'x' * 50}\n" for n in range(900)) + "last\n"
