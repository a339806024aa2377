"""Who plays which colour, and where they sit around the board."""

from firmware.rules.position import Position
from firmware.rules.variants import Colour, Variant


def person_of(position: Position, colour: Colour) -> int:
    """Who plays the next piece of a colour: a place in the order of play among the people."""
    game = position.game
    return colour if game.people == len(game.colours) else position.side_of(colour)


def colours_of(game: Variant, person: int) -> tuple[Colour, ...]:
    """The colours that a person plays of their own; a shared one is nobody's."""
    if game.people == len(game.colours):
        return (person,)
    return game.sides[person]


def seat_of(game: Variant, colour: Colour, position: Position | None = None) -> int:
    """At which side of the table the owner of a colour sits: 0 bottom, 1 right, 2 top, 3 left.

    Two people sit left and right, more of them clockwise from the left. The colour that three
    share lies at the bottom, and is played by whose turn it is.
    """
    two, more = (3, 1), (3, 2, 1, 0)
    if colour == game.shared:
        return more[-1] if position is None else more[position.side_of(colour)]
    if game.people == len(two):
        return two[game.side_of(colour)]
    if game.shared is None:
        return more[colour]
    return more[game.side_of(colour)]
