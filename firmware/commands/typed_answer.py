"""Answers that a person types in the terminal of `run`, without waiting for them."""

import os
import select
import sys
from typing import Final

from firmware.game.events import AnewAsked

_LONGEST: Final = 1024
"""Greatest length of a typed line in bytes."""

_ANSWERS: Final = {"g": False, "n": True}
"""True to begin anew and False to go on, by the first letter that is typed."""


def question(event: AnewAsked, size: int) -> str:
    """Returns the question of the table to the people at the terminal.

    Args:
        event: the event with which the table asks.
        size: squares along a side of the board of the unfinished game.
    """
    cause = "the board is empty"
    if event.size != size:
        cause = f"this board has {event.size} squares along a side, the game's has {size}"
    how = "type g to go on or n to begin anew, or answer" if _is_ours() else "answer"
    return f"{cause}, but the game is not finished: lay its pieces back, {how} on a paired phone"


def typed_answer() -> bool | None:
    """Returns True if a person has typed to begin anew, False to go on, None for nothing."""
    if not _is_ours() or not select.select([sys.stdin], [], [], 0)[0]:
        return None
    line = os.read(sys.stdin.fileno(), _LONGEST).decode(errors="replace").strip().lower()
    return _ANSWERS.get(line[:1])


def _is_ours() -> bool:
    """True if a person types to this program: it has the terminal, and not in the background."""
    if sys.stdin is None or sys.stdin.closed or not sys.stdin.isatty():
        return False
    try:
        return os.tcgetpgrp(sys.stdin.fileno()) == os.getpgrp()
    except OSError:
        return False
