"""Drawings of the rules: for each rule a wrong placement and a right one, side by side.

Pure geometry, as in `web.presentation.svg`; the templates give the colours.
"""

from dataclasses import dataclass
from typing import Final

from web.contract import Rule, Square
from web.presentation.svg import CELL, outline, seams

_GAP: Final = 18
"""Distance between the two halves in units of the drawing."""

_OUTSIDE: Final = "#X"
"""Letters of squares outside the board."""

_SIZE: Final = 3
"""Squares along a side of a half."""

_FIGURES: Final = {
    Rule.OFF_BOARD: ("#.. Xn. #..", "#.. #nn #.."),
    Rule.OUTSIDE_FIELD: ("..# .nX ..#", "..# nn# ..#"),
    Rule.OVERLAP: ("a.. xn. ...", "a.. a.. .nn"),
    Rule.NOT_A_PIECE: ("nn. ..n ..n", "nn. .n. .n."),
    Rule.TWO_PIECES: ("nn. ... .pp", "nn. ... ..."),
    Rule.WRONG_SIZE: ("aa. ... .nn", "aa. .nn .n."),
    Rule.PIECE_USED: ("aa. ..n ..n", "aa. ..n ..."),
    Rule.TOUCHES_OWN_SIDE: ("a.. an. .n.", "a.. a.. .nn"),
    Rule.NO_OWN_CORNER: ("aa. ... .nn", "aa. ..n ..n"),
    Rule.MISSES_START: (".nn .s. ...", "... .mn ..."),
    Rule.WRONG_TURN: ("aa. ..n ..n", "aa. ..o ..o"),
    Rule.GAME_OVER: ("aa. ..o .n.", "aa. ..o ..."),
    Rule.NOT_CHOSEN: ("a.. .ss n..", "a.. .mm ..."),
    Rule.STILL_THINKING: ("aa. ..n ..n", "aa. ... ..."),
}
"""The wrong and the right half of each drawing, row by row from the top: `.` is a free square, `#`
outside, `a` a laid piece, `o` one of another colour, `s` a starting or chosen square, `n` the new
piece, and `p` a second one. Of the new piece `x` lies on a laid piece, `X` outside, `m` on `s`."""

_SPOTS: Final = {
    Rule.OFF_BOARD: ((0.5, 1.5), None),
    Rule.OUTSIDE_FIELD: ((2.5, 1.5), None),
    Rule.OVERLAP: ((0.5, 1.5), (1.0, 2.0)),
    Rule.NOT_A_PIECE: ((2.0, 1.0), None),
    Rule.TOUCHES_OWN_SIDE: ((1.0, 1.5), (1.0, 2.0)),
    Rule.NO_OWN_CORNER: (None, (2.0, 1.0)),
    Rule.MISSES_START: ((1.5, 1.5), None),
}
"""Points (x, y), in squares, on which the wrong and the right half depend."""

_SIGNS: Final = {
    Rule.WRONG_TURN: ((0.5, 0.5, "1"), (2.5, 1.5, "2")),
    Rule.GAME_OVER: ((0.5, 2.5, "★"),),
    Rule.STILL_THINKING: ((0.5, 2.3, "…"),),
}
"""Signs (x, y, sign) in both halves, in squares: the order of moves, the end of the game."""


@dataclass(frozen=True, slots=True)
class RuleFigure:
    """A half of a drawing; lengths in units of the drawing.

    Attributes:
        right: True if it keeps the rule.
        x: its distance from the left.
        field: the board as an SVG path.
        grid: lines between its squares.
        laid: pieces of the same colour.
        other: pieces of another colour.
        new: the new piece.
        starts: middles of starting squares.
        spots: points on which it depends.
        signs: (x, y, sign) of texts.
    """

    right: bool
    x: float
    field: str
    grid: str
    laid: str
    other: str
    new: str
    starts: tuple[tuple[float, float], ...]
    spots: tuple[tuple[float, float], ...]
    signs: tuple[tuple[float, float, str], ...]


@dataclass(frozen=True, slots=True)
class RuleDrawing:
    """The drawing of a rule, `width` by `height` units."""

    figures: tuple[RuleFigure, RuleFigure]
    width: int = 2 * _SIZE * CELL + _GAP
    height: int = _SIZE * CELL


def drawing_of(rule: Rule) -> RuleDrawing:
    """Returns the drawing of a rule."""
    wrong, right = _FIGURES[rule]
    return RuleDrawing((_figure(rule, wrong, right=False), _figure(rule, right, right=True)))


def _figure(rule: Rule, text: str, *, right: bool) -> RuleFigure:
    squares = {
        (row, column): letter
        for row, line in enumerate(text.split())
        for column, letter in enumerate(line)
    }
    spot = _SPOTS.get(rule, (None, None))[right]
    board = [square for square, letter in squares.items() if letter not in _OUTSIDE]
    starts = _where(squares, "sm")
    return RuleFigure(
        right=right,
        x=right * (_SIZE * CELL + _GAP),
        field=outline(board),
        grid=seams(board),
        laid=_shape(squares, "ax"),
        other=_shape(squares, "o"),
        new=_shape(squares, "nxXm") + _shape(squares, "p"),
        starts=tuple(((column + 0.5) * CELL, (row + 0.5) * CELL) for row, column in starts),
        spots=() if spot is None else ((spot[0] * CELL, spot[1] * CELL),),
        signs=tuple((x * CELL, y * CELL, sign) for x, y, sign in _SIGNS.get(rule, ())),
    )


def _where(squares: dict[Square, str], letters: str) -> list[Square]:
    return [square for square, letter in squares.items() if letter in letters]


def _shape(squares: dict[Square, str], letters: str) -> str:
    return outline(_where(squares, letters), 1, 3)
