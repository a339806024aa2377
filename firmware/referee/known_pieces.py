"""What became of the pieces that were known to lie there: accepted, refused or dismissed.

Everything here is a pure function of the game and the evidence; what it returns is still to be
folded.
"""

from collections.abc import Iterable

import numpy as np

from firmware.game.events import ColouredSquares, Lifted, Moment, MoveRefused
from firmware.game.state import GameState
from firmware.referee.adjudication import Adjudication, Refused
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation, MatchedPiece
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Board, Move, mask_of, squares_of


def lifted(
    state: GameState,
    evidence: LogProbabilities,
    mapping: FrameMapping,
    sure: float,
    moment: Moment,
) -> list[Lifted]:
    """The dismissed pieces of which a square is certainly free or another colour's.

    Args:
        state: the game as it stands, told in the mapping.
        evidence: what the steady board shows.
        mapping: how to read it.
        sure: log odds from which a square is certain.
        moment: time and number of the newest frame.
    """
    gone = []
    for one in state.dismissed:
        places = [mapping.seen_at(square) for square in one.squares]
        shown = evidence[places]
        against = shown.max(axis=1) - shown[:, 1 + mapping.plastic[one.colour]]
        if against.max() > sure:
            gone.append(Lifted(*moment, one.colour, one.squares, one.told_in))
    return gone


def without_dismissed(
    state: GameState, evidence: LogProbabilities, mapping: FrameMapping
) -> LogProbabilities:
    """The evidence in which what was dismissed passes for what was accepted on its squares."""
    if not state.dismissed:
        return evidence
    changed: LogProbabilities = evidence.copy()
    contents = mapping.contents(state.position)
    for one in state.dismissed:
        places = [mapping.seen_at(square) for square in one.squares]
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
    sure: float,
) -> list[MoveRefused]:
    """The refused pieces that no longer lie where they did.

    Args:
        state: the game as it stands, told in the mapping.
        evidence: what the steady board shows.
        mapping: how to read it.
        judgement: what certainly lies there now.
        sure: log odds from which a square is certain.
    """
    lying: dict[int, int] = {one.colour: one.mask for one in judgement.refused}
    for move in judgement.moves:
        lying[move.colour] = lying.get(move.colour, 0) | move.move.mask
    contents = mapping.contents(state.position)
    gone = []
    for one in state.refused:
        if mask_of(one.squares) & ~lying.get(one.colour, 0):
            places = [mapping.seen_at(square) for square in one.squares]
            column = 1 + mapping.plastic[one.colour]
            gains = evidence[places, column] - evidence[places, contents[places]]
            if gains.min() < -sure:
                gone.append(one)
    return gone


def explains_undoing(state: GameState, instead: Explanation, mapping: FrameMapping) -> bool:
    """Whether the last placement, taken back, leaves nothing unexplained.

    Args:
        state: the game as it stands, told in the mapping.
        instead: what is new against the position before that placement, less what is known.
        mapping: how to read it.
    """
    if instead.missing or any(instead.strange):
        return False
    last = state.history[-1]
    refused = {(one.colour, mask_of(one.squares)) for one in state.refused}
    for one in instead.placed:
        colour, mask = mapping.colour(one.colour), mapping.move(one.move).mask
        # A part of the piece that is left is no new piece.
        if colour == last.colour and not mask & ~last.move.mask:
            return False
        if colour != last.colour and (colour, mask) not in refused:
            return False
    return True


def displaced(state: GameState, missing: int) -> tuple[ColouredSquares, ...]:
    """The accepted pieces of which a square is missing, whole.

    Args:
        state: the game as it stands.
        missing: mask of the accepted squares that are certainly empty, in the game's frame.
    """
    return tuple(
        ColouredSquares(colour, move.squares)
        for colour, laid in enumerate(state.position.laid)
        for move in laid
        if move.mask & missing
    )


def is_back(state: GameState, explanation: Explanation, mapping: FrameMapping) -> bool:
    """Whether no square of the disturbed pieces looks empty any more."""
    rather_empty = mapping.mask(explanation.missing | explanation.wavering)
    return not any(mask_of(patch.squares) & rather_empty for patch in state.disturbed)


def near(move: Move, doubts: Iterable[MatchedPiece], mapping: FrameMapping) -> bool:
    """Whether something doubtful lies where a piece lay, or along its side."""
    board = Board.of(mapping.size)
    place = move.mask | board.edge_neighbours(move.mask)
    return any(mapping.mask(one.move.mask) & place for one in doubts)


def may_be_pushed(state: GameState, wavering: int, refused: Refused) -> bool:
    """Whether a refused piece may be an accepted one that was pushed: that one hardly shows.

    Args:
        state: the game as it stands.
        wavering: mask of the accepted squares that look rather empty, in the game's frame.
        refused: what lies there and is new.
    """
    board = state.position.board
    return any(
        move.mask & wavering and board.next_to(refused.mask) & move.mask
        for move in state.position.laid[refused.colour]
    )


def seen_instead(
    missing: int, lying: Explanation, mapping: FrameMapping
) -> tuple[ColouredSquares, ...]:
    """What is seen instead of the pieces that were moved.

    Args:
        missing: mask of the accepted squares that are empty, in the reader's frame.
        lying: what lies there and is new, the pieces that were moved taken for new.
        mapping: how to read it.
    """
    empty = ColouredSquares(None, tuple(squares_of(mapping.mask(missing))))
    placed = [
        ColouredSquares(mapping.colour(one.colour), mapping.move(one.move).squares)
        for one in lying.placed
    ]
    strange = [
        ColouredSquares(mapping.colour(column), tuple(squares_of(mapping.mask(squares))))
        for column, squares in enumerate(lying.strange)
        if squares
    ]
    return (empty, *placed, *strange)
