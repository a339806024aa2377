"""How a game ended: who won, and what ended it."""

from dataclasses import dataclass, replace

from firmware.game.events import How
from firmware.game.state import GameState
from firmware.rules.scoring import Scoring, score
from firmware.rules.variants import Colour, Game


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a game ended.

    Attributes:
        winner: colours of the side that won; none in a tie or without a result.
        tied: colours of the sides that share the first place; none when one won.
        how: what ended it.
        margin: points between the first and the next, where the score decided.
    """

    winner: tuple[Colour, ...]
    tied: tuple[Colour, ...]
    how: How
    margin: int | None = None


def outcome(state: GameState, scoring: Scoring) -> Outcome | None:
    """How a game ended; None while it lasts.

    Who resigned, or lost by time, cannot win; among the others the score decides.
    """
    if not state.over:
        return None
    how = state.ended or How.SCORE
    if how is How.ABANDONED:
        return Outcome((), (), how)
    found = score(state.position)
    gone = state.resigned | (state.timed_out if how is How.TIME else frozenset())
    left = tuple(side for side in found.sides if not gone.issuperset(side.colours))
    winner, tied = replace(found, sides=left or found.sides).outcome(scoring)
    points = sorted(side.basic if scoring is Scoring.BASIC else -side.advanced for side in left)
    margin = points[1] - points[0] if how is How.SCORE and len(points) > 1 else None
    return Outcome(winner, tied, how, margin)


def in_record(found: Outcome, game: Game) -> str:
    """The result as records have it (`RE` of SGF): `B+6`, `W+Resign`, `2+Time`, `0`, `Void`.

    Who wins is named as records name the people: of two B and W, of more by the colour.
    """
    if found.how is How.ABANDONED:
        return "Void"
    if not found.winner:
        return "0"
    first = found.winner[0]
    name = "BW"[game.side_of(first)] if len(game.sides) == 2 else str(first + 1)
    by = {How.RESIGNED: "Resign", How.TIME: "Time"}.get(found.how, "")
    return f"{name}+{by or ('' if found.margin is None else found.margin)}"
