"""What may have happened, while nobody can tell, and when it is time to say so."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from firmware.events import Candidate
from firmware.referee.framing import Framing
from firmware.referee.judging import Judgement, judge
from firmware.referee.matching import Explanation, Placed
from firmware.rules.position import Position


class Patience:
    """Lets a doubt last a while before it is told.

    Args:
        seconds: how long.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds: Final = seconds
        self._since: float | None = None
        self._waiting: tuple[Candidate, ...] = ()

    def wait(self, doubts: tuple[Candidate, ...], now: float) -> tuple[Candidate, ...]:
        """Takes what is in doubt now; returns it when it is time to tell."""
        self._waiting = doubts
        if not doubts:
            self._since = None
            return ()
        if self._since is None:
            self._since = now
        return self.give_up() if now - self._since >= self._seconds else ()

    def give_up(self) -> tuple[Candidate, ...]:
        """What was in doubt and not told yet."""
        doubts, self._waiting = self._waiting, ()
        return doubts

    def interrupt(self) -> None:
        """The board is touched: a doubt begins anew."""
        self._since = None

    def forget(self) -> None:
        """Nothing is in doubt any more."""
        self._since, self._waiting = None, ()


def candidates(doubts: Sequence[Placed], framing: Framing) -> tuple[Candidate, ...]:
    """The placements that may explain what is doubtful, the likeliest first."""
    found: list[Candidate] = []
    for one in doubts:
        scores = [one.score, *(guess.score for guess in one.rivals), 0.0]
        weights = np.exp(np.array(scores) - max(scores))
        weights /= weights.sum()
        places = [(one.colour, one.move), *((guess.colour, guess.move) for guess in one.rivals)]
        found += [
            Candidate(framing.colour(colour), framing.move(move), round(float(weight), 4))
            for (colour, move), weight in zip(places, weights[:-1], strict=True)
        ]
    return tuple(sorted(found, key=lambda candidate: -candidate.confidence))


def orders(
    position: Position, explanation: Explanation, possible: Sequence[Framing]
) -> tuple[Candidate, ...]:
    """The first moves of framings that all make sense."""
    found = {}
    for framing in possible:
        for move in judge(position, explanation, framing).moves[:1]:
            found[move.colour, move.move] = Candidate(move.colour, move.move, 0.0)
    even = round(1 / max(len(found), 1), 4)
    return tuple(Candidate(one.colour, one.move, even) for one in found.values())


def in_order(judgement: Judgement) -> tuple[Candidate, ...]:
    """Moves that were all made while nobody watched, the first of them first."""
    return tuple(
        Candidate(one.colour, one.move, round(float(1 / (1 + np.exp(-one.margin))), 4))
        for one in judgement.moves
    )
