"""A board on which pieces stand already: the position, if squares alone leave no choice."""

from collections.abc import Sequence

import numpy as np

from firmware.referee.framing import Framing
from firmware.referee.settling import Evidence
from firmware.rules.games import Game
from firmware.rules.placements import mask_of
from firmware.rules.position import Position
from firmware.rules.recovery import recover


def standing(
    evidence: Evidence, game: Game, possible: Sequence[Framing], sure: float
) -> tuple[Framing, Position] | None:
    """The only position, frame and turn that the squares allow.

    Args:
        evidence: what the steady board shows.
        game: what is played.
        possible: the framings it may be read in.
        sure: log odds that every square has to reach.

    Returns:
        None where a square is in doubt, the position is impossible, or more than one turn or
        framing would do. In a game of two colours with equally many pieces nobody can tell who
        is to move; one more piece will show it.
    """
    two = np.partition(evidence, -2, axis=1)[:, -2:]
    if (two[:, 1] - two[:, 0]).min() < sure:
        return None
    contents = evidence.argmax(axis=1)
    found = []
    for framing in possible:
        masks = [
            framing.mask(mask_of(np.flatnonzero(contents == 1 + column).tolist()))
            for column in framing.plastic
        ]
        recovered = recover(game, masks)
        if not recovered.problems and len(recovered.turns) == 1:
            found.append((framing, recovered.position))
    return found[0] if len(found) == 1 else None
