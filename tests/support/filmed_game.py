"""A game of Duo of random moves, as pictures of a camera."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.support.table_script import Action, Lay, ScriptedTable, ScriptSetup, Wait


@dataclass(frozen=True, slots=True)
class Film:
    """Pictures of a game.

    Attributes:
        jpegs: the pictures.
        moves: the moves in order.
        shown: for each move, the first picture that shows it.
        position: the last position.
    """

    jpegs: list[bytes] = field(repr=False)
    moves: list[Move]
    shown: list[int]
    position: Position


def filmed(setting: ScriptSetup, moves: int, waits: int, seed: int = 3) -> Film:
    """Renders a game.

    Args:
        setting: size and noise of the pictures.
        moves: most moves; fewer if the game is over before.
        waits: pictures from one move to the next, and a third of those before the first.
        seed: seed of the moves.
    """
    position, chance = Position.start(setting.game), random.Random(seed)  # noqa: S311
    film = Film([], [], [], position)

    def actions() -> Iterator[Action]:
        nonlocal position
        yield Wait(3 * waits)
        while len(film.moves) < moves and position.to_move is not None:
            move = position.board.move(int(chance.choice(position.legal_moves.indices)))
            film.shown.append(len(film.jpegs))
            film.moves.append(move)
            yield Lay(position.to_move, str(move))
            yield Wait(waits)
            position = position.play(move)

    for _ in ScriptedTable(setting, lambda _, jpeg: film.jpegs.append(jpeg)).play(actions()):
        pass
    return Film(film.jpegs, film.moves, film.shown, position)
