"""Finds another piece in the place of the last one: one that contains it, or lies within it.

People change their mind under one hand. Against the accepted position such a piece looks like a
second one along the side of the last, or as if a part of the last were missing.
"""

from dataclasses import replace

from firmware.game.state import Ply
from firmware.referee.frame_mapping import FrameMapping
from firmware.referee.placement_matching import Explanation, Hypothesis


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
