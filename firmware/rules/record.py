"""A game as Blokus SGF, the format of Pentobi (`Pentobi-SGF.md` in enz/pentobi).

What Pentobi defines is written as Pentobi writes it, so that Pentobi opens the record. What a
refereed game has beyond that goes into properties of our own, which Pentobi keeps and ignores:

    CLGAME[classic-teams]   the game, where `GM` does not say it
    CLSHARED[3]             the colour, from 1, that all sides share, where it is not green
    CLCOLORS[black][white]  what the colours are called, in the order of play
    CLSCORING[basic]        the scoring that names the winner, where it is not the advanced one
    CLATTEMPT[W:a1,a2]      an illegal placement made after this node, refused and taken back
    CLOVERRULED[no-own-corner]  this move breaks these rules, and the arbiter let it stand
    CLMOVE[B:a1,a2]         such a move in a form Pentobi does not read, because a piece laid
                            for the second time would stop it from opening the record
    CLUNDONE[undone]        this variation was played, and then taken back or corrected

A move taken back stays in the record as a variation, as SGF is meant to be used.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.rules.breaches import Rule
from firmware.rules.errors import NotationError, RecordError
from firmware.rules.games import GAMES, LETTERS, Colour, Edition, Game, default_edition
from firmware.rules.heading import (
    edition_of,
    error_at,
    game_of,
    name_identifiers,
    name_properties,
    pentobi_knows,
    scoring_of,
)
from firmware.rules.placements import Board, Move
from firmware.rules.position import Position
from firmware.rules.score import Scoring
from firmware.rules.sgf import Node, Property, parse, serialise

_MOVES: Final = ("B", "W", "1", "2", "3", "4")
"""Every move property of the family."""

_OLD_IDENTIFIERS: Final = ("BLUE", "YELLOW", "RED", "GREEN")
"""Move properties of Pentobi before 0.2, in the order of play."""


@dataclass(frozen=True, slots=True)
class Placing:
    """Squares that a record says a colour covered.

    Attributes:
        colour: who.
        squares: those on the board, in the order of the record.
        off_board: names of squares that no such board has.
        node: where the record says it.
    """

    colour: Colour
    squares: tuple[int, ...]
    off_board: tuple[str, ...]
    node: Node


@dataclass(frozen=True, slots=True)
class Played(Placing):
    """A move of the record.

    Attributes:
        overruled: the arbiter let it stand, whatever rules it breaks.
    """

    overruled: bool


@dataclass(frozen=True, slots=True)
class Attempted(Placing):
    """An illegal placement that was refused and taken back."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """Pieces put on the board or taken off it outside the order of play.

    Attributes:
        added: (colour, move) for each piece to add.
        removed: each piece to take off, whosever it is.
        turn: the colour that moves next; None leaves it as it was.
        node: where the record says it.
    """

    added: tuple[tuple[Colour, Move], ...]
    removed: tuple[Move, ...]
    turn: Colour | None
    node: Node


class Record:
    """A game record that is read, or written while the game goes on.

    Attributes:
        root: the root of the tree. Everything in it is kept, known or not.
        game: the game, with its shared colour.
        edition: what the colours are called, in the order of play.
        scoring: which scoring names the winner.
    """

    def __init__(self, root: Node) -> None:
        self.root: Final = root
        self.game: Final = game_of(root)
        self.edition = edition_of(root, self.game)
        self.scoring: Final = scoring_of(root)
        self._line = list(root.main_line())

    @staticmethod
    def new(
        game: Game,
        *,
        edition: Edition | None = None,
        scoring: Scoring = Scoring.ADVANCED,
        names: Sequence[str] = (),
        date: str | None = None,
        application: str | None = None,
    ) -> "Record":
        """An empty record.

        Args:
            game: the game that is played.
            edition: names of the colours in the order of play, if not the usual ones.
            scoring: which scoring names the winner.
            names: one for each person at the table, in the order of play.
            date: as SGF has it, YYYY-MM-DD.
            application: who writes it, as `name:version`.
        """
        root = Node()
        usual = GAMES[game.key]
        shared_apart = game.shared != usual.shared
        # Pentobi's three-player game shares green; with another colour it opens as four players.
        name = (
            GAMES["classic"].record_name
            if shared_apart and pentobi_knows(game)
            else game.record_name
        )
        first = next(known for known in GAMES.values() if known.record_name == name)
        optional = {
            "GM": name,
            "CA": "UTF-8",
            "AP": application,
            "DT": date,
            "CLGAME": game.key if first.key != game.key else None,
            "CLSHARED": str((game.shared or 0) + 1) if shared_apart else None,
            "CLSCORING": scoring.value if scoring is not Scoring.ADVANCED else None,
        }
        for identifier, value in optional.items():
            root.set(identifier, *([value] if value else []))
        for identifier, value in name_properties(game, names):
            root.set(identifier, value)
        record = Record(root)
        if edition:
            record.name_colours(edition)
        return record

    @staticmethod
    def read(data: bytes) -> "Record":
        """A record from the bytes of a file.

        Raises:
            RecordError: it cannot be read; the sentence begins with line and column.
        """
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError as error:
            before = data[: error.start].decode("utf-8")
            line = before.count("\n") + 1
            column = len(before) - (before.rfind("\n") + 1) + 1
            message = "this is not UTF-8 text, the only encoding of records"
            raise RecordError(message, line, column) from error
        return Record(parse(text))

    def write(self) -> bytes:
        """The bytes of the file."""
        return serialise(self.root).encode("utf-8")

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each person at the table, in the order of play; empty where unknown."""
        return tuple(self.root.text(i) or "" for i in name_identifiers(self.game))

    @property
    def letters(self) -> tuple[str, ...]:
        """The letter of each colour in the rows of a board, in the order of play."""
        return tuple(LETTERS[name] for name in self.edition)

    @property
    def result(self) -> str | None:
        """What the record says of the result (`RE`)."""
        return self.root.text("RE")

    def steps(self) -> Iterator[Played | Attempted | SetUp]:
        """What the main line says, in order.

        Raises:
            RecordError: a node says something that cannot be read.
        """
        for node in self.root.main_line():
            if set_up := self._set_up(node):
                yield set_up
            if played := self._played(node):
                yield played
            if attempts := node.property("CLATTEMPT"):
                for index in range(len(attempts.values)):
                    yield Attempted(*self._colour_and_squares(attempts, index), node)

    # Writing while the game goes on

    def name_colours(self, edition: Edition) -> None:
        """Says what the colours are called, in the order of play."""
        self.root.set("CLCOLORS", *(edition if edition != default_edition(self.game) else ()))
        self.edition = edition

    def limit_time(self, seconds: float, overtime: str = "") -> None:
        """Says how much time each person had, as SGF does.

        Args:
            seconds: for the whole game.
            overtime: what a move adds or has free, in words.
        """
        self.root.set("TM", f"{seconds:.1f}".removesuffix(".0"))
        self.root.set("OT", *([overtime] if overtime else []))

    def play(
        self,
        move: Move,
        colour: Colour,
        *,
        overruled: Sequence[Rule] = (),
        seconds_left: float | None = None,
    ) -> None:
        """Adds a move that stands.

        Args:
            move: the piece.
            colour: whose it is.
            overruled: the rules it breaks, if the arbiter let it stand all the same.
            seconds_left: on the clock of that player.
        """
        node = self._next()
        identifier = self._identifier(colour)
        if Rule.PIECE_USED in overruled:
            node.set("CLMOVE", f"{identifier}:{move}")
        else:
            node.set(identifier, str(move))
        node.set("CLOVERRULED", *overruled)
        if seconds_left is not None:
            node.set(f"{self._clock(colour)}L", f"{seconds_left:.1f}".removesuffix(".0"))

    def attempt(self, squares: Sequence[int], colour: Colour) -> None:
        """Adds an illegal placement that was refused."""
        board = Board.of(self.game.size)
        text = board.format_squares(board.in_record_order(squares))
        tip = self._line[-1]
        tip.set("CLATTEMPT", *tip.values("CLATTEMPT"), f"{self._identifier(colour)}:{text}")

    def take_back(self, how: str = "undone") -> None:
        """Turns the last move or setting into a variation; what comes next is the main line.

        Raises:
            RecordError: nothing was added since the root.
        """
        while len(self._line) > 1 and not self._says_something(self._line[-1]):
            passed_over = self._line.pop()
            if not passed_over.properties:
                del self._line[-1].children[0]
        if len(self._line) == 1:
            raise RecordError("there is no move to take back", *self.root.place)
        undone = self._line.pop()
        if _first_half(self._line[-1]):
            undone = self._line.pop()
        undone.set("CLUNDONE", how)
        going_on = Node()
        self._line[-1].children.insert(0, going_on)
        self._line.append(going_on)

    def _says_something(self, node: Node) -> bool:
        return bool(self._played(node) or self._set_up(node))

    def set_position(self, before: Position, after: Position) -> None:
        """Adds the pieces and the turn that an arbiter set by hand.

        Pieces go off in one node and on in the next: Pentobi reads what is added to a node
        before what is taken off, and would count a piece that moved as played twice.
        """
        gone = _missing(before, after)
        if gone:
            self._next().set("AE", *(str(move) for _, move in gone))
        node = self._next()
        for colour, move in _missing(after, before):
            identifier = f"A{self._identifier(colour)}"
            node.set(identifier, *node.values(identifier), str(move))
        node.set("PL", self._identifier(after.turn))

    def finish(self, result: str) -> None:
        """Says how the game ended, as SGF does: `B+6`, `W+Resign`, `2+Time`, `0` for a tie."""
        self.root.set("RE", result)

    def _next(self) -> Node:
        tip = self._line[-1]
        if len(self._line) > 1 and not tip.properties:
            return tip
        node = Node()
        tip.children.insert(0, node)
        self._line.append(node)
        return node

    # Reading

    def _played(self, node: Node) -> Played | None:
        overruled = node.property("CLOVERRULED") is not None
        if ours := node.property("CLMOVE"):
            return Played(*self._colour_and_squares(ours, 0), node, overruled=overruled)
        found = [
            (item, colour)
            for identifier, colour in self._move_identifiers()
            if (item := node.property(identifier))
        ]
        if not found:
            self._refuse_moves_of_other_games(node)
            return None
        if len(found) > 1:
            raise RecordError("this node has two moves; a node has one", *node.place)
        item, colour = found[0]
        # Pentobi before 0.3 gave each square a value of its own.
        names = ",".join(item.values)
        return Played(colour, *self._squares(names, item, 0), node, overruled=overruled)

    def _refuse_moves_of_other_games(self, node: Node) -> None:
        for identifier in _MOVES:
            if item := node.property(identifier):
                message = f"{self.game.title} has no colour of that name"
                raise error_at(item, 0, message)

    def _set_up(self, node: Node) -> SetUp | None:
        added = [
            (colour, self._piece(item, index))
            for colour in self.game.colours
            if (item := node.property(f"A{self._identifier(colour)}"))
            for index in range(len(item.values))
        ]
        emptied = node.property("AE")
        removed = [self._piece(emptied, i) for i in range(len(emptied.values))] if emptied else []
        turn = self._colour(player, 0) if (player := node.property("PL")) else None
        if not added and not removed and turn is None:
            return None
        return SetUp(tuple(added), tuple(removed), turn, node)

    def _piece(self, item: Property, index: int) -> Move:
        try:
            return Move.parse(item.values[index], self.game.size)
        except NotationError as error:
            raise error_at(item, index, str(error)) from error

    def _colour_and_squares(
        self, item: Property, index: int
    ) -> tuple[Colour, tuple[int, ...], tuple[str, ...]]:
        identifier, _, names = item.values[index].partition(":")
        colour = self._colour(item, index, identifier)
        return colour, *self._squares(names, item, index)

    def _squares(
        self, names: str, item: Property, index: int
    ) -> tuple[tuple[int, ...], tuple[str, ...]]:
        board = Board.of(self.game.size)
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

    def _colour(self, item: Property, index: int, identifier: str | None = None) -> Colour:
        name = item.values[index] if identifier is None else identifier
        known = dict(self._move_identifiers())
        if name not in known:
            raise error_at(item, index, f"{name!r} is no colour of {self.game.title}")
        return known[name]

    def _identifier(self, colour: Colour) -> str:
        return "BW"[colour] if len(self.game.colours) == 2 else "1234"[colour]

    def _move_identifiers(self) -> list[tuple[str, Colour]]:
        colours = list(self.game.colours)
        old = ("BLUE", "GREEN") if len(colours) == 2 else _OLD_IDENTIFIERS
        names = [(self._identifier(colour), colour) for colour in colours]
        if len(colours) == 2:
            names += [("1", 0), ("2", 1)]
        return names + list(zip(old, colours, strict=True))

    def _clock(self, colour: Colour) -> str:
        if self.game.people == 2:
            return "BW"[self.game.side_of(colour)]
        return self._identifier(colour)


def _first_half(node: Node) -> bool:
    """Whether a node only takes pieces off, as the first of the two of `set_position` does."""
    return {item.identifier for item in node.properties} == {"AE"}


def _missing(position: Position, other: Position) -> list[tuple[Colour, Move]]:
    """The pieces of one position that another lacks."""
    return [
        (colour, move)
        for colour, laid in enumerate(position.laid)
        for move in laid
        if move not in other.laid[colour]
    ]
