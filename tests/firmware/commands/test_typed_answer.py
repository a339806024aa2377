"""Answers typed in the terminal: taken without waiting, and only from a terminal of our own."""

import fcntl
import os
import pty
import subprocess
import sys
import termios
import time

import pytest

from firmware.commands.typed_answer import question, typed_answer
from firmware.game.events import AnewAsked

LOOP = """
import time
from firmware.commands.typed_answer import typed_answer
print("ready", flush=True)
for _ in range(400):
    answer = typed_answer()
    if answer is not None:
        print("anew" if answer else "on", flush=True)
    time.sleep(0.01)
"""


@pytest.mark.parametrize(
    ("typed", "printed"), [("n\n", "anew"), ("N\n", "anew"), ("g\n", "on"), ("x\ngo on\n", "on")]
)
def test_a_letter_that_is_typed_is_taken(typed: str, printed: str) -> None:
    ours, theirs = pty.openpty()

    def take_terminal() -> None:
        os.setsid()
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

    command = [sys.executable, "-c", LOOP]
    with subprocess.Popen(
        command,
        stdin=theirs,
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=take_terminal,  # noqa: PLW1509, no thread is running
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        for line in typed.splitlines():
            os.write(ours, f"{line}\n".encode())
            time.sleep(0.1)
        assert process.stdout.readline() == f"{printed}\n"
        process.kill()
    os.close(ours)
    os.close(theirs)


def test_nothing_is_read_from_what_is_no_terminal() -> None:
    reader, writer = os.pipe()
    os.write(writer, b"n\n")
    command = [sys.executable, "-c", LOOP.replace("400", "5")]
    done = subprocess.run(command, stdin=reader, capture_output=True, text=True, check=True)
    assert done.stdout == "ready\n"
    assert os.read(reader, 10) == b"n\n", "it is left to whom it is meant for"
    os.close(reader)
    os.close(writer)


def test_without_a_terminal_nobody_is_told_to_type() -> None:
    assert typed_answer() is None
    text = question(AnewAsked(9, 4.0, 14), 14)
    assert text.startswith("the board is empty, but the game is not finished")
    assert "type" not in text
    assert "this board has 20 squares along a side" in question(AnewAsked(9, 4.0, 20), 14)
