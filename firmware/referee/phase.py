"""Phases of the table, for the page and the lights, as a table of conditions."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Phase(StrEnum):
    """Phases of the table."""

    BOARD_LOST = "board-lost"
    HAND = "hand"
    SETTLING = "settling"
    TO_LIFT = "to-lift"
    DISTURBED = "disturbed"
    REFUSED = "refused"
    UNSURE = "unsure"
    GAME_OVER = "game-over"
    ACCEPTED = "accepted"
    WAITING = "waiting"


@dataclass(frozen=True, slots=True)
class PhaseInputs:
    """Facts that determine the phase.

    Attributes:
        found: True if the board is in view.
        hand: True if something is over it, or it is being moved.
        steady: True if the board was decided on since.
        to_lift: True if a piece that does not count has to be lifted.
        disturbed: True if accepted pieces are missing or displaced.
        refused: True if a refused piece lies on the board.
        unsure: True if a person has to decide a question.
        over: True if the game is over.
        accepted: True if the newest decision accepted a move.
    """

    found: bool = False
    hand: bool = False
    steady: bool = False
    to_lift: bool = False
    disturbed: bool = False
    refused: bool = False
    unsure: bool = False
    over: bool = False
    accepted: bool = False


_TABLE: Final[tuple[tuple[Phase, Callable[[PhaseInputs], bool]], ...]] = (
    (Phase.BOARD_LOST, lambda facts: not facts.found),
    (Phase.HAND, lambda facts: facts.hand),
    (Phase.SETTLING, lambda facts: not facts.steady),
    (Phase.TO_LIFT, lambda facts: facts.to_lift),
    (Phase.DISTURBED, lambda facts: facts.disturbed),
    (Phase.REFUSED, lambda facts: facts.refused),
    (Phase.UNSURE, lambda facts: facts.unsure),
    (Phase.GAME_OVER, lambda facts: facts.over),
    (Phase.ACCEPTED, lambda facts: facts.accepted),
    (Phase.WAITING, lambda _: True),
)
"""Phases with their conditions; the first row that holds counts."""


def phase(facts: PhaseInputs) -> Phase:
    """Returns the first phase of the table whose condition holds."""
    return next(phase for phase, holds in _TABLE if holds(facts))
