"""Imports the position of a board on which pieces stand already, if it is unambiguous."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from firmware.referee.adjudication import judge
from firmware.referee.any_order import arrange
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.joined_pieces import splits
from firmware.referee.placement_matching import CHANGED, NOTHING_BEYOND, Explanation, overhang
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Move, mask_of, squares_of
from firmware.rules.extent import pieces_of
from firmware.rules.position import LaidPiece, Position
from firmware.rules.reconstruction import recover
from firmware.rules.variants import Colour, Contact, Variant


def import_position(
    evidence: LogProbabilities,
    game: Variant,
    possible: Sequence[FrameMapping],
    beyond: NDArray[np.float32] = NOTHING_BEYOND,
) -> tuple[FrameMapping, Position, tuple[Colour, ...]] | None:
    """Finds the only position and frame that the squares allow, and the possible turns.

    Args:
        evidence: evidence of the steady board.
        game: the variant played.
        possible: the mappings to choose from.
        beyond: evidence beyond the border, see `vision.reading.Reading`.

    Returns:
        Mapping, position (with the first of the turns) and the colours that may be to move (none
        in a puzzle); None if a square is in doubt, a piece may go on beyond the border, the
        position is impossible, or two turns of the board are possible.
    """
    two = np.partition(evidence, -2, axis=1)[:, -2:]
    if (two[:, 1] - two[:, 0]).min() < CHANGED:
        return None
    contents = evidence.argmax(axis=1)
    if overhang(beyond, mask_of(np.flatnonzero(contents).tolist())) > -CHANGED:
        return None
    found = []
    for mapping in possible:
        masks = [
            mapping.mask(mask_of(np.flatnonzero(contents == 1 + column).tolist()))
            for column in mapping.plastic
        ]
        if game.puzzle is not None:
            standing = puzzle_position(game, masks)
            return None if standing is None else (mapping, standing, ())
        recovered = recover(game, masks)
        turns = recovered.turns or ((0,) if recovered.position.is_over else ())
        if turns and not recovered.problems:
            found.append((mapping, recovered.position, turns))
    if len({mapping.turned for mapping, _, _ in found}) != 1:
        return None
    mapping, position, _ = found[0]
    plastic = {one.plastic[turn] for one, _, turns in found for turn in turns}
    may_move = tuple(sorted(mapping.plastic.index(column) for column in plastic))
    return mapping, position.with_turn(may_move[0]), may_move


def puzzle_position(game: Variant, squares: Sequence[int]) -> Position | None:
    """Returns the only right position of a puzzle with these squares; None if there is none.

    Args:
        game: the puzzle.
        squares: for each colour the mask of its squares.
    """
    position = Position.start(game)
    new: list[LaidPiece] = []
    for colour, own in enumerate(squares):
        pieces = _only_pieces(position, own)
        if pieces is None:
            return None
        new += [(colour, move) for move in pieces]
    found = arrange(position, new)
    return found.after if len(found.legal) == len(new) else None


def _only_pieces(position: Position, own: int) -> tuple[Move, ...] | None:
    """Returns the pieces of one colour of a puzzle if its squares allow no others."""
    board, puzzle = position.board, position.game.puzzle
    if not own:
        return ()
    if puzzle is not None and puzzle.contact is Contact.ANY:
        hand = frozenset(piece.index for piece in pieces_of(position.game))
        ways = splits(board, own, hand)
        return ways[0] if ways is not None and len(ways) == 1 else None
    places = [board.find(squares_of(group)) for group in board.groups(own)]
    pieces = tuple(board.move(place) for place in places if place is not None)
    return pieces if len(pieces) == len(places) else None


def whose_turn(
    position: Position,
    possible_turns: Sequence[Colour],
    explanation: Explanation,
    mapping: FrameMapping,
) -> Colour | None:
    """Returns the colour whose turn it was, by a piece that is a move of that colour only.

    Args:
        position: the position before the piece.
        possible_turns: the colours whose turn it may be.
        explanation: changes against the accepted position.
        mapping: from the reader's frame to the game's.
    """
    fits = []
    for colour in possible_turns:
        judgement = judge(position.with_turn(colour), explanation, mapping)
        if judgement.moves and not (judgement.refused or judgement.open):
            fits.append(colour)
    return fits[0] if len(fits) == 1 else None
