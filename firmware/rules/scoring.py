"""What a position is worth, by colour and by side, under both scorings.

Advanced: -1 for each square in hand, +15 for a colour that placed all 21 pieces, +5 more when
its single square went last. Highest wins. Basic: squares in hand, lowest wins.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Final

from firmware.rules.pieces import MONOMINO, PIECES, SQUARES_OF_A_COLOUR

if TYPE_CHECKING:
    from firmware.rules.position import Position
    from firmware.rules.variants import Colour

ALL_PLACED_BONUS: Final = 15
MONOMINO_LAST_BONUS: Final = 5


class Scoring(StrEnum):
    """Which of the two scorings decides; they can name different winners."""

    BASIC = "basic"
    ADVANCED = "advanced"


@dataclass(frozen=True, slots=True)
class ColourScore:
    """What one colour has.

    Attributes:
        placed: squares on the board.
        basic: squares in hand; fewest wins.
        advanced: points; None for a shared colour, whose points are nobody's.
    """

    placed: int
    basic: int
    advanced: int | None


@dataclass(frozen=True, slots=True)
class SideScore:
    """What the colours of one player or team have together."""

    colours: tuple["Colour", ...]
    basic: int
    advanced: int


@dataclass(frozen=True, slots=True)
class Score:
    """The score as it stands, with the game's end or without.

    Attributes:
        colours: one for each colour, in the order of play.
        sides: one for each player or team, in the order of play.
    """

    colours: tuple[ColourScore, ...]
    sides: tuple[SideScore, ...]

    def leaders(self, scoring: Scoring) -> tuple[SideScore, ...]:
        """The sides that nobody beats: one, or several that are equal."""
        if scoring is Scoring.BASIC:
            best = min(side.basic for side in self.sides)
            return tuple(side for side in self.sides if side.basic == best)
        best = max(side.advanced for side in self.sides)
        return tuple(side for side in self.sides if side.advanced == best)

    def outcome(self, scoring: Scoring) -> tuple[tuple["Colour", ...], tuple["Colour", ...]]:
        """The colours of the side that wins, and of those that are equal; one of them is empty."""
        leaders = self.leaders(scoring)
        colours = tuple(colour for side in leaders for colour in side.colours)
        return (colours, ()) if len(leaders) == 1 else ((), colours)


def score(position: "Position") -> Score:
    """The score of a position as it stands."""
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


def _of_colour(position: "Position", colour: "Colour") -> ColourScore:
    placed = position.squares(colour).bit_count()
    shared = colour == position.game.shared
    advanced = None if shared else _advanced(position, colour)
    return ColourScore(placed, _in_hand(position, colour), advanced)


def _in_hand(position: "Position", colour: "Colour") -> int:
    used = {move.piece for move in position.laid[colour]}
    return SQUARES_OF_A_COLOUR - sum(piece.size for piece in used)


def _advanced(position: "Position", colour: "Colour") -> int:
    in_hand = _in_hand(position, colour)
    laid = position.laid[colour]
    if in_hand or len(laid) < len(PIECES):
        return -in_hand
    return ALL_PLACED_BONUS + MONOMINO_LAST_BONUS * (laid[-1].piece is MONOMINO)
