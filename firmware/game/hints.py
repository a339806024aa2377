"""Hints: the number left to each person, the squares that each step reveals, places. Pure.

A hint is one move in one position, revealed step by step. The first step costs one of the agreed
hints, further steps of the same move are free. In a game the steps are the area, the piece, one
square, the whole move and the reasons for it; a person may have agreed on less. In a puzzle they
are that it can still be solved, the area of the next piece, the piece with one square, and the
whole move. A better move may replace the hinted one if all that was revealed holds for it too.

The places of a piece that a person has chosen follow from the rules and tell nothing about which is
good, so they cost no hint; but they are help, so who agreed on no hints is not told them.
"""

from dataclasses import replace
from math import ceil
from typing import Final

from firmware.codes import HintAmount, HintStep
from firmware.game.config import GameConfig
from firmware.game.events import Squares
from firmware.game.seating import person_of
from firmware.game.state import GameState
from firmware.rules.board import Move, squares_of
from firmware.rules.extent import field_of
from firmware.rules.pieces import Shape, normalised
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Variant

_GAME: Final = (
    HintStep.AREA,
    HintStep.PIECE,
    HintStep.SQUARE,
    HintStep.WHOLE,
    HintStep.REASON,
)
"""The steps of a game in the order in which they are revealed."""

_AREA_AND_PIECE: Final = _GAME[:2]
"""The steps for a person who agreed on area and piece."""

_FORMER: Final = (HintStep.WHERE, HintStep.REACH)
"""Steps of earlier versions, after which the whole move is revealed."""

_PUZZLE: Final = (HintStep.SOLVABLE, HintStep.AREA, HintStep.PIECE, HintStep.WHOLE)
"""The steps of a puzzle in the order in which they are revealed."""

_AREA: Final = 5
"""Most squares along a side of an area: the field of each puzzle has 4 to 16 such parts."""


def steps_of(game: Variant, amount: HintAmount = HintAmount.EVERYTHING) -> tuple[HintStep, ...]:
    """The steps of a hint in the order in which they are revealed.

    Args:
        game: the game or puzzle.
        amount: the part of a hint that the person may be shown.
    """
    if game.puzzle is not None:
        return _PUZZLE
    return {HintAmount.NONE: (), HintAmount.AREA_AND_PIECE: _AREA_AND_PIECE}.get(amount, _GAME)


def remaining(state: GameState, terms: GameConfig) -> tuple[int, ...]:
    """Number of hints that each person has left, in the order of play."""
    people = range(terms.game.people)
    return tuple(max(0, terms.hints - state.hinted.count(person)) for person in people)


def next_step(state: GameState, terms: GameConfig) -> HintStep | None:
    """The next step of the hint; None if all that was agreed on is revealed."""
    hint, to_move = state.hint, state.position.to_move
    if to_move is None:
        return None
    steps = steps_of(terms.game, terms.amount_of(person_of(state.position, to_move)))
    if hint is None:
        return next(iter(steps), None)
    if hint.step in _FORMER:
        return HintStep.WHOLE if HintStep.WHOLE in steps else None
    later = steps[steps.index(hint.step) + 1 :] if hint.step in steps else ()
    if hint.reasons is None:
        later = tuple(step for step in later if step is not HintStep.REASON)
    return next(iter(later), None)


def none_agreed(state: GameState, terms: GameConfig) -> bool:
    """True if the person to move agreed on no hints."""
    to_move = state.position.to_move
    if to_move is None:
        return False
    return terms.amount_of(person_of(state.position, to_move)) is HintAmount.NONE


def is_settled(state: GameState) -> bool:
    """True if nothing is unsettled, and a person has to move."""
    unsettled = state.refused or state.in_doubt or state.disturbed or state.possible_turns
    return not (unsettled or state.level)


def can_be_given(state: GameState, terms: GameConfig) -> bool:
    """True if nothing is unsettled, a person has to move, and the hint has a further step.

    Also true if that person agreed on none: whoever asks then is told so.
    """
    can_ask = next_step(state, terms) is not None or none_agreed(state, terms)
    return is_settled(state) and can_ask


def exhausted(state: GameState, terms: GameConfig) -> bool:
    """True if the next step costs a hint and the person to move has none left."""
    to_move = state.position.to_move
    if to_move is None or state.hint is not None:
        return to_move is None
    return not remaining(state, terms)[person_of(state.position, to_move)]


def revealed_squares(state: GameState) -> Squares:
    """The squares of the hint that are revealed so far; empty without a hint."""
    hint = state.hint
    if hint is None or hint.step is HintStep.SOLVABLE:
        return ()
    position, squares = state.position, hint.move.squares
    if hint.step in (HintStep.WHOLE, HintStep.REASON):
        return squares
    roots = corners_of(position, hint.colour)
    root = next((square for square in squares if roots >> square & 1), squares[0])
    in_puzzle = position.game.puzzle is not None
    if hint.step is HintStep.AREA or (hint.step is HintStep.PIECE and not in_puzzle):
        return _area(position, root)
    if hint.step is not HintStep.REACH:
        return (root,)
    size = position.game.size

    def away(square: int) -> int:
        return abs(square // size - root // size) + abs(square % size - root % size)

    far = max(squares, key=away)
    return (root,) if far == root else (root, far)


def agrees(state: GameState, move: Move) -> bool:
    """True if a move of the same colour agrees with all that the hint has revealed so far."""
    hint = state.hint
    if hint is None:
        return True
    if hint.step is not HintStep.AREA and move.piece != hint.move.piece:
        return False
    other = replace(state, hint=replace(hint, move=move))
    return revealed_squares(other) == revealed_squares(state)


def corners_of(position: Position, colour: Colour) -> int:
    """Mask of the squares at corners of a colour's own pieces, else of its starting squares."""
    own = position.squares(colour)
    return position.board.corner_neighbours(own) or position.start_squares(colour)


def places_of(position: Position, colour: Colour, piece: str) -> dict[Shape, int]:
    """Mask of the squares that legal placements of a piece cover, by its shape as it lies."""
    board, found = position.board, dict[Shape, int]()
    ours = sum(board.of_piece[one.index] for one in position.in_hand(colour) if one.name == piece)
    for index in board.indices(position.moves_of(colour).placements & ours):
        move = board.move(index)
        shape = normalised(tuple(divmod(square, board.size) for square in move.squares))
        found[shape] = found.get(shape, 0) | move.mask
    return found


def reason_squares(state: GameState) -> Squares:
    """The squares of the first reason that has some, once the reasons are revealed."""
    hint = state.hint
    if hint is None or hint.step is not HintStep.REASON:
        return ()
    names = next((one.squares for one in hint.reasons or () if one.squares), ())
    return tuple(state.position.board.parse_squares(",".join(names))) if names else ()


def _area(position: Position, root: int) -> Squares:
    """The free squares of the part of the field that a square lies in."""
    game = position.game
    puzzle, size = game.puzzle, game.size
    columns, rows = (size, size) if puzzle is None else (puzzle.columns, puzzle.rows)

    def part(square: int) -> tuple[int, int]:
        row, column = divmod(square, size)
        return (size - 1 - row) // _side(rows), column // _side(columns)

    free = field_of(game) & ~position.occupied
    return tuple(square for square in squares_of(free) if part(square) == part(root))


def _side(length: int) -> int:
    """Squares along a side of an area, in a field of some length: parts that are nearly equal."""
    return ceil(length / ceil(length / _AREA))
