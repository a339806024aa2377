"""The result of a game: the winner, and the reason for the end."""

from dataclasses import replace

from firmware.codes import EndReason, GameResult, Scoring
from firmware.game.state import GameState
from firmware.rules.scoring import score


def game_result(state: GameState, scoring: Scoring) -> GameResult | None:
    """The result of a game; None until it is over.

    A side that resigned, or lost on time, cannot win; among the others the score decides. Nobody
    wins a puzzle.
    """
    if not state.over:
        return None
    how = state.ended or EndReason.SCORE
    if how is EndReason.ABANDONED or state.position.game.puzzle is not None:
        return GameResult(how=how)
    found = score(state.position)
    excluded = state.resigned | (state.timed_out if how is EndReason.TIME else frozenset())
    eligible = tuple(side for side in found.sides if not excluded.issuperset(side.colours))
    winner, tied = replace(found, sides=eligible or found.sides).outcome(scoring)
    return GameResult(winner, tied, how)


def sgf_result(state: GameState, scoring: Scoring) -> str:
    """The result as in records (`RE` of SGF): `B+6`, `W+Resign`, `2+Time`, `0`, `Void`, `Solved`.

    It is empty until the game is over. The winner of two sides is B or W, of more sides the number
    of its first colour.
    """
    found, game = game_result(state, scoring), state.position.game
    if found is None:
        return ""
    if found.how is EndReason.ABANDONED:
        return "Void"
    if game.puzzle is not None:
        return "Solved"
    if not found.winner:
        return "0"
    first = found.winner[0]
    name = "BW"[game.side_of(first)] if len(game.sides) == 2 else str(first + 1)
    by = {EndReason.RESIGNED: "Resign", EndReason.TIME: "Time"}.get(found.how)
    return f"{name}+{by or _margin(state, scoring)}"


def _margin(state: GameState, scoring: Scoring) -> str:
    """Returns the points between the first and the second side that can win; empty without."""
    sides = score(state.position).sides
    points = sorted(
        side.basic if scoring is Scoring.BASIC else -side.advanced
        for side in sides
        if not state.resigned.issuperset(side.colours)
    )
    return str(points[1] - points[0]) if len(points) > 1 else ""
