"""The colours of each person, and the seats around the board."""

from firmware.rules.position import Position
from firmware.rules.variants import Colour, Variant


def person_of(position: Position, colour: Colour) -> int:
    """The person who plays the next piece of a colour: an index in the order of play."""
    game = position.game
    return colour if game.people == len(game.colours) else position.side_of(colour)


def colours_of(game: Variant, person: int) -> tuple[Colour, ...]:
    """The colours that belong to a person; a shared one belongs to nobody."""
    if game.people == len(game.colours):
        return (person,)
    return game.sides[person]


def seat_of(game: Variant, colour: Colour, position: Position | None = None) -> int:
    """Seat of the owner of a colour: 0 bottom, 1 right, 2 top, 3 left.

    Two people sit left and right, more of them clockwise from the left. The seat of a shared
    colour is that of the person who plays it in `position`, without a position the bottom.
    """
    two, more = (3, 1), (3, 2, 1, 0)
    if colour == game.shared:
        return more[-1] if position is None else more[position.side_of(colour)]
    if game.people == len(two):
        return two[game.side_of(colour)]
    if game.shared is None:
        return more[colour]
    return more[game.side_of(colour)]
