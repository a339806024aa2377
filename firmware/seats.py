"""Where people sit around the board, for lights that are meant for one of them."""

from firmware.rules.games import Colour, Game
from firmware.rules.position import Position


def seat_of(game: Game, colour: Colour, position: Position | None = None) -> int:
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
