"""The score of a position, by colour and by side, under both scorings.

Advanced: -1 for each square in hand, +15 for a colour that placed all 21 pieces, +5 more when
its single square went last. Highest wins. Basic: squares in hand, lowest wins.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from firmware.codes import ALL_PLACED_BONUS, MONOMINO_LAST_BONUS, Scoring
from firmware.rules.pieces import MONOMINO, PIECES

if TYPE_CHECKING:
    from firmware.rules.position import Position
    from firmware.rules.variants import Colour


@dataclass(frozen=True, slots=True)
class ColourScore:
    """The score of one colour.

    Attributes:
        placed: squares on the board.
        basic: squares in hand; fewest wins.
        advanced: points; None for a shared colour, whose points belong to no side.
    """

    placed: int
    basic: int
    advanced: int | None


@dataclass(frozen=True, slots=True)
class SideScore:
    """The sum over the colours of one player or team."""

    colours: tuple["Colour", ...]
    basic: int
    advanced: int


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a position, at the end of the game or before it.

    Attributes:
        colours: one for each colour, in the order of play.
        sides: one for each player or team, in the order of play.
    """

    colours: tuple[ColourScore, ...]
    sides: tuple[SideScore, ...]

    def leaders(self, scoring: Scoring) -> tuple[SideScore, ...]:
        """The sides with the best score: one, or several that are equal."""
        if scoring is Scoring.BASIC:
            best = min(side.basic for side in self.sides)
            return tuple(side for side in self.sides if side.basic == best)
        best = max(side.advanced for side in self.sides)
        return tuple(side for side in self.sides if side.advanced == best)

    def outcome(self, scoring: Scoring) -> tuple[tuple["Colour", ...], tuple["Colour", ...]]:
        """The colours of the winner, and those of the equal sides; one of the two is empty."""
        leaders = self.leaders(scoring)
        colours = tuple(colour for side in leaders for colour in side.colours)
        return (colours, ()) if len(leaders) == 1 else ((), colours)


def score(position: "Position") -> Score:
    """The score of a position, finished or not."""
    colours = tuple(_of_colour(position, colour) for colour in position.game.colours)
    sides = tuple(
        SideScore(
            side,
            sum(colours[colour].basic for colour in side),
            sum(_advanced(position, colour) for colour in side),
        )
        for side in position.game.sides
    )
    return Score(colours, sides)


def with_monomino_last(position: "Position") -> tuple["Colour", ...]:
    """The colours that placed all pieces, their single square last, and whose points count.

    Nothing else in a score depends on the order in which the pieces were laid.
    """
    return tuple(
        colour
        for colour, laid in enumerate(position.laid)
        if len(laid) == len(PIECES)
        and laid[-1].piece is MONOMINO
        and colour != position.game.shared
    )


def _of_colour(position: "Position", colour: "Colour") -> ColourScore:
    placed = position.squares(colour).bit_count()
    shared = colour == position.game.shared
    advanced = None if shared else _advanced(position, colour)
    return ColourScore(placed, _squares_in_hand(position, colour), advanced)


def _squares_in_hand(position: "Position", colour: "Colour") -> int:
    return sum(piece.size for piece in position.in_hand(colour))


def _advanced(position: "Position", colour: "Colour") -> int:
    in_hand = _squares_in_hand(position, colour)
    laid = position.laid[colour]
    if in_hand or len(laid) < len(PIECES):
        return -in_hand
    return ALL_PLACED_BONUS + MONOMINO_LAST_BONUS * (laid[-1].piece is MONOMINO)
