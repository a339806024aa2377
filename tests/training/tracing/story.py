"""The events of a game at a table, frame by frame. Pure.

The board's own frame has its start marks at e5 and j10, like a board turned by a quarter: squares
of the referee, whose starting points are e10 and j5, are converted to it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

import numpy as np

from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.training.tracing.layout import TracedPiece

SIDE: Final = 14
STARTS: Final = ((9, 4), (4, 9))
"""Starting squares e5 and j10 of the board's own frame, as row from the top and column."""

_LARGE: Final = 4
"""Smallest size of a piece while such a piece can be laid, as people play."""

_HANDS, _CLEAR = 2, 2
"""Frames with a hand and without for each move."""


@dataclass(frozen=True, slots=True)
class StoryPiece:
    """A piece on the board; its placement error is drawn again at each touch."""

    piece: TracedPiece
    draw: int


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame.

    Attributes:
        placed: pieces on the board.
        reaching: squares that a hand reaches, if there is one.
        held: piece in that hand.
        light: brightness, 1 at the start.
        bumped: True after a push of the camera.
    """

    placed: tuple[StoryPiece, ...] = ()
    reaching: tuple[tuple[int, int], ...] = ()
    held: TracedPiece | None = None
    light: float = 1.0
    bumped: bool = False


@dataclass(slots=True)
class Story:
    """Frames, and their events in the format of the recorded game of the further data."""

    shots: list[Shot] = field(default_factory=list)
    events: list[dict[str, Any]] = field(default_factory=list)

    def play(self, moves: int, chance: np.random.Generator) -> "Story":
        """Adds a game with accidents.

        Args:
            moves: number of moves.
            chance: random choices of moves and accidents.
        """
        self._stay(Shot())
        position = Position.start("duo")
        wrong = int(chance.integers(1, moves)) if moves > 1 else -1
        accidents = dict(
            zip(chance.permutation(moves), (self._cloud, self._nudge, self._bump), strict=False)
        )
        for number in range(moves):
            colour = position.to_move
            if colour is None:
                break
            if number in accidents:
                accidents[number](chance)
            if number == wrong:
                self._illegal(position, colour, chance)
            move = _legal(position, chance)
            self._lay("move", own(move, colour))
            position = position.play(move)
        return self

    def _stay(self, shot: Shot) -> None:
        self.shots += [replace(shot, reaching=(), held=None)] * _CLEAR

    def _reach(self, shot: Shot, piece: TracedPiece, *, held: bool) -> None:
        self.shots.append(replace(shot, reaching=piece.squares, held=piece if held else None))

    def _lay(self, kind: str, piece: TracedPiece) -> None:
        before = self.shots[-1]
        after = replace(before, placed=(*before.placed, StoryPiece(piece, 0)))
        self._reach(before, piece, held=True)
        for _ in range(_HANDS - 1):
            self._reach(after, piece, held=False)
        self._stay(after)
        self._note(kind, piece)

    def _illegal(self, position: Position, colour: int, chance: np.random.Generator) -> None:
        piece = own(_breaking(position, colour, chance), colour)
        before = self.shots[-1]
        self._lay("illegal", piece)
        self._reach(self.shots[-1], piece, held=False)
        self._stay(before)
        self._note("withdrawn", piece)

    def _note(self, kind: str, piece: TracedPiece) -> None:
        cells = sorted([column, SIDE - 1 - row] for row, column in piece.squares)
        self.events.append({"type": kind, "color": "AB"[piece.colour - 1], "cells": cells})

    def _cloud(self, chance: np.random.Generator) -> None:
        light = float(np.exp(chance.uniform(np.log(0.45), np.log(1.4))))
        self._stay(replace(self.shots[-1], light=light))
        self.events.append({"type": "light_change", "light_factor": round(light, 3)})

    def _nudge(self, chance: np.random.Generator) -> None:
        last = self.shots[-1]
        if not last.placed:
            return
        which = int(chance.integers(len(last.placed)))
        touched = last.placed[which]
        placed = list(last.placed)
        placed[which] = replace(touched, draw=touched.draw + 1)
        self._reach(replace(last, placed=tuple(placed)), touched.piece, held=False)
        self._stay(self.shots[-1])
        self.events.append({"type": "nudge"})

    def _bump(self, chance: np.random.Generator) -> None:
        del chance
        self._stay(replace(self.shots[-1], bumped=True))
        self.events.append({"type": "camera_bump"})


def own(move: Move, colour: int) -> TracedPiece:
    """Returns a move of the referee's frame as a piece in the board's own frame."""
    places = (divmod(square, SIDE) for square in move.squares)
    return TracedPiece(colour + 1, tuple((SIDE - 1 - column, row) for row, column in places))


def _legal(position: Position, chance: np.random.Generator) -> Move:
    moves = list(position.legal_moves)
    large = [move for move in moves if move.piece.size > _LARGE] or moves
    return large[int(chance.integers(len(large)))]


def _breaking(position: Position, colour: int, chance: np.random.Generator) -> Move:
    """Returns an illegal placement of a piece in hand, on free squares."""
    used = {move.piece for move in position.laid[colour]}
    for move in _shuffled(position, chance):
        free = not move.mask & position.occupied
        if free and move.piece not in used and move.piece.size > _LARGE:
            violations = position.examine(move.squares, colour)
            if violations:
                return move
    raise AssertionError


def _shuffled(position: Position, chance: np.random.Generator) -> Iterator[Move]:
    board = position.board
    order: Sequence[int] = chance.permutation(board.placements).tolist()
    return (board.move(index) for index in order)
