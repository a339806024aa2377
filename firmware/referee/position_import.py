"""Imports the position of a board on which pieces stand already, if it is unambiguous."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from firmware.referee.adjudication import judge
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import CHANGED, NOTHING_BEYOND, Explanation, overhang
from firmware.referee.puzzle_pieces import puzzle_position
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import mask_where
from firmware.rules.position import Position
from firmware.rules.reconstruction import recover
from firmware.rules.variants import Colour, Variant


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
    if overhang(beyond, mask_where(contents > 0)) > -CHANGED:
        return None
    found = []
    for mapping in possible:
        masks = mapping.masks(contents)
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
