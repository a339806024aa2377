"""What may have happened, while nobody can tell; and when the next move tells."""

from collections.abc import Sequence

import numpy as np

from firmware.events import Candidate
from firmware.game import GameState
from firmware.referee.framing import Framing
from firmware.referee.judging import Accepted, Judgement, judge
from firmware.referee.matching import Explanation, Placed
from firmware.rules.position import Position


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


def resolved_by_next(
    state: GameState,
    explanation: Explanation,
    doubts: Sequence[Placed],
    framing: Framing,
    margin: float,
) -> Judgement | None:
    """What the next player's piece tells of a doubt that was told and that nobody settled.

    Whoever plays on has accepted what lay there. That counts where something certainly
    lies there, its likeliest reading is legal, no other reading is, and all that lies on
    the board is legal after it.
    """
    likely = candidates(doubts, framing)
    told = {(one.colour, one.move) for one in state.candidates}
    position = state.position
    if len(doubts) != 1 or doubts[0].score < margin or not explanation.placed:
        return None
    legal = [
        one for one in likely if one.colour == position.to_move and one.move in position.legal_moves
    ]
    if len(legal) != 1 or legal[0] is not likely[0]:
        return None
    best = legal[0]
    after = judge(position.play(best.move), explanation, framing)
    if (best.colour, best.move) not in told or after.refused:
        return None
    move = Accepted(best.colour, best.move, doubts[0].margin)
    return Judgement((move, *after.moves), (), after.after)
