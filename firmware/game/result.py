"""The result of a game: the winner, and the reason for the end."""

from dataclasses import dataclass, replace

from firmware.codes import EndReason, Scoring
from firmware.game.state import GameState
from firmware.rules.scoring import score
from firmware.rules.variants import Colour, Variant


@dataclass(frozen=True, slots=True)
class GameResult:
    """The result of a game.

    Attributes:
        winner: colours of the side that won; none in a tie or without a result.
        tied: colours of the sides that share the first place; none if one side won.
        how: reason for the end.
        margin: points between the first and the second side, if the score decided.
    """

    winner: tuple[Colour, ...]
    tied: tuple[Colour, ...]
    how: EndReason
    margin: int | None = None


def game_result(state: GameState, scoring: Scoring) -> GameResult | None:
    """The result of a game; None until it is over.

    A side that resigned, or lost on time, cannot win; among the others the score decides. Nobody
    wins a puzzle.
    """
    if not state.over:
        return None
    how = state.ended or EndReason.SCORE
    if how is EndReason.ABANDONED or state.position.game.puzzle is not None:
        return GameResult((), (), how)
    found = score(state.position)
    excluded = state.resigned | (state.timed_out if how is EndReason.TIME else frozenset())
    eligible = tuple(side for side in found.sides if not excluded.issuperset(side.colours))
    winner, tied = replace(found, sides=eligible or found.sides).outcome(scoring)
    points = sorted(side.basic if scoring is Scoring.BASIC else -side.advanced for side in eligible)
    margin = points[1] - points[0] if how is EndReason.SCORE and len(points) > 1 else None
    return GameResult(winner, tied, how, margin)


def sgf_result(found: GameResult, game: Variant) -> str:
    """The result as in records (`RE` of SGF): `B+6`, `W+Resign`, `2+Time`, `0`, `Void`, `Solved`.

    The winner of two sides is B or W, of more sides the number of its first colour.
    """
    if found.how is EndReason.ABANDONED:
        return "Void"
    if game.puzzle is not None:
        return "Solved"
    if not found.winner:
        return "0"
    first = found.winner[0]
    name = "BW"[game.side_of(first)] if len(game.sides) == 2 else str(first + 1)
    by = {EndReason.RESIGNED: "Resign", EndReason.TIME: "Time"}.get(found.how, "")
    return f"{name}+{by or ('' if found.margin is None else found.margin)}"
