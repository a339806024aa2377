"""Mistakes of people: placements that break exactly one chosen rule."""

from enum import StrEnum
from typing import Final

import numpy as np

from firmware.codes import Rule
from firmware.rules.board import Move
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import Colour, Contact, Variant

_TRIES: Final = 4000
"""Random placements that are tried."""


class Mistake(StrEnum):
    """Kinds of mistakes."""

    OUTSIDE_FIELD = "outside-field"
    WRONG_SIZE = "wrong-size"
    TOUCHES_OWN_SIDE = "touches-own-side"
    NO_OWN_CORNER = "no-own-corner"
    MISSES_START = "misses-start"
    WRONG_TURN = "wrong-turn"
    ONE_OFF = "one-off"
    """A legal move, displaced by one square."""


_OF_GAMES: Final = (
    Mistake.TOUCHES_OWN_SIDE,
    Mistake.NO_OWN_CORNER,
    Mistake.MISSES_START,
    Mistake.WRONG_TURN,
    Mistake.ONE_OFF,
)
"""Mistakes in games; a field's edge and an order of sizes are rules of puzzles alone."""


def mistakes_of(game: Variant) -> tuple[Mistake, ...]:
    """The mistakes that a rule of a game or puzzle forbids, in the order of its pieces."""
    puzzle = game.puzzle
    if puzzle is None:
        return _OF_GAMES
    contact = {
        Contact.ANY: (),
        Contact.NOT_AT_SIDES: (Mistake.TOUCHES_OWN_SIDE,),
        Contact.AT_CORNERS: (
            Mistake.MISSES_START,
            Mistake.TOUCHES_OWN_SIDE,
            Mistake.NO_OWN_CORNER,
        ),
    }[puzzle.contact]
    outside = (Mistake.OUTSIDE_FIELD,) if puzzle.columns < game.size else ()
    has_sizes = puzzle.by_size or len(puzzle.sizes) == 1
    return (*contact, *outside, *((Mistake.WRONG_SIZE,) if has_sizes else ()), Mistake.ONE_OFF)


def wrong_placement(
    position: Position, kind: Mistake, dice: np.random.Generator
) -> LaidPiece | None:
    """A placement on free squares with exactly one kind of mistake.

    Args:
        position: position before it; not over.
        kind: its kind.
        dice: source of randomness.

    Returns:
        Colour and move; None if no such placement is found.
    """
    if position.to_move is None:
        return None
    colours = [colour for colour in position.game.colours if position.may_lay(colour)]
    colour = colours[0] if len(colours) == 1 else colours[dice.integers(len(colours))]
    if kind is Mistake.WRONG_TURN:
        return _out_of_turn(position, colour, dice)
    if kind is Mistake.ONE_OFF:
        return _one_off(position, colour, dice)
    wanted = {Rule(kind.value)}
    board = position.board
    for index in dice.permutation(board.placements)[:_TRIES].tolist():
        move = board.move(index)
        if not move.mask & position.occupied and _broken(position, colour, move) == wanted:
            return colour, move
    return None


def _broken(position: Position, colour: Colour, move: Move) -> set[Rule]:
    return {violation.rule for violation in position.examine(move.squares, colour)}


def _out_of_turn(position: Position, colour: Colour, dice: np.random.Generator) -> LaidPiece | None:
    """A legal move of the next colour after the one to move that has one."""
    if position.game.puzzle is not None:
        return None
    count = len(position.game.colours)
    for step in range(1, count):
        other = (colour + step) % count
        indices = position.moves_of(other).indices
        if len(indices):
            return other, position.board.move(int(indices[dice.integers(len(indices))]))
    return None


def _one_off(position: Position, colour: Colour, dice: np.random.Generator) -> LaidPiece | None:
    board, size = position.board, position.board.size
    legal = position.moves_of(colour)
    for index in dice.permutation(legal.indices)[:_TRIES].tolist():
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            moved = _slid(board.move(index), down, right, size)
            if moved is None or moved.mask & position.occupied:
                continue
            if moved not in legal:
                return colour, moved
    return None


def _slid(move: Move, down: int, right: int, size: int) -> Move | None:
    squares = []
    for square in move.squares:
        row, column = square // size + down, square % size + right
        if not (0 <= row < size and 0 <= column < size):
            return None
        squares.append(row * size + column)
    index = move.board.find(squares)
    return None if index is None else move.board.move(index)
