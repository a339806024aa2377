"""Pieces of a puzzle that were lifted from anywhere on the board."""

from collections.abc import Collection
from functools import lru_cache

from firmware.codes import Rule, Takeback
from firmware.game.events import ColouredSquares, Moment, Undone
from firmware.game.state import GameState
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation
from firmware.rules.board import mask_of
from firmware.rules.position import LaidPiece, Position
from firmware.rules.puzzle_faults import faults_of
from firmware.rules.variants import Colour, Contact, Variant


def may_lift_any(game: Variant, takeback: Takeback) -> bool:
    """True if any piece of a puzzle may be lifted at any time, as in a filling always."""
    puzzle = game.puzzle
    if puzzle is None:
        return False
    return puzzle.contact is not Contact.AT_CORNERS or takeback is Takeback.ANY


def pieces_on(position: Position, places: Collection[ColouredSquares]) -> list[LaidPiece]:
    """Returns the pieces of a position that lie exactly on some squares."""
    wanted = {(one.colour, mask_of(one.squares)) for one in places}
    return [
        (colour, move)
        for colour, laid in enumerate(position.laid)
        for move in laid
        if (colour, move.mask) in wanted
    ]


def without(position: Position, lifted: Collection[LaidPiece]) -> Position:
    """Returns a position without some of its pieces."""
    rest = (one for one in position.pieces if one not in lifted)
    return Position.start(position.game, position.starts).put_all(rest)


def leaves_faults(position: Position, rest: Position) -> bool:
    """True if a piece of the rest of a position breaks a rule that it did not break before."""
    return bool(_faults(rest) and not _faults(rest) <= _faults(position))


@lru_cache(maxsize=4)
def _faults(position: Position) -> frozenset[tuple[Colour, tuple[int, ...], Rule]]:
    """Returns the pieces that break rules; the last positions are asked about in every frame."""
    return frozenset(
        (one.colour, one.squares, each.rule)
        for one in faults_of(position)
        for each in one.violations
    )


def explains(lifted: Collection[LaidPiece], instead: Explanation, mapping: FrameMapping) -> bool:
    """True if the lifting of some pieces leaves nothing unexplained.

    Args:
        lifted: the pieces.
        instead: changes against the position without them.
        mapping: from the reader's frame to the game's.
    """
    if instead.missing or any(instead.strange):
        return False
    # A remaining part of a piece is no new piece.
    parts = ((mapping.colour(one.colour), mapping.to_game(one.move).mask) for one in instead.placed)
    return not any(
        colour == own and not mask & ~move.mask for colour, mask in parts for own, move in lifted
    )


def undoing(state: GameState, lifted: Collection[LaidPiece], moment: Moment) -> list[Undone]:
    """Returns the events that take pieces back, the last one first."""
    before = state.plies - len(state.history)
    numbers = {
        (ply.colour, ply.move): before + number for number, ply in enumerate(state.history, 1)
    }
    events = [
        Undone(*moment, numbers.get((colour, move), 0), colour, move) for colour, move in lifted
    ]
    return sorted(events, key=lambda event: -event.ply)
