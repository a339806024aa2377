"""Builds the part of a page for arbiters only: hints, and checks of the set-up."""

from typing import Final

from firmware.codes import HintAmount, HintStep, PlayerFailure
from firmware.game.config import GameConfig
from firmware.game.events import Hinted
from firmware.game.hints import remaining, revealed_squares
from firmware.game.seating import person_of
from firmware.game.state import GameState
from firmware.publishing.page_builder import Squares, page_squares
from firmware.rules.position import Position
from vision.setup.rating import Rating
from vision.setup.report import SetupReport
from web import contract

_WITHOUT_COLOUR: Final = (HintStep.SOLVABLE, HintStep.AREA)
"""Steps of a hint that do not tell the colour of the move."""

_WITH_PIECE: Final = (
    HintStep.PIECE,
    HintStep.SQUARE,
    HintStep.WHOLE,
    HintStep.REASON,
)
"""Steps of a hint that tell the piece."""


_CROPPED: Final = contract.FindingEntry("view", Rating.FAIR, "cropped")
"""Finding about a camera that leaves out a part of what its lens shows."""


def build_hints(
    state: GameState, config: GameConfig, *, thinking: bool, failure: PlayerFailure | None
) -> contract.HintAllowance | None:
    """Returns the hints of a game; None in a game without any.

    Args:
        state: the state of the game.
        config: settings of the game.
        thinking: True while the computer player looks for a hint.
        failure: reason that the last request gave no hint; else None.
    """
    if not config.hints:
        return None
    hint, position = state.hint, state.position
    step = None if hint is None else hint.step
    names_piece = step in _WITH_PIECE
    names_colour = step not in (None, *_WITHOUT_COLOUR)
    to_move = position.to_move
    person = None if state.over or to_move is None else person_of(position, to_move)
    amount = HintAmount.EVERYTHING if person is None else config.amount_of(person)
    return contract.HintAllowance(
        remaining(state, config),
        person,
        thinking,
        failure,
        step,
        hint.colour if hint is not None and names_colour else None,
        page_squares(position, revealed_squares(state)),
        hint.move.piece.name if hint is not None and names_piece else "",
        amount,
        () if hint is None else _reasons(position, hint),
        hint.proved if hint is not None and step is HintStep.REASON else None,
    )


def _reasons(position: Position, hint: Hinted) -> tuple[contract.MoveReasonEntry, ...]:
    """Returns the reasons for a hinted move, once they are revealed."""
    if hint.step is not HintStep.REASON:
        return ()
    board = position.board

    def squares(names: tuple[str, ...]) -> Squares:
        return page_squares(position, board.parse_squares(",".join(names))) if names else ()

    return tuple(
        contract.MoveReasonEntry(one.code, one.number, squares(one.squares))
        for one in hint.reasons or ()
    )


def build_findings(
    state: GameState, report: SetupReport | None, turned: int, *, is_cropped: bool
) -> tuple[contract.FindingEntry, ...]:
    """Returns the findings of the newest check of the set-up.

    Args:
        state: the state of the game.
        report: the findings; None before the first check.
        turned: the clockwise turn from the camera's frame to the game's, in degrees.
        is_cropped: True if the camera leaves out a part of what its lens shows.
    """
    position, quarters = state.position, turned // 90
    entries = () if report is None else report.points
    of_this_board = report is not None and report.size == position.game.size

    def squares(found: tuple[int, ...]) -> Squares:
        turned_squares = [position.board.turn(square, quarters) for square in found]
        return page_squares(position, turned_squares) if of_this_board else ()

    found = tuple(
        contract.FindingEntry(
            one.code,
            one.level,
            one.fault,
            one.remedy,
            squares(one.squares),
        )
        for one in entries
    )
    return (*found, *([_CROPPED] if found and is_cropped else []))
