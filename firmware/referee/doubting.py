"""What may have happened, while nobody can tell, and when it is time to say so."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from firmware.events import Candidate
from firmware.game import GameState
from firmware.referee.framing import Framing
from firmware.referee.hypotheses import Case, resolved_by_next, whatever_it_is
from firmware.referee.judging import Appeared, Judgement, Refused, judge
from firmware.referee.matching import Explanation, Placed
from firmware.referee.settings import RefereeSettings
from firmware.rules.placements import mask_of
from firmware.rules.position import Position


class Doubts:
    """Keeps what is in doubt from one steady board to the next, until it is time to tell it.

    Args:
        settings: how the referee works.

    Attributes:
        appeared: in which order the pieces came that nothing was decided of.
    """

    def __init__(self, settings: RefereeSettings) -> None:
        self.appeared: Appeared = ()
        self._settings: Final = settings
        self._since: float | None = None
        self._waiting: tuple[Candidate, ...] = ()

    def among(
        self, explanation: Explanation, state: GameState, framing: Framing
    ) -> tuple[Placed, ...]:
        """What may be new and is neither too faint nor refused already."""
        known = [(one.colour, mask_of(one.squares)) for one in state.refused]

        def is_known(one: Placed) -> bool:
            colour, mask = framing.colour(one.colour), framing.move(one.move).mask
            return any(colour == other and not mask & ~squares for other, squares in known)

        return tuple(
            one
            for one in explanation.doubtful
            if one.change >= self._settings.doubt and not is_known(one)
        )

    def remember(self, explanation: Explanation) -> None:
        """Keeps which pieces lie there now, so that those to come are known to be later."""
        seen = frozenset((one.colour, one.move.mask) for one in explanation.placed)
        new = seen.difference(*self.appeared)
        if new or not self.appeared:
            self.appeared = (*self.appeared, new)

    def weigh(
        self,
        doubts: tuple[Placed, ...],
        explanation: Explanation,
        state: GameState,
        framing: Framing,
    ) -> tuple[tuple[Placed, ...], Judgement]:
        """What is still in doubt, and what can be said all the same."""
        self.remember(explanation)
        margin = self._settings.matching.margin
        told = {(one.colour, one.move) for one in state.candidates}
        case = Case(state.position, explanation, doubts, framing, self.appeared)
        resolved = resolved_by_next(case, told, margin)
        if resolved is not None:
            return (), resolved
        said = whatever_it_is(case, margin)
        # What lies there refused stays so, whatever its colour's other pieces turn out to be.
        again = {one.colour for one in said.refused}
        kept = tuple(
            Refused(one.colour, mask_of(one.squares), one.breaches)
            for one in state.refused
            if one.colour not in again
        )
        return doubts, replace(said, refused=(*said.refused, *kept))

    def wait(self, doubts: tuple[Candidate, ...], now: float) -> tuple[Candidate, ...]:
        """Takes what is in doubt now; returns it when it is time to tell."""
        self._waiting = doubts
        if not doubts:
            self._since = None
            return ()
        if self._since is None:
            self._since = now
        return self.give_up() if now - self._since >= self._settings.patience_s else ()

    def give_up(self) -> tuple[Candidate, ...]:
        """What was in doubt and not told yet."""
        doubts, self._waiting = self._waiting, ()
        return doubts

    def interrupt(self) -> None:
        """The board is touched: a doubt begins anew."""
        self._since = None

    def forget(self) -> None:
        """Nothing is in doubt any more."""
        self._since, self._waiting, self.appeared = None, (), ()


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
