"""Positions in the middle of a game, the same each time, for what is measured."""

import random
from typing import Final

from firmware.rules.position import Position

PLIES: Final = {"duo": 12, "classic": 28}
"""How far the games are that have one."""


def middle_game(game: str) -> Position:
    """After `PLIES` moves by chance."""
    chance = random.Random(1)  # noqa: S311
    position = Position.start(game)
    for _ in range(PLIES[game]):
        position = position.play(chance.choice(list(position.legal_moves)))
    return position
