"""The games and the puzzles as tables of data, and the names that editions give to colours.

In the rules a colour is its place in the order of play, from 0. Its name depends on the plastic
in the box, and in the two-colour game also on which colour began; see `Edition`.
A further game is a further row of `GAMES`, a further puzzle one of `PUZZLES`, with its key in
`firmware.codes` and its titles in the translations.
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Annotated, Final

from firmware.rules.errors import NotationError

Colour = Annotated[int, "colour"]
"""A colour by its place in the order of play, from 0."""


class Starts(StrEnum):
    """Starting square that a colour's first piece has to cover."""

    FREE = "free"
    """Any that is not covered yet: the rule at the table."""

    FIXED = "fixed"
    """The colour's own, in the order listed: the convention of Pentobi and of engines."""


class Contact(StrEnum):
    """Contact that pieces of one colour must or may have."""

    AT_CORNERS = "at-corners"
    """Corners must touch, sides must not: the rule of the games."""

    NOT_AT_SIDES = "not-at-sides"
    """Sides must not touch."""

    ANY = "any"
    """A piece may lie anywhere."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """The task of a puzzle: one person lays all its pieces into its field, in any order of colours.

    Attributes:
        columns: width of the field in squares, from column a.
        rows: height of the field in squares, from row 1.
        sizes: sizes in squares of the pieces that each colour has.
        contact: contact of pieces of one colour.
        by_size: True if no piece may be laid while a larger one is in hand.
    """

    columns: int
    rows: int
    sizes: frozenset[int]
    contact: Contact
    by_size: bool = False


@dataclass(frozen=True, slots=True)
class Variant:
    """The data of one game, or of one puzzle.

    Attributes:
        key: name on the command line and in settings.
        title: name in sentences.
        size: squares along a side of the board.
        starts: names of the starting squares, in the order `Starts.FIXED` assigns them.
        sides: for each player or team its colours. A shared colour is in none.
        people: number of people at the table.
        record_name: value of `GM` in a record. Pentobi reads those of Duo and Classic.
        shared: the colour that all sides play in turn, if there is one.
        puzzle: the task, if it is a puzzle; else None.
    """

    key: str
    title: str
    size: int
    starts: tuple[str, ...]
    sides: tuple[tuple[Colour, ...], ...]
    people: int
    record_name: str
    shared: Colour | None = None
    puzzle: Puzzle | None = None

    @property
    def colours(self) -> range:
        """The colours in the order of play."""
        return range(len(self.starts))

    def side_of(self, colour: Colour) -> int:
        """Index in `sides` of the side of a colour that is not shared."""
        return next(i for i, side in enumerate(self.sides) if colour in side)

    def sharing(self, colour: Colour) -> "Variant":
        """The same three-player game with another colour shared.

        Raises:
            NotationError: the game has no shared colour, or no such colour.
        """
        if self.shared is None:
            raise NotationError(f"{self.title} has no shared colour")
        if colour not in self.colours:
            raise NotationError(f"{self.title} has colours 0 to {len(self.starts) - 1}")
        sides = tuple((other,) for other in self.colours if other != colour)
        return replace(self, shared=colour, sides=sides)


_CORNERS_14: Final = ("a14", "n14", "n1", "a1")
"""Starting squares of four colours on 14x14: the corners, clockwise from the top left."""

_CORNERS_20: Final = ("a20", "t20", "t1", "a1")
"""Starting squares of four colours on 20x20: the corners, clockwise from the top left."""

_EACH: Final = ((0,), (1,), (2,), (3,))
"""Sides of four people, each with one colour."""

_PAIRS: Final = ((0, 2), (1, 3))
"""Sides of two people or two teams: each has two colours, which are not next to each other."""

_THREE: Final = ((0,), (1,), (2,))
"""Sides of three people, each with one colour; nobody owns the fourth, which is shared."""

_DUO_FOUR: Final = "Blokus Duo Four-Color"
"""Value of `GM` in records of Duo with four colours; Pentobi has no such game."""

_DUO_4_3: Final = "Blokus Duo Four-Color Three-Player"
"""Value of `GM` in records of the same for three people."""

GAMES: Final = {
    game.key: game
    for game in (
        Variant("duo", "Duo", 14, ("e10", "j5"), ((0,), (1,)), 2, "Blokus Duo"),
        Variant("classic", "Classic", 20, _CORNERS_20, _EACH, 4, "Blokus"),
        Variant("classic-2", "Classic for two", 20, _CORNERS_20, _PAIRS, 2, "Blokus Two-Player"),
        Variant(
            "classic-3", "Classic for three", 20, _CORNERS_20, _THREE, 3, "Blokus Three-Player", 3
        ),
        Variant(
            "classic-teams", "Classic in teams", 20, _CORNERS_20, _PAIRS, 4, "Blokus Two-Player"
        ),
        Variant("duo-4", "Duo with four colours", 14, _CORNERS_14, _PAIRS, 2, _DUO_FOUR),
        Variant(
            "duo-4-3", "Duo with four colours for three", 14, _CORNERS_14, _THREE, 3, _DUO_4_3, 3
        ),
    )
}
"""The games by key."""


_PUZZLE_PREFIX: Final = "puzzle-"
"""Beginning of the key of each puzzle."""


def _puzzle(key: str, title: str, puzzle: Puzzle) -> Variant:
    # Pentobi opens no record of a game that it does not know, and needs no order of play.
    sides, record_name = ((0, 1, 2, 3),), GAMES["classic"].record_name
    key = f"{_PUZZLE_PREFIX}{key}"
    return Variant(key, title, 20, _CORNERS_20, sides, 1, record_name, None, puzzle)


_ALL_SIZES: Final = frozenset(range(1, 6))
"""Sizes in squares of all 21 pieces of a colour."""

_FOURS: Final = frozenset({4})
"""Size in squares of tetrominoes: the 20 of four colours fill a field of 8x10."""

_FIVES: Final = frozenset({5})
"""Size in squares of pentominoes: the 48 of four colours fill a field of 15x16."""

PUZZLES: Final = {
    game.key: game
    for game in (
        _puzzle("all", "All pieces", Puzzle(20, 20, _ALL_SIZES, Contact.AT_CORNERS)),
        _puzzle(
            "all-by-size",
            "All pieces by size",
            Puzzle(20, 20, _ALL_SIZES, Contact.AT_CORNERS, by_size=True),
        ),
        _puzzle("tetrominoes", "Tetrominoes", Puzzle(8, 10, _FOURS, Contact.ANY)),
        _puzzle(
            "tetrominoes-apart", "Tetrominoes apart", Puzzle(8, 10, _FOURS, Contact.NOT_AT_SIDES)
        ),
        _puzzle("pentominoes", "Pentominoes", Puzzle(15, 16, _FIVES, Contact.ANY)),
        _puzzle(
            "pentominoes-apart", "Pentominoes apart", Puzzle(15, 16, _FIVES, Contact.NOT_AT_SIDES)
        ),
    )
}
"""The puzzles by key. Pentobi opens their records as those of Classic."""

VARIANTS: Final = GAMES | PUZZLES
"""The games and the puzzles by key."""

LETTERS: Final = {
    "purple": "P",
    "orange": "O",
    "black": "K",
    "white": "W",
    "blue": "B",
    "yellow": "Y",
    "red": "R",
    "green": "G",
}
"""Every colour of plastic and its letter in the rows of a board."""

Edition = Annotated[tuple[str, ...], "edition"]
"""Names of the colours, in the order of play."""

EDITIONS: Final[dict[str, Edition]] = {
    "purple-orange": ("purple", "orange"),
    "black-white": ("black", "white"),
    "blue-green": ("blue", "green"),
    "red-yellow": ("red", "yellow"),
    "blue-yellow-red-green": ("blue", "yellow", "red", "green"),
}
"""The editions by name. In a game of two colours either may begin: reverse the pair."""


def game_on(size: int) -> Variant:
    """The usual game on a board: Duo on 14x14, Classic on 20x20.

    Args:
        size: squares along a side, 14 or 20.
    """
    return next(game for game in GAMES.values() if game.size == size)


def puzzle_name(game: Variant) -> str:
    """The name of a puzzle on the command line of `solve` and in summaries: `tetrominoes`."""
    return game.key.removeprefix(_PUZZLE_PREFIX)


def named_edition(name: str, game: Variant | None) -> Edition | None:
    """The colours of an edition; for `auto` those of the game's only edition, or None.

    Args:
        name: a key of `EDITIONS`, or `auto`.
        game: the game that is played, if known.
    """
    if name in EDITIONS:
        return EDITIONS[name]
    sold = [names for names in EDITIONS.values() if game and len(names) == len(game.colours)]
    return sold[0] if len(sold) == 1 else None


def default_edition(game: Variant) -> Edition:
    """The names of a game's colours if no edition is set."""
    return next(names for names in EDITIONS.values() if len(names) == len(game.colours))


def parse_edition(names: object, count: int) -> Edition:
    """The names of the colours of a game, from JSON.

    Args:
        names: list of names in the order of play.
        count: number of colours of the game.

    Raises:
        NotationError: they are not so many different keys of `LETTERS`.
    """
    if not isinstance(names, list) or not all(name in tuple(LETTERS) for name in names):
        raise NotationError(f"{names!r:.80} is no list of colours; they are {', '.join(LETTERS)}")
    if not len(names) == len(set(names)) == count:
        raise NotationError(f"the game has {count} different colours, not {', '.join(names)}")
    return tuple(names)
