"""How a game ended: who won, and what ended it."""

from dataclasses import dataclass, replace

from firmware.game.events import EndReason
from firmware.game.state import GameState
from firmware.rules.scoring import Scoring, score
from firmware.rules.variants import Colour, Variant


@dataclass(frozen=True, slots=True)
class GameResult:
    """How a game ended.

    Attributes:
        winner: colours of the side that won; none in a tie or without a result.
        tied: colours of the sides that share the first place; none when one won.
        how: what ended it.
        margin: points between the first and the next, where the score decided.
    """

    winner: tuple[Colour, ...]
    tied: tuple[Colour, ...]
    how: EndReason
    margin: int | None = None


def game_result(state: GameState, scoring: Scoring) -> GameResult | None:
    """How a game ended; None while it lasts.

    Who resigned, or lost by time, cannot win; among the others the score decides.
    """
    if not state.over:
        return None
    how = state.ended or EndReason.SCORE
    if how is EndReason.ABANDONED:
        return GameResult((), (), how)
    found = score(state.position)
    gone = state.resigned | (state.timed_out if how is EndReason.TIME else frozenset())
    left = tuple(side for side in found.sides if not gone.issuperset(side.colours))
    winner, tied = replace(found, sides=left or found.sides).outcome(scoring)
    points = sorted(side.basic if scoring is Scoring.BASIC else -side.advanced for side in left)
    margin = points[1] - points[0] if how is EndReason.SCORE and len(points) > 1 else None
    return GameResult(winner, tied, how, margin)


def sgf_result(found: GameResult, game: Variant) -> str:
    """The result as records have it (`RE` of SGF): `B+6`, `W+Resign`, `2+Time`, `0`, `Void`.

    Who wins is named as records name the people: of two B and W, of more by the colour.
    """
    if found.how is EndReason.ABANDONED:
        return "Void"
    if not found.winner:
        return "0"
    first = found.winner[0]
    name = "BW"[game.side_of(first)] if len(game.sides) == 2 else str(first + 1)
    by = {EndReason.RESIGNED: "Resign", EndReason.TIME: "Time"}.get(found.how, "")
    return f"{name}+{by or ('' if found.margin is None else found.margin)}"
