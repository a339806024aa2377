"""What the table is doing, as the page and the lights show it: one row for each phase."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """What the table is doing."""

    BOARD_LOST = "board-lost"
    HAND = "hand"
    SETTLING = "settling"
    DISTURBED = "disturbed"
    REFUSED = "refused"
    UNSURE = "unsure"
    GAME_OVER = "game-over"
    ACCEPTED = "accepted"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class PhaseInputs:
    """What decides the phase.

    Attributes:
        found: whether the board is in view.
        hand: whether something is over it, or it is being moved.
        steady: whether what lies there was decided on since.
        disturbed: whether accepted pieces are not as they were accepted.
        refused: whether a refused piece lies there.
        unsure: whether somebody has to say what happened.
        over: whether the game is over.
        accepted: whether the newest decision was to accept a move.
    """

    found: bool = False
    hand: bool = False
    steady: bool = False
    disturbed: bool = False
    refused: bool = False
    unsure: bool = False
    over: bool = False
    accepted: bool = False


_TABLE: Final[tuple[tuple[Phase, Callable[[PhaseInputs], bool]], ...]] = (
    (Phase.BOARD_LOST, lambda facts: not facts.found),
    (Phase.HAND, lambda facts: facts.hand),
    (Phase.SETTLING, lambda facts: not facts.steady),
    (Phase.DISTURBED, lambda facts: facts.disturbed),
    (Phase.REFUSED, lambda facts: facts.refused),
    (Phase.UNSURE, lambda facts: facts.unsure),
    (Phase.GAME_OVER, lambda facts: facts.over),
    (Phase.ACCEPTED, lambda facts: facts.accepted),
    (Phase.WAITING, lambda _: True),
)


def phase(facts: PhaseInputs) -> Phase:
    """The first phase of the table whose row holds."""
    return next(phase for phase, holds in _TABLE if holds(facts))
