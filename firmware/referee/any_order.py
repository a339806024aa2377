"""Judges new pieces in any order of colours: those of a puzzle, or of a game apart from turns.

All new pieces count that are legal in some order. Two of one colour may exclude each other, as two
that touch at their sides: then either could be the one to refuse, and nobody guesses which.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from firmware.rules.position import LaidPiece, Position


@dataclass(frozen=True, slots=True)
class AnyOrder:
    """Judgement of new pieces.

    Attributes:
        legal: the pieces that count whatever the others are, in a legal order.
        contested: pieces of which some exclude others.
        illegal: pieces that are illegal in every order that was tried.
        after: the position after the legal ones.
    """

    legal: tuple[LaidPiece, ...]
    contested: tuple[LaidPiece, ...]
    illegal: tuple[LaidPiece, ...]
    after: Position


def arrange(position: Position, new: Sequence[LaidPiece]) -> AnyOrder:
    """Finds the new pieces that are legal in some order.

    A piece that is legal only after a contested one is in no list: it waits for the answer.

    Args:
        position: the position before them.
        new: its new pieces.
    """
    legal, after = _laid(position, new)
    illegal = [one for one in new if one not in legal]
    contested: set[LaidPiece] = set()
    for one in illegal:
        # The other pieces of its colour come last, as only those can exclude it.
        first = [other for other in new if other[0] != one[0]]
        last = [other for other in new if other[0] == one[0] and other != one]
        instead, _ = _laid(position, [one, *first, *last])
        if one in instead:
            excluded = (other for other in last if other in legal and other not in instead)
            contested.update([one, *excluded])
    if contested:
        legal, after = _laid(position, [one for one in new if one not in contested])
    return AnyOrder(
        tuple(legal),
        tuple(one for one in new if one in contested and one[1] in after.moves_of(one[0])),
        tuple(one for one in illegal if one not in contested),
        after,
    )


def _laid(position: Position, new: Iterable[LaidPiece]) -> tuple[list[LaidPiece], Position]:
    """Returns the pieces that become legal one after another, the first in the list first."""
    waiting, laid = list(new), []
    while ready := next((one for one in waiting if one[1] in position.moves_of(one[0])), None):
        position = position.put(ready[1], ready[0])
        waiting.remove(ready)
        laid.append(ready)
    return laid, position
