"""Content of a node of a record: a move, a set-up, and the placements refused after it.

`record` documents the properties.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from firmware.records.root_properties import error_at
from firmware.records.sgf import Node, Property
from firmware.rules.board import Board, Move
from firmware.rules.errors import NotationError, RecordError
from firmware.rules.position import LaidPiece
from firmware.rules.variants import Colour, Variant

_COLOURS: Final = {"B": 0, "W": 1, "1": 0, "2": 1, "3": 2, "4": 3}
"""Colours in set-ups and turns: Pentobi reads letters and numbers alike, whatever the game."""

_OLD_IDENTIFIERS: Final = ("BLUE", "YELLOW", "RED", "GREEN")
"""Move properties of Pentobi before 0.2, in the order of play."""

LIFTED: Final = "lifted"
"""Value of `CLUNDONE` in a node whose `AE` names pieces of a puzzle that were lifted."""


@dataclass(frozen=True, slots=True)
class RecordedPlacement:
    """Squares that a colour covered according to a record.

    Attributes:
        colour: colour of the piece.
        squares: the squares on the board, in the order of the record.
        off_board: names of squares that are not on the board.
        node: node of the record.
    """

    colour: Colour
    squares: tuple[int, ...]
    off_board: tuple[str, ...]
    node: Node


@dataclass(frozen=True, slots=True)
class PlayedMove(RecordedPlacement):
    """A move of the record.

    Attributes:
        overruled: True if the arbiter accepted it although it breaks rules.
    """

    overruled: bool


@dataclass(frozen=True, slots=True)
class AttemptedMove(RecordedPlacement):
    """An illegal placement that was refused and taken back."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Pieces put on the board or taken off it outside the order of play.

    Attributes:
        added: (colour, move) for each piece to add.
        removed: each piece to take off, of any colour.
        turn: the colour that moves next; None if it does not change.
        node: node of the record.
    """

    added: tuple[LaidPiece, ...]
    removed: tuple[Move, ...]
    turn: Colour | None
    node: Node


@dataclass(frozen=True, slots=True)
class LiftedPieces:
    """Pieces of a puzzle that were lifted together.

    Attributes:
        moves: the pieces, of any colour.
        node: node of the record.
    """

    moves: tuple[Move, ...]
    node: Node


RecordStep = PlayedMove | AttemptedMove | SetUp | LiftedPieces
"""One entry of a node."""


def steps_of(node: Node, game: Variant) -> Iterator[RecordStep]:
    """The entries of a node, in order.

    Raises:
        RecordError: something in it cannot be read.
    """
    if _is_lifting(node, game):
        yield LiftedPieces(_pieces(node, "AE", game), node)
    elif set_up := _set_up(node, game):
        yield set_up
    if played := _played(node, game):
        yield played
    if attempts := node.property("CLATTEMPT"):
        for index in range(len(attempts.values)):
            yield AttemptedMove(*_colour_and_squares(attempts, index, game), node)


def changes_board(node: Node, game: Variant) -> bool:
    """True if a node adds pieces, removes pieces, or sets the turn.

    Raises:
        RecordError: something in it cannot be read.
    """
    return bool(_played(node, game) or _set_up(node, game))


def identifier_of(colour: Colour, game: Variant) -> str:
    """Identifier of the property that holds a colour's moves."""
    return "BW"[colour] if len(game.colours) == 2 else "1234"[colour]


def _played(node: Node, game: Variant) -> PlayedMove | None:
    overruled = node.property("CLOVERRULED") is not None
    if repeated := node.property("CLMOVE"):
        return PlayedMove(*_colour_and_squares(repeated, 0, game), node, overruled=overruled)
    found = [item for name in (*_COLOURS, *_OLD_IDENTIFIERS) if (item := node.property(name))]
    if not found:
        return None
    colour, *others = [_colour(item, 0, game, item.identifier) for item in found]
    if others:
        raise RecordError("this node has two moves; a node has one", *node.place)
    item = found[0]
    # Pentobi before 0.3 wrote each square as a separate value.
    names = ",".join(item.values)
    return PlayedMove(colour, *_squares(names, item, 0, game), node, overruled=overruled)


def _set_up(node: Node, game: Variant) -> SetUp | None:
    added = []
    for name, colour in _COLOURS.items():
        if (item := node.property(f"A{name}")) and colour not in game.colours:
            raise error_at(item, 0, f"{name!r} is no colour of {game.title}")
        added += [(colour, piece) for piece in _pieces(node, f"A{name}", game)]
    removed = _pieces(node, "AE", game)
    # A turn that names no colour changes nothing, as in Pentobi.
    turn = _COLOURS.get(node.text("PL") or "")
    turn = turn if turn in game.colours else None
    if not added and not removed and turn is None:
        return None
    return SetUp(tuple(added), removed, turn, node)


def _is_lifting(node: Node, game: Variant) -> bool:
    return game.puzzle is not None and node.text("CLUNDONE") == LIFTED and bool(node.values("AE"))


def _pieces(node: Node, identifier: str, game: Variant) -> tuple[Move, ...]:
    """The pieces that a property names; none if the node lacks it."""
    item = node.property(identifier)
    return tuple(_piece(item, index, game) for index in range(len(item.values))) if item else ()


def _piece(item: Property, index: int, game: Variant) -> Move:
    try:
        return Move.parse(item.values[index], game.size)
    except NotationError as error:
        raise error_at(item, index, str(error)) from error


def _colour_and_squares(
    item: Property, index: int, game: Variant
) -> tuple[Colour, tuple[int, ...], tuple[str, ...]]:
    identifier, _, names = item.values[index].partition(":")
    return _colour(item, index, game, identifier), *_squares(names, item, index, game)


def _squares(
    names: str, item: Property, index: int, game: Variant
) -> tuple[tuple[int, ...], tuple[str, ...]]:
    board = Board.of(game.size)
    squares: list[int] = []
    off_board = []
    for name in map(str.strip, names.split(",")):
        try:
            square = board.parse_square(name)
        except NotationError as error:
            raise error_at(item, index, str(error)) from error
        if square is None:
            off_board.append(name)
        elif square in squares:
            raise error_at(item, index, f"{name} is named twice in one move")
        else:
            squares.append(square)
    return tuple(squares), tuple(off_board)


def _colour(item: Property, index: int, game: Variant, name: str) -> Colour:
    two = len(game.colours) == 2
    old = ("BLUE", "GREEN") if two else _OLD_IDENTIFIERS
    known = {one: colour for one, colour in _COLOURS.items() if two or one.isdecimal()}
    colour = (known | dict(zip(old, game.colours, strict=True))).get(name, -1)
    if colour not in game.colours:
        raise error_at(item, index, f"{name!r} is no colour of {game.title}")
    return colour
