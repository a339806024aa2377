"""Finds changes of known pieces: accepted, refused or not counted.

People change their mind under one hand, and lay another piece in the place of the last one, that
contains it or lies within it. Against the accepted position such a piece looks like a second one
along the side of the last, or as if a part of the last were missing.

All functions are pure; the caller applies the events that they return.
"""

from collections.abc import Iterable
from dataclasses import replace
from functools import reduce
from operator import or_

import numpy as np
from numpy.typing import NDArray

from firmware.game.events import ColouredSquares, Lifted, Moment, MoveRefused, Squares
from firmware.game.state import GameState, Ply
from firmware.referee.adjudication import Adjudication, Refused, judge
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import CHANGED, Explanation, Hypothesis, MatchedPiece
from firmware.referee.steadiness import LogProbabilities, lead_of
from firmware.rules.board import Board, Move, mask_of, squares_of
from firmware.rules.variants import Colour


def lifted(
    state: GameState,
    evidence: LogProbabilities,
    mapping: FrameMapping,
    moment: Moment,
) -> list[Lifted]:
    """Returns events for the pieces that do not count and were lifted.

    Args:
        state: the state of the game, expressed in `mapping`.
        evidence: evidence of the steady board.
        mapping: from the reader's frame to the game's.
        moment: time and number of the newest frame.
    """
    return [
        Lifted.of(one, moment)
        for one in state.not_counted
        if leads(one.colour, one.squares, evidence, mapping).min() < -CHANGED
    ]


def leads(
    colour: Colour, squares: Squares, evidence: LogProbabilities, mapping: FrameMapping
) -> NDArray[np.float64]:
    """Returns (squares,) log odds that each square shows a piece; 0 for a hidden square.

    Args:
        colour: colour of the piece.
        squares: its squares.
        evidence: evidence of the steady board.
        mapping: from the reader's frame to the game's.
    """
    there = evidence[[mapping.seen_at(square) for square in squares]]
    return lead_of(there, 1 + mapping.plastic[colour])


def without_not_counted(
    state: GameState, evidence: LogProbabilities, mapping: FrameMapping
) -> LogProbabilities:
    """Returns evidence in which pieces that do not count look like the accepted contents.

    Where the piece of the computer goes, whatever lies there is seen.
    """
    changed: LogProbabilities = evidence.copy()
    contents = mapping.contents(state.position)
    chosen = () if state.chosen is None else state.chosen.move.squares
    for one in state.not_counted:
        places = [mapping.seen_at(square) for square in one.squares if square not in chosen]
        column = 1 + mapping.plastic[one.colour]
        there = contents[places]
        changed[places, there] = np.maximum(changed[places, there], changed[places, column])
        other = [place for place, content in zip(places, there, strict=True) if content != column]
        changed[other, column] = changed[other].min(axis=1)
    return changed


def withdrawn(
    state: GameState,
    evidence: LogProbabilities,
    mapping: FrameMapping,
    judgement: Adjudication,
) -> list[MoveRefused]:
    """Returns the refused pieces that no longer lie where they did.

    Args:
        state: the state of the game, expressed in `mapping`.
        evidence: evidence of the steady board.
        mapping: from the reader's frame to the game's.
        judgement: judgement of the certain pieces.
    """
    present: dict[int, int] = {one.colour: one.mask for one in judgement.refused}
    for move in judgement.moves:
        present[move.colour] = present.get(move.colour, 0) | move.move.mask
    contents = mapping.contents(state.position)
    withdrawn_pieces = []
    for one in state.refused:
        if mask_of(one.squares) & ~present.get(one.colour, 0):
            places = [mapping.seen_at(square) for square in one.squares]
            column = 1 + mapping.plastic[one.colour]
            gains = evidence[places, column] - evidence[places, contents[places]]
            if gains.min() < -CHANGED:
                withdrawn_pieces.append(one)
    return withdrawn_pieces


def explains_undoing(state: GameState, instead: Explanation, mapping: FrameMapping) -> bool:
    """True if taking back the last placement leaves nothing unexplained.

    Args:
        state: the state of the game, expressed in `mapping`.
        instead: changes against the position before that placement.
        mapping: from the reader's frame to the game's.
    """
    if instead.missing or any(instead.strange):
        return False
    last = state.history[-1]
    known = {(one.colour, mask_of(one.squares)) for one in state.refused}
    moves = judge(last.before, instead, mapping).moves
    if moves and moves[0].move.piece is not last.move.piece:
        # In a gap others moved after it. The same piece elsewhere may have been pushed by them.
        known.update((one.colour, one.move.mask) for one in moves)
    for one in instead.placed:
        colour, move = mapping.piece(one)
        mask = move.mask
        # A remaining part of the piece is no new piece.
        if colour == last.colour and not mask & ~last.move.mask:
            return False
        if colour != last.colour and (colour, mask) not in known:
            return False
    return True


def displaced(state: GameState, missing: int) -> tuple[ColouredSquares, ...]:
    """Returns all squares of the accepted pieces of which a square is missing.

    Args:
        state: the state of the game.
        missing: mask of the accepted squares that are certainly empty, in the game's frame.
    """
    return tuple(
        ColouredSquares(colour, move.squares)
        for colour, move in state.position.pieces
        if move.mask & missing
    )


def is_incomplete(piece: ColouredSquares, explanation: Explanation, mapping: FrameMapping) -> bool:
    """True if an accepted piece lacks only some of its squares, and neither moved nor was covered.

    A piece that was pushed appears on squares beside its own; one that made room for another has
    that on its squares.

    Args:
        piece: its colour and all its squares.
        explanation: changes against the accepted position.
        mapping: from the reader's frame to the game's.
    """
    mask = mask_of(piece.squares)
    beside = Board.of(mapping.size).edge_neighbours(mask)
    for column, strange in enumerate(explanation.strange):
        own = [one.move.mask for one in explanation.pieces if one.colour == column]
        new = mapping.mask(reduce(or_, own, strange))
        if new & (beside if mapping.colour(column) == piece.colour else mask):
            return False
    return bool(mask & ~mapping.mask(explanation.missing))


def is_back(state: GameState, explanation: Explanation, mapping: FrameMapping) -> bool:
    """True if no square of the disturbed pieces looks empty any more."""
    rather_empty = mapping.mask(explanation.missing | explanation.wavering)
    return not any(mask_of(patch.squares) & rather_empty for patch in state.disturbed)


def near(move: Move, doubts: Iterable[MatchedPiece], mapping: FrameMapping) -> bool:
    """True if a doubtful piece lies where a piece lay, or along its side."""
    board = Board.of(mapping.size)
    place = move.mask | board.edge_neighbours(move.mask)
    return any(mapping.mask(one.move.mask) & place for one in doubts)


def may_be_pushed(state: GameState, wavering: int, refused: Refused) -> bool:
    """True if a refused piece may be an accepted one that was pushed a little.

    Args:
        state: the state of the game.
        wavering: mask of the accepted squares that look rather empty, in the game's frame.
        refused: the refused piece.
    """
    board = state.position.board
    return any(
        move.mask & wavering and board.next_to(refused.mask) & move.mask
        for move in state.position.laid[refused.colour]
    )


def seen_instead(
    missing: int, present: Explanation, mapping: FrameMapping
) -> tuple[ColouredSquares, ...]:
    """Returns the contents seen in the places of moved pieces, and their present places.

    Args:
        missing: mask of the accepted squares that are empty, in the reader's frame.
        present: changes against the position without the moved pieces.
        mapping: from the reader's frame to the game's.
    """
    empty = ColouredSquares(None, tuple(squares_of(mapping.mask(missing))))
    placed = [
        ColouredSquares(colour, move.squares) for colour, move in map(mapping.piece, present.placed)
    ]
    strange = [
        ColouredSquares(mapping.colour(column), tuple(squares_of(mapping.mask(squares))))
        for column, squares in enumerate(present.strange)
        if squares
    ]
    return (empty, *placed, *strange)


def may_be_exchanged(last: Ply, explanation: Explanation, mapping: FrameMapping) -> bool:
    """True if squares of the last piece are missing, or new ones of its colour lie along its side.

    Args:
        last: the last accepted placement.
        explanation: changes against the accepted position.
        mapping: from the reader's frame to the game's.
    """
    column, seen = mapping.plastic[last.colour], mapping.to_reader(last.move)
    new = (one.move.mask for one in explanation.placed if one.colour == column)
    beside = seen.board.edge_neighbours(seen.mask)
    return bool(explanation.missing & seen.mask) or any(mask & beside for mask in new)


def doubting_last(last: Ply, instead: Explanation, mapping: FrameMapping) -> Explanation | None:
    """Returns an explanation in which a piece in the place of the last one is doubtful.

    The last one is its rival, whichever the picture shows: it may stand beside a second piece, or
    with a square in a shadow.

    Args:
        last: the last accepted placement.
        instead: changes against the position before it.
        mapping: from the reader's frame to the game's.

    Returns:
        The explanation against the position before; None if no other legal piece lies there.
    """
    column, seen = mapping.plastic[last.colour], mapping.to_reader(last.move)
    legal = last.before.moves_of(last.colour)
    for one in instead.placed:
        common = one.move.mask & seen.mask
        is_other = one.colour == column and one.move != seen and mapping.to_game(one.move) in legal
        if is_other and common in (one.move.mask, seen.mask):
            doubt = replace(one, margin=0.0, rivals=(Hypothesis(column, seen, one.score),))
            placed = tuple(other for other in instead.placed if other is not one)
            return replace(instead, placed=placed, doubtful=(*instead.doubtful, doubt))
    return None
