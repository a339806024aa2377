"""The colours of each person, and the seats around the board."""

from typing import Final

from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Variant


def person_of(position: Position, colour: Colour, move: Move | None = None) -> int:
    """The person who plays the next piece of a colour: an index in the order of play.

    Of a `move` that is on the board it is the person who has laid it.
    """
    game = position.game
    return colour if game.people == len(game.colours) else position.side_of(colour, move)


def colours_of(game: Variant, person: int) -> tuple[Colour, ...]:
    """The colours that belong to a person; a shared one belongs to nobody."""
    if game.people == len(game.colours):
        return (person,)
    return game.sides[person]


_TWO: Final = (3, 1)
"""Seats of two people in the order of play: left and right."""

_MORE: Final = (3, 2, 1, 0)
"""Seats of more people: clockwise from the left."""


def usual_seats(game: Variant) -> tuple[int, ...]:
    """Seat of each person in the order of play: 0 bottom, 1 right, 2 top, 3 left."""
    return _TWO if game.people == len(_TWO) else _MORE[: game.people]


def seat_of(game: Variant, colour: Colour, position: Position | None = None) -> int:
    """Seat of the owner of a colour: 0 bottom, 1 right, 2 top, 3 left.

    Two people sit left and right, more of them clockwise from the left. The seat of a shared
    colour is that of the person who plays it in `position`, without a position the bottom.
    """
    seats = usual_seats(game)
    if colour == game.shared:
        return _MORE[-1] if position is None else seats[position.side_of(colour)]
    if game.people == len(game.colours):
        return seats[colour]
    return seats[game.side_of(colour)]
