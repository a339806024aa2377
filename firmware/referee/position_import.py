"""A board on which pieces stand already: the position, if squares alone leave no choice."""

from collections.abc import Sequence

import numpy as np

from firmware.referee.adjudication import judge
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation
from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import mask_of
from firmware.rules.position import Position
from firmware.rules.reconstruction import recover
from firmware.rules.variants import Colour, Variant


def import_position(
    evidence: LogProbabilities, game: Variant, possible: Sequence[FrameMapping], sure: float
) -> tuple[FrameMapping, Position, tuple[Colour, ...]] | None:
    """The only position and frame that the squares allow, and whose turn it can be.

    Args:
        evidence: what the steady board shows.
        game: what is played.
        possible: the mappings it may be read in.
        sure: log odds that every square has to reach.

    Returns:
        None where a square is in doubt, the position is impossible, or the board may lie in
        more than one way. The position has the first of the turns.
    """
    two = np.partition(evidence, -2, axis=1)[:, -2:]
    if (two[:, 1] - two[:, 0]).min() < sure:
        return None
    contents = evidence.argmax(axis=1)
    found = []
    for mapping in possible:
        masks = [
            mapping.mask(mask_of(np.flatnonzero(contents == 1 + column).tolist()))
            for column in mapping.plastic
        ]
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
    position: Position, asked: Sequence[Colour], explanation: Explanation, mapping: FrameMapping
) -> Colour | None:
    """The colour whose turn it was, by a piece that is a move of that colour only.

    Args:
        position: what stands there.
        asked: the colours whose turn it may be.
        explanation: what is new.
        mapping: how to read it.
    """
    fits = []
    for colour in asked:
        judgement = judge(position.with_turn(colour), explanation, mapping)
        if judgement.moves and not judgement.refused:
            fits.append(colour)
    return fits[0] if len(fits) == 1 else None
