"""Ambiguous placements: their readings, and the moves that they may be. Pure."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from firmware.game.events import Candidate, MoveRefused
from firmware.game.state import GameState
from firmware.referee.adjudication import (
    Accepted,
    Adjudication,
    Appeared,
    judge,
)
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation, MatchedPiece
from firmware.referee.steadiness import LogProbabilities, lead_of
from firmware.rules.board import Board, Move, mask_of, mask_where, squares_of
from firmware.rules.position import LegalMoves, Position
from firmware.rules.variants import Colour

_DIM: Final = 1.0
"""Log odds by which a square may look more like something else and still hold a piece."""

_FAINT: Final = 2.0
"""Log odds by which a square that is seen may look like something else and still hold the piece
that all wait for: a black one between white ones, taken for a shadow, had 1.3."""

_UNSEEN: Final = 2
"""Number of badly visible squares from which a whole piece may have been overlooked."""


def is_judged_again(one: MoveRefused, judgement: Adjudication, state: GameState) -> bool:
    """True if a judgement says something else of a refused piece, or of its colour in a game."""
    mask = -1 if state.position.game.puzzle is None else mask_of(one.squares)
    new = [(other.colour, other.mask) for other in judgement.refused]
    if state.position.game.puzzle is not None:
        new += [(other.colour, other.move.mask) for other in judgement.moves]
    return any(colour == one.colour and other & mask for colour, other in new)


def is_news(doubts: Sequence[Candidate], reported: Sequence[Candidate]) -> bool:
    """True if a doubt has to be reported, given the candidates that were reported already.

    Candidates vary with the noise: a doubt is known if its likeliest candidate was reported and
    every candidate shares a square with a reported one.

    Args:
        doubts: the candidates, the likeliest first.
        reported: the candidates reported before.
    """
    if not doubts:
        return False
    known = {(one.colour, one.move) for one in reported}
    if (doubts[0].colour, doubts[0].move) not in known:
        return True
    places = mask_of(square for one in reported for square in one.move.squares)
    return any(not one.move.mask & places for one in doubts)


def squares_in_doubt(doubts: Sequence[MatchedPiece], board: Board) -> set[int]:
    """Returns the squares of all readings of doubtful pieces, and their neighbours, as seen.

    Another reading of a piece differs in a square along its side. All in the reader's frame.
    """
    mask = 0
    for one in doubts:
        for reading in one.readings:
            mask |= reading.move.mask | board.edge_neighbours(reading.move.mask)
    return set(squares_of(mask))


def candidates(doubts: Sequence[MatchedPiece], mapping: FrameMapping) -> tuple[Candidate, ...]:
    """Returns the possible readings of doubtful pieces, the likeliest first."""
    found: list[Candidate] = []
    for one in doubts:
        scores = [*(reading.score for reading in one.readings), 0.0]
        weights = np.exp(np.array(scores) - max(scores))
        weights /= weights.sum()
        found += [
            Candidate(*mapping.piece(reading), round(float(weight), 4))
            for reading, weight in zip(one.readings, weights[:-1], strict=True)
        ]
    return tuple(sorted(found, key=lambda candidate: -candidate.confidence))


def orders(
    position: Position,
    explanation: Explanation,
    possible: Sequence[FrameMapping],
    appeared: Appeared,
) -> tuple[FrameMapping, tuple[Candidate, ...]]:
    """Returns the first moves in all mappings that make moves of the pieces.

    Args:
        position: the accepted position.
        explanation: changes against it.
        possible: the mappings to choose from.
        appeared: the order in which the pieces appeared.

    Returns:
        The first such mapping, and the moves expressed in it.
    """
    first: FrameMapping | None = None
    found = set()
    for mapping in possible:
        for move in judge(position, explanation, mapping, appeared).moves[:1]:
            first = first or mapping
            column, seen = mapping.plastic[move.colour], mapping.to_reader(move.move)
            found.add((first.colour(column), first.to_game(seen)))
    assert first is not None, "some mapping makes moves of the pieces"
    even = round(1 / len(found), 4)
    likeliest = sorted(found, key=lambda one: (one[0], one[1].index))
    return first, tuple(Candidate(colour, move, even) for colour, move in likeliest)


def mapping_for(
    doubts: tuple[Candidate, ...],
    position: Position,
    mapping: FrameMapping,
    possible: Sequence[FrameMapping],
) -> tuple[FrameMapping, int | None]:
    """Finds a mapping in which the likeliest candidate is a legal move.

    Args:
        doubts: the candidates in `mapping`, the likeliest first.
        position: the accepted position.
        mapping: the mapping in use, returned if there is no better one.
        possible: the mappings to choose from.

    Returns:
        The mapping; and the turn of the board, if every candidate is a move in that turn only.
    """
    legal = [
        [f for f in possible if is_legal(position, f, *as_seen(one, mapping))] for one in doubts
    ]
    if not legal or not legal[0]:
        return mapping, None
    turns = [{f.turned for f in mappings} for mappings in legal]
    sure = all(turn == turns[0] for turn in turns) and len(turns[0]) == 1
    return legal[0][0], legal[0][0].turned if sure else None


def as_seen(one: Candidate, mapping: FrameMapping) -> tuple[int, Move]:
    """Returns a candidate in the reader's terms: column of the palette, and placement."""
    return mapping.plastic[one.colour], mapping.to_reader(one.move)


def is_legal(position: Position, mapping: FrameMapping, column: int, seen: Move) -> bool:
    """True if a piece in the reader's frame is a legal move in a mapping."""
    return position.is_legal(mapping.to_game(seen), mapping.colour(column))


def may_have_begun(
    doubts: Sequence[MatchedPiece],
    explanation: Explanation,
    judgement: Adjudication,
    mapping: FrameMapping,
    possible: Sequence[FrameMapping],
    position: Position,
) -> bool:
    """True if with a doubtful piece another colour may have begun.

    The first piece alone decides which colour begins: taken from the second piece, every later
    turn would be wrong.

    Args:
        doubts: the doubtful pieces.
        explanation: changes against the accepted position.
        judgement: the judgement that holds whatever they are.
        mapping: the mapping of that judgement.
        possible: the mappings to choose from.
        position: the accepted position.
    """
    if not judgement.moves or len({one.plastic for one in possible}) == 1:
        return False
    beginning = mapping.plastic[judgement.moves[0].colour]
    if any(
        reading.colour != beginning and is_legal(position, other, reading.colour, reading.move)
        for one in doubts
        for reading in one.readings
        for other in possible
    ):
        return True
    whole = replace(explanation, placed=(*explanation.placed, *doubts))
    others = (other for other in possible if other.plastic != mapping.plastic)
    judged = (judge(position, whole, other) for other in others)
    return any(one.moves and not one.refused for one in judged)


def may_have_moved(
    mover: Colour, evidence: LogProbabilities, mapping: FrameMapping, position: Position
) -> bool:
    """True if a colour may have laid a piece that looks faint, or on badly visible squares.

    Args:
        mover: a colour that may move.
        evidence: evidence of the steady board.
        mapping: from the reader's frame to the game's.
        position: the accepted position.
    """
    column = 1 + mapping.plastic[mover]
    lead = lead_of(evidence, column)
    hidden = np.ptp(evidence, axis=1) == 0
    able, unseen, faint = (
        mapping.mask(mask_where(some)) & ~position.occupied
        for some in (lead > -_DIM, np.abs(lead) < _DIM, ~hidden & (np.abs(lead) < _FAINT))
    )
    moves = position.moves_of(mover)
    if moves_within(moves, faint):
        return True
    able_to_hide = moves_within(moves, able)
    return any((move.mask & unseen).bit_count() >= _UNSEEN for move in able_to_hide)


def moves_within(moves: LegalMoves, squares: int) -> LegalMoves:
    """Returns the moves that cover no other squares than those of a mask."""
    board = moves.board
    outside = board.covering_any(((1 << board.squares) - 1) & ~squares)
    return LegalMoves(board, moves.placements & ~outside)


def either(moves: Sequence[Accepted]) -> tuple[Candidate, ...]:
    """Returns moves of which any may be the next one, as equally likely candidates."""
    even = round(1 / max(len(moves), 1), 4)
    return tuple(Candidate(one.colour, one.move, even) for one in moves)
