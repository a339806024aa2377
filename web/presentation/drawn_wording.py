"""Sentences beside a board: a piece is drawn, and one square says where it lies."""

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from web.contract import Colour, Page, Square
from web.i18n.wording import Wording
from web.presentation.board_view import ColourChip
from web.presentation.svg import outline, seams

_IN_TEXT_EM: Final = 0.6
"""Width of a square in a sentence."""


@dataclass(frozen=True, slots=True)
class PieceDrawing:
    """A piece by itself, ready to draw, `width` by `height` squares."""

    name: str
    path: str
    width: int
    height: int

    @staticmethod
    def of(name: str, squares: tuple[Square, ...]) -> "PieceDrawing":
        """Returns the drawing of a piece, turned as its squares are."""
        top, left = min(row for row, _ in squares), min(column for _, column in squares)
        shape = tuple((row - top, column - left) for row, column in squares)
        height = 1 + max(row for row, _ in shape)
        width = 1 + max(column for _, column in shape)
        return PieceDrawing(name, outline(shape, 0.7, 3) + seams(shape, 3), width, height)

    def svg(self, chip: ColourChip, em: float = 1.0) -> Markup:
        """Returns the drawing in a colour, each square `em` wide, titled with the piece's name."""
        return Markup(
            '<svg viewBox="0 0 {} {}" width="{:.3g}em" height="{:.3g}em" role="img">'
            '<title>{}</title><path d="{}" fill="{}" stroke="{}"/></svg>'
        ).format(
            *(self.width * 20, self.height * 20, self.width * em, self.height * em),
            *(self.name, self.path, chip.ink, chip.edge),
        )


class DrawnWording(Wording):
    """The texts of one language as markup, with pieces as drawings.

    Texts without a piece stay plain; templates escape them.
    """

    __slots__ = ()

    def say(self, key: str, **values: object) -> str:
        """Returns a text by its key, as markup if one of the values is markup."""
        if any(isinstance(value, Markup) for value in values.values()):
            return Markup(super().say(key)).format(**values)  # noqa: S704 - a text of ours
        return super().say(key, **values)

    def piece(self, colour: Colour, name: str, squares: tuple[Square, ...]) -> str:
        """Returns the drawing of a piece as it lies, or as in its tray if it lies nowhere."""
        held = next((piece.squares for piece in colour.left if piece.name == name), ())
        shape = squares or flat(held)
        if not shape:
            return name
        return PieceDrawing.of(name, shape).svg(ColourChip.of(colour, self), _IN_TEXT_EM)

    def place(self, page: Page, squares: tuple[Square, ...]) -> str:
        """Returns where a piece lies, by its first square, as the board beside shows the others."""
        return super().place(page, squares[:1])


def flat(squares: tuple[Square, ...]) -> tuple[Square, ...]:
    """Returns a tall piece turned on its side, as a tray is wider than high."""
    tall = len({row for row, _ in squares}) > len({column for _, column in squares})
    return tuple((column, row) for row, column in squares) if tall else squares
