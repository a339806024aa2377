"""Text form of a position: a line for each piece, with its colour's letter and its squares.

P e10 f10 f9 g9 g8
"""

from typing import Final

from web.contract import Mark, Page, PlacedPiece, Square

_LONGEST: Final = 4000
"""Characters; the longest position, all pieces of Classic, has about 2,300."""


def format_pieces(page: Page | None) -> str:
    """Returns the text of the accepted pieces."""
    return "\n".join(
        " ".join([page.colours[piece.colour].letter, *map(page.square_name, piece.squares)])
        for piece in (page.pieces if page else ())
        if page and piece.mark is not Mark.REFUSED
    )


def parse_pieces(text: str, page: Page | None) -> tuple[PlacedPiece, ...]:
    """Parses pieces from text.

    Raises:
        ValueError: a line describes no piece on this board; this includes errors of the contract.
    """
    if page is None or len(text) > _LONGEST:
        raise ValueError("there is no board to lay this on, or it is too long")
    letters = {colour.letter: place for place, colour in enumerate(page.colours)}
    lines = [line.replace(",", " ").split() for line in text.splitlines()]
    pieces = []
    for letter, *names in filter(None, lines):
        if letter.upper() not in letters:
            raise ValueError(f"{letter!r:.20} is no colour's letter")
        pieces.append(
            PlacedPiece(letters[letter.upper()], tuple(_square(name, page) for name in names))
        )
    return tuple(pieces)


def _square(name: str, page: Page) -> Square:
    column, row = ord(name[:1]) - ord("a"), name[1:]
    if not (row.isascii() and row.isdecimal() and len(row) <= 2):
        raise ValueError(f"{name!r:.20} is no square")
    place = page.size - int(row), column
    if not all(0 <= at < page.size for at in place):
        raise ValueError(f"{name!r:.20} is not on the board")
    return place
