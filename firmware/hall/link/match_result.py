"""Builds the result of a match of a hall, with the answers of its sides."""

from firmware.codes import EndReason
from firmware.game.config import GameConfig
from firmware.game.events import ResultDisputed
from firmware.game.result import game_result
from firmware.game.seating import colours_of
from firmware.game.state import GameState
from firmware.rules.scoring import score
from firmware.rules.variants import Variant
from firmware.storage.page_builder import build_sides
from web.contract import AnswerKind, MatchResult, PlayedMatch, SideAnswer


def played_match(state: GameState) -> PlayedMatch | None:
    """Returns the match that the game on the table is; None if it is none."""
    match = state.match
    return None if match is None else PlayedMatch(match.match, match.round, match.players)


def people_of(game: Variant, side: int) -> tuple[int, ...]:
    """Returns the persons of a side, by place in the order of play."""
    colours = set(game.sides[side])
    return tuple(one for one in range(game.people) if colours.issuperset(colours_of(game, one)))


def build_result(state: GameState, config: GameConfig, name: str) -> MatchResult | None:
    """Returns the result of the match on the table.

    Args:
        state: the state of the game.
        config: settings of the game.
        name: name of the folder of its files.

    Returns:
        The result; None while the game lasts, after it was abandoned, or if it is no match.
    """
    match, found = played_match(state), game_result(state, config.scoring)
    if match is None or found is None or found.how is EndReason.ABANDONED:
        return None
    answers = {one.side: one for one in state.answers}
    first, sides = {*found.winner, *found.tied}, []
    for at, side in enumerate(build_sides(state.position, score(state.position), config.scoring)):
        answer = answers.get(at)
        disputed = isinstance(answer, ResultDisputed)
        kind = AnswerKind.DISPUTED if disputed else AnswerKind.CONFIRMED
        sides.append(
            SideAnswer(
                people_of(state.position.game, at),
                side.score,
                won=not first.isdisjoint(side.colours),
                answer=AnswerKind.NONE if answer is None else kind,
                sentence=answer.sentence if isinstance(answer, ResultDisputed) else "",
            )
        )
    return MatchResult(match, name, found.how, tuple(sides), config.scoring)
