"""A reason for a move: a code, a number and squares, and its form in JSON."""

from collections.abc import Mapping
from dataclasses import dataclass

from firmware.codes import MoveReasonCode


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason for a move.

    Attributes:
        code: kind of the reason.
        number: see `MoveReasonCode`.
        squares: names of squares, see `MoveReasonCode`.
    """

    code: MoveReasonCode
    number: int
    squares: tuple[str, ...]


def to_json(reason: Reason) -> dict[str, object]:
    """The JSON form of a reason: `{"reason": "blocks", "number": 90, "squares": ["k9"]}`."""
    return {
        "reason": reason.code.value,
        "number": reason.number,
        "squares": list(reason.squares),
    }


def from_json(row: Mapping[str, object]) -> Reason:
    """Reads the form that `to_json` writes.

    Raises:
        KeyError, TypeError, ValueError: it is not the JSON form of a reason.
    """
    number, squares = row["number"], row["squares"]
    if not isinstance(number, int) or not isinstance(squares, list):
        raise TypeError(f"{row!r:.80} is no reason")
    return Reason(MoveReasonCode(str(row["reason"])), number, tuple(map(str, squares)))
