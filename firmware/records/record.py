"""A game as Blokus SGF, the format of Pentobi (`Pentobi-SGF.md` in enz/pentobi).

Data that Pentobi defines is written in Pentobi's form, so that Pentobi opens the record. Further
data of a refereed game is in private properties, which Pentobi preserves and ignores:

    CLGAME[classic-teams]   the game or puzzle, if `GM` does not determine it
    CLSHARED[3]             the shared colour, from 1, if it is not green
    CLCOLORS[black][white]  names of the colours, in the order of play
    CLSCORING[basic]        the scoring that decides the winner, if it is not the advanced one
    CLCOMPUTER[0][7]        the computer's level for each person in the order of play, 0 for a human
    CLSEED[12345]           seed of the computer's choices
    CLATTEMPT[W:a1,a2]      an illegal placement made after this node, refused and taken back
    CLOVERRULED[no-own-corner]  the rules that this move breaks and the arbiter overruled
    CLMOVE[B:a1,a2]         a move with a piece laid for the second time, in a form that Pentobi
                            does not read, because it would refuse to open the record
    CLORDER[unseen]         this move came together with its neighbours; another order is possible
    CLUNDONE[undone]        this variation was played, and then taken back or corrected
    CLUNDONE[lifted]        in a puzzle: the pieces that `AE` of this node removes were lifted
    CLSECONDS[83.2]         in a puzzle: seconds from the first piece to the newest, without pauses

Records of others are read as Pentobi reads them: names of games in any case, set-ups by letter or
number in any node, a turn that names no colour changes nothing. A move or a set-up of a colour that
the game lacks is an error, though Pentobi leaves it out.

A move taken back becomes a variation of the record, as usual in SGF. A puzzle is a record of
`Blokus`, which Pentobi opens with the colours in any order. Any piece of it can be lifted, so this
is no variation but a node of the main line.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from firmware.codes import Rule, Scoring
from firmware.records.node_properties import (
    LIFTED,
    RecordStep,
    changes_board,
    identifier_of,
    steps_of,
)
from firmware.records.root_properties import (
    computer_of,
    edition_of,
    game_of,
    is_pentobi_game,
    name_identifiers,
    name_properties,
    scoring_of,
    seconds_of,
    seed_of,
)
from firmware.records.sgf import LARGEST, Node, parse, serialise
from firmware.rules.board import Board, Move
from firmware.rules.errors import RecordError
from firmware.rules.position import LaidPiece, Position
from firmware.rules.variants import (
    GAMES,
    LETTERS,
    VARIANTS,
    Colour,
    Edition,
    Variant,
    default_edition,
)


class Record:
    """A game record that is read, or written during the game.

    Attributes:
        root: root of the tree. Unknown properties are preserved.
        game: the game, with its shared colour.
        edition: names of the colours, in the order of play.
        scoring: the scoring that decides the winner.
        computer: level of the computer for each person in the order of play, 0 for a human being;
            empty if the computer played nobody.
        seed: seed of the computer's choices; 0 if unknown.
        seconds: seconds that a puzzle has taken; None if unknown, and in a game.
    """

    def __init__(self, root: Node) -> None:
        self.root: Final = root
        self.game: Final = game_of(root)
        self.edition = edition_of(root, self.game)
        self.scoring: Final = scoring_of(root)
        self.computer = computer_of(root, self.game)
        self.seed = seed_of(root)
        self.seconds = seconds_of(root)
        self._line = list(root.main_line())

    @staticmethod
    def new(
        game: Variant,
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
            edition: names of the colours in the order of play; None for the default ones.
            scoring: the scoring that decides the winner.
            names: names of the people at the table, in the order of play.
            date: date of the game, YYYY-MM-DD.
            application: program that writes the record, as `name:version`.
        """
        root = Node()
        usual = VARIANTS[game.key]
        shared_apart = game.shared != usual.shared
        # Pentobi's three-player game shares green; with another colour it opens as four players.
        name = (
            GAMES["classic"].record_name
            if shared_apart and is_pentobi_game(game)
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
            RecordError: it cannot be read; the message begins with line and column.
        """
        if len(data) > LARGEST:
            message = f"this is larger than {LARGEST / 1e6:.0f} MB and so not a game record"
            raise RecordError(message, 1, 1)
        try:
            text = data.decode("utf-8")
        except UnicodeDecodeError:
            # The default of the format; squares and games are the same in both.
            text = data.decode("latin-1")
        return Record(parse(text))

    def write(self) -> bytes:
        """The bytes of the file."""
        return serialise(self.root).encode("utf-8")

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each person at the table, in the order of play; empty if unknown."""
        return tuple(self.root.text(i) or "" for i in name_identifiers(self.game))

    @property
    def letters(self) -> tuple[str, ...]:
        """The letter of each colour in the rows of a board, in the order of play."""
        return tuple(LETTERS[name] for name in self.edition)

    @property
    def result(self) -> str | None:
        """The result in the record (`RE`), or None."""
        return self.root.text("RE")

    def steps(self) -> Iterator[RecordStep]:
        """The entries of the main line, in order.

        Raises:
            RecordError: a node has a property that cannot be read.
        """
        for node in self.root.main_line():
            yield from steps_of(node, self.game)

    # Writing during the game

    def name_colours(self, edition: Edition) -> None:
        """Writes the names of the colours, in the order of play."""
        self.root.set("CLCOLORS", *(edition if edition != default_edition(self.game) else ()))
        self.edition = edition

    def name_computer(self, levels: Sequence[int], seed: int) -> None:
        """Writes who is the computer's (`CLCOMPUTER` and `CLSEED`).

        Args:
            levels: level of the computer for each person in the order of play, 0 for a human being.
            seed: seed of its choices.
        """
        self.computer, self.seed = tuple(levels), seed
        self.root.set("CLCOMPUTER", *map(str, levels))
        self.root.set("CLSEED", str(seed))

    def limit_time(self, seconds: float, overtime: str = "") -> None:
        """Writes the time limit of each person (`TM` and `OT`).

        Args:
            seconds: seconds for the whole game.
            overtime: increment or delay of a move, in words.
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
        order_seen: bool = True,
    ) -> None:
        """Adds an accepted move.

        Args:
            move: the placement.
            colour: colour of the piece.
            overruled: the rules it breaks, if the arbiter overruled them.
            seconds_left: seconds left on the clock of that player.
            order_seen: False if it may have been made before or after its neighbours.
        """
        node = self._next()
        identifier = identifier_of(colour, self.game)
        if Rule.PIECE_USED in overruled:
            node.set("CLMOVE", f"{identifier}:{move}")
        else:
            node.set(identifier, str(move))
        node.set("CLOVERRULED", *overruled)
        node.set("CLORDER", *([] if order_seen else ["unseen"]))
        if seconds_left is not None:
            node.set(f"{self._clock(colour)}L", f"{seconds_left:.1f}".removesuffix(".0"))

    def attempt(self, squares: Sequence[int], colour: Colour) -> None:
        """Adds an illegal placement that was refused."""
        board = Board.of(self.game.size)
        text = board.format_squares(board.in_record_order(squares))
        tip = self._line[-1]
        tip.set("CLATTEMPT", *tip.values("CLATTEMPT"), f"{identifier_of(colour, self.game)}:{text}")

    def lift(self, move: Move, *, together: bool = False) -> None:
        """Adds that a piece of a puzzle was lifted.

        Args:
            move: the piece.
            together: True if it was lifted together with those of the last entry.
        """
        node = self._line[-1] if together else self._next()
        node.set("AE", *node.values("AE"), str(move))
        node.set("CLUNDONE", LIFTED)

    def take_back(self, how: str = "undone") -> None:
        """Turns the last move or set-up into a variation; the next entry is the main line.

        Raises:
            RecordError: nothing was added since the root.
        """
        while len(self._line) > 1 and not changes_board(self._line[-1], self.game):
            skipped = self._line.pop()
            if not skipped.properties:
                del self._line[-1].children[0]
        if len(self._line) == 1:
            raise RecordError("there is no move to take back", *self.root.place)
        undone = self._line.pop()
        if _first_half(self._line[-1]):
            undone = self._line.pop()
        undone.set("CLUNDONE", how)
        continuation = Node()
        self._line[-1].children.insert(0, continuation)
        self._line.append(continuation)

    def set_position(self, before: Position, after: Position) -> None:
        """Adds the pieces and the turn that an arbiter set by hand.

        One node removes pieces, the next adds pieces: Pentobi applies additions before removals
        within a node, and would count a moved piece as played twice.
        """
        removed = _missing(before, after)
        if removed:
            self._next().set("AE", *(str(move) for _, move in removed))
        node = self._next()
        for colour, move in _missing(after, before):
            identifier = f"A{identifier_of(colour, self.game)}"
            node.set(identifier, *node.values(identifier), str(move))
        node.set("PL", identifier_of(after.turn, self.game))

    def time(self, seconds: float) -> None:
        """Writes the seconds that a puzzle has taken."""
        self.seconds = round(seconds, 1)
        self.root.set("CLSECONDS", f"{self.seconds:.1f}")

    def finish(self, result: str) -> None:
        """Writes the result (`RE`): `B+6`, `W+Resign`, `2+Time`, `0` for a tie."""
        self.root.set("RE", result)

    def _next(self) -> Node:
        tip = self._line[-1]
        if len(self._line) > 1 and not tip.properties:
            return tip
        node = Node()
        tip.children.insert(0, node)
        self._line.append(node)
        return node

    def _clock(self, colour: Colour) -> str:
        if self.game.people == 2:
            return "BW"[self.game.side_of(colour)]
        return identifier_of(colour, self.game)


def _first_half(node: Node) -> bool:
    """True if a node only removes pieces, as the first of the two nodes of `set_position`."""
    return {item.identifier for item in node.properties} == {"AE"}


def _missing(position: Position, other: Position) -> list[LaidPiece]:
    """The pieces of one position that another lacks."""
    return [(colour, move) for colour, move in position.pieces if move not in other.laid[colour]]
