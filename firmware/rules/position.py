"""A position: the pieces on the board, the turn, and the legal moves.

For each colour a position holds two sets of placements as integers (see `board`). The barred
ones cover an occupied square, share a side with the colour's own squares, or use a piece that
was laid already. The reaching ones cover a square at a corner of the colour's own pieces (or,
before its first piece, a starting square). Both sets only grow as pieces are laid, so a move
updates them with a few dozen `|`; the legal placements of a colour are `reaching & ~barred`.
In a puzzle pieces that it lacks and squares outside its field are barred from the beginning, and
all placements are reaching where pieces may lie apart.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from firmware.rules.board import Board, Move, mask_of, squares_of
from firmware.rules.errors import IllegalMoveError, NotationError
from firmware.rules.extent import barred_placements, pieces_of, placements_of_sizes
from firmware.rules.legality import examine
from firmware.rules.pieces import Piece
from firmware.rules.variants import GAMES, VARIANTS, Colour, Contact, Starts, Variant
from firmware.rules.violations import Violation

T = TypeVar("T")

LaidPiece = tuple[Colour, Move]
"""A piece on the board, or to be laid: its colour and its place."""

_HEAD: Final = re.compile(r"(\S+) (free|fixed) ([1-9])(?: shared=([1-9]))?", re.ASCII)
"""Text of a position up to the first `|`."""


class LegalMoves:
    """The legal moves of one colour, as a sized, iterable set; moves are made on iteration.

    Attributes:
        board: the tables of the board.
        placements: the moves as a set of placements, one bit each.
    """

    __slots__ = ("board", "placements")

    def __init__(self, board: Board, placements: int) -> None:
        self.board: Final = board
        self.placements: Final = placements

    @property
    def indices(self) -> NDArray[np.int64]:
        """The moves as indices into the tables, ascending."""
        return self.board.indices(self.placements)

    def __len__(self) -> int:
        return self.placements.bit_count()

    def __bool__(self) -> bool:
        return self.placements != 0

    def __contains__(self, move: object) -> bool:
        return (
            isinstance(move, Move)
            and move.board is self.board
            and bool(self.placements >> move.index & 1)
        )

    def __iter__(self) -> Iterator[Move]:
        return map(self.board.move, self.indices.tolist())

    def __repr__(self) -> str:
        return f"<LegalMoves: {len(self)}>"


@dataclass(frozen=True)
class Position:
    """The pieces on the board and the turn: immutable, compared by value.

    Make one with `Position.start`, then `play`. Two positions are equal if the same pieces
    were laid in the same order by each colour and the same colour has the turn. In a puzzle every
    colour may lay the next piece until all pieces are laid, and `turn` is always 0.

    Attributes:
        game: the variant of Blokus.
        starts: the starting squares that first pieces have to cover.
        turn: the colour whose turn it is in the strict order of play, even if it must pass.
        laid: for each colour its moves on the board, in the order they were laid.
    """

    game: Variant
    starts: Starts
    turn: Colour
    laid: tuple[tuple[Move, ...], ...]
    _occupied: tuple[int, ...] = field(compare=False, repr=False)
    _barred: tuple[int, ...] = field(compare=False, repr=False)
    _reaching: tuple[int, ...] = field(compare=False, repr=False)

    @staticmethod
    def start(game: Variant | str, starts: Starts | str = Starts.FREE) -> "Position":
        """The empty board of a game, the first colour to move.

        Args:
            game: the game or its key, for example `duo`.
            starts: `free` as at the table, or `fixed` as in engines.

        Raises:
            NotationError: there is no such game.
        """
        game, starts = _game(game), Starts(starts)
        board = Board.of(game.size)
        nothing = (0,) * len(game.colours)
        empty = Position(game, starts, 0, ((),) * len(game.colours), nothing, nothing, nothing)
        puzzle, everything = game.puzzle, (1 << board.placements) - 1
        if puzzle is not None and puzzle.contact is not Contact.AT_CORNERS:
            reaching = (everything,) * len(game.colours)
        else:
            reaching = tuple(board.covering_any(empty.start_squares(c)) for c in game.colours)
        barred = (barred_placements(game),) * len(game.colours)
        return replace(empty, _barred=barred, _reaching=reaching)

    @cached_property
    def board(self) -> Board:
        """The constant tables of the board."""
        return Board.of(self.game.size)

    def start_squares(self, colour: Colour) -> int:
        """Mask of the starting squares that the first piece of `colour` may cover now."""
        names = self.game.starts if self.starts is Starts.FREE else (self.game.starts[colour],)
        return mask_of(self.board.parse_squares(",".join(names))) & ~self.occupied

    # The pieces on the board

    @property
    def occupied(self) -> int:
        """Mask of all squares that are covered."""
        mask = 0
        for squares in self._occupied:
            mask |= squares
        return mask

    def squares(self, colour: Colour) -> int:
        """Mask of the squares that `colour` covers."""
        return self._occupied[colour]

    def colour_at(self, square: int) -> Colour | None:
        """The colour that covers a square, or None."""
        return next((c for c in self.game.colours if self._occupied[c] >> square & 1), None)

    # Legal moves

    def moves_of(self, colour: Colour) -> LegalMoves:
        """The legal placements of `colour`, for any turn."""
        open_ones = self._reaching[colour] & ~self._barred[colour]
        if self.game.puzzle is not None and self.game.puzzle.by_size:
            open_ones &= placements_of_sizes(self.game, frozenset({self.largest_in_hand}))
        return LegalMoves(self.board, open_ones)

    def in_hand(self, colour: Colour) -> tuple[Piece, ...]:
        """The pieces that `colour` has not laid yet, smaller ones first."""
        used = {move.piece for move in self.laid[colour]}
        return tuple(piece for piece in pieces_of(self.game) if piece not in used)

    @property
    def pieces(self) -> tuple[LaidPiece, ...]:
        """The pieces on the board by colour, those of a colour in the order laid."""
        return tuple((colour, move) for colour, laid in enumerate(self.laid) for move in laid)

    @property
    def count_in_hand(self) -> int:
        """Number of pieces that all colours together have not laid yet."""
        return sum(len(self.in_hand(colour)) for colour in self.game.colours)

    @cached_property
    def largest_in_hand(self) -> int:
        """Size in squares of the largest piece that any colour has in hand; 0 if none has one."""
        hands = map(self.in_hand, self.game.colours)
        return max((piece.size for hand in hands for piece in hand), default=0)

    @cached_property
    def to_move(self) -> Colour | None:
        """The colour that has to lay a piece now, after those that must pass; None at the end.

        In a puzzle, the first colour that has a placement, or else the first with a piece in hand.
        """
        if self.game.puzzle is not None:
            able = (colour for colour in self.game.colours if self.moves_of(colour))
            holding = (colour for colour in self.game.colours if self.in_hand(colour))
            return next(able, next(holding, None))
        count = len(self.game.colours)
        order = ((self.turn + step) % count for step in range(count))
        return next((colour for colour in order if self.moves_of(colour)), None)

    def may_lay(self, colour: Colour) -> bool:
        """True if `colour` may lay the next piece: it has the turn, or this is a puzzle."""
        if self.game.puzzle is not None:
            return self.to_move is not None
        return self.to_move == colour

    def is_legal(self, move: Move, colour: Colour) -> bool:
        """True if `colour` may lay this piece next and breaks no rule with it."""
        return self.may_lay(colour) and move in self.moves_of(colour)

    @property
    def passing(self) -> tuple[Colour, ...]:
        """The colours that have no placement and pass before `to_move`, in order of play.

        In a puzzle nobody passes.
        """
        if self.game.puzzle is not None:
            return ()
        count = len(self.game.colours)
        last = count if self.to_move is None else (self.to_move - self.turn) % count
        return tuple((self.turn + step) % count for step in range(last))

    @property
    def legal_moves(self) -> LegalMoves:
        """The legal moves of the colour to move; empty when the game is over."""
        return LegalMoves(self.board, 0) if self.to_move is None else self.moves_of(self.to_move)

    @property
    def is_over(self) -> bool:
        """True if no colour has a legal placement; in a puzzle, if all pieces are laid."""
        return self.to_move is None

    def side_of(self, colour: Colour, move: Move | None = None) -> int:
        """Index in `game.sides` of the side that plays the next piece of a colour.

        The sides play the shared colour in turn: the index is the number of its pieces on the
        board modulo the number of sides.

        Args:
            colour: the colour.
            move: a piece of the colour; if it is on the board the side that has laid it is meant.
        """
        if colour == self.game.shared:
            laid = self.laid[colour]
            number = laid.index(move) if move in laid else len(laid)
            return number % len(self.game.sides)
        return self.game.side_of(colour)

    @property
    def next_side(self) -> int | None:
        """Index of the side that moves next, see `side_of`; None at the end."""
        return None if self.to_move is None else self.side_of(self.to_move)

    def play(self, move: Move, colour: Colour | None = None) -> "Position":
        """The position after a colour has made a legal move.

        Args:
            move: the placement.
            colour: the colour that lays the piece; None for the colour to move.

        Raises:
            IllegalMoveError: the move is not legal; the message names the broken rules.
        """
        if self.to_move is None:
            raise IllegalMoveError(f"{move} cannot be played: the game is over")
        if move.board is not self.board:
            raise IllegalMoveError(f"{move!r} is a move on another board")
        colour = self.to_move if colour is None else colour
        if not self.is_legal(move, colour):
            rules = ", ".join(one.rule for one in self.examine(move.squares, colour))
            raise IllegalMoveError(f"{move} is not legal here: {rules}")
        return self.put(move, colour)

    def put(self, move: Move, colour: Colour) -> "Position":
        """The position after `colour` has laid a piece, legal or not.

        For moves that an arbiter overrules and for recovered positions. The turn goes to the
        next colour.

        Raises:
            IllegalMoveError: the squares are covered, or the move is of another board.
        """
        board, squares = self.board, move.mask
        if move.board is not board or squares & self.occupied:
            raise IllegalMoveError(f"{move} cannot lie there: the squares are not free")
        covered = board.covering_any(squares)
        barred = [others | covered for others in self._barred]
        barred[colour] |= board.of_piece[move.piece.index]
        puzzle = self.game.puzzle
        if puzzle is None or puzzle.contact is not Contact.ANY:
            barred[colour] |= board.covering_any(board.edge_neighbours(squares))
        reaching = self._reaching[colour]
        if puzzle is None or puzzle.contact is Contact.AT_CORNERS:
            reaching = reaching if self.laid[colour] else 0
            reaching |= board.covering_any(board.corner_neighbours(squares))
        return Position(
            self.game,
            self.starts,
            0 if puzzle is not None else (colour + 1) % len(self.laid),
            _changed(self.laid, colour, (*self.laid[colour], move)),
            _changed(self._occupied, colour, self._occupied[colour] | squares),
            tuple(barred),
            _changed(self._reaching, colour, reaching),
        )

    def put_all(self, pieces: Iterable[LaidPiece]) -> "Position":
        """The position after more pieces were laid in this order, legal or not; see `put`."""
        position = self
        for colour, move in pieces:
            position = position.put(move, colour)
        return position

    def lift(self, move: Move, colour: Colour) -> "Position":
        """The position without a piece of `colour`; the turn does not change.

        Raises:
            IllegalMoveError: the colour has no such piece on the board.
        """
        if move not in self.laid[colour]:
            raise IllegalMoveError(f"{move} cannot be lifted: it is not on the board")
        rest = (one for one in self.pieces if one != (colour, move))
        return Position.start(self.game, self.starts).put_all(rest).with_turn(self.turn)

    def with_turn(self, colour: Colour) -> "Position":
        """The same pieces with `colour` to move."""
        return replace(self, turn=colour)

    def transformed(self, quarter_turns: int, *, mirrored: bool = False) -> "Position":
        """The same pieces on the board mirrored left to right (if `mirrored`), then turned.

        Turns are clockwise. Starting squares do not turn, so a turn that does not map them onto
        themselves changes the legal moves of a colour without pieces.
        """
        turn = partial(self.board.transform, quarter_turns=quarter_turns, mirrored=mirrored)
        turned = ((colour, turn(move)) for colour, move in self.pieces)
        return Position.start(self.game, self.starts).put_all(turned).with_turn(self.turn)

    def examine(self, squares: Iterable[int], colour: Colour) -> tuple[Violation, ...]:
        """Every rule that a new piece of `colour` on these squares breaks; see `legality`."""
        return examine(self, squares, colour)

    # Text

    def __str__(self) -> str:
        shared = self.game.shared
        words = [self.game.key, self.starts.value, str(self.turn + 1)]
        if shared is not None and shared != GAMES[self.game.key].shared:
            words.append(f"shared={shared + 1}")
        return " | ".join([" ".join(words), *(" ".join(map(str, laid)) for laid in self.laid)])

    def __repr__(self) -> str:
        return f"Position.parse({str(self)!r})"

    @staticmethod
    def parse(text: str) -> "Position":
        """Reads the text that `str(position)` writes.

        The text is `GAME STARTS TURN [shared=COLOUR]` and, after a `|` for each colour, its
        moves in the order laid: `duo free 2 | e9,d10,e10,f10,e11 |`. Colours count from 1.

        Raises:
            NotationError: the text has another form, or names an unknown game or piece.
            IllegalMoveError: two pieces cover one square.
        """
        head, *hands = text.split("|")
        match = _HEAD.fullmatch(head.strip())
        if match is None:
            raise NotationError(f"{head!r} does not begin a position; one begins: duo free 1")
        key, starts, turn, shared = match.groups()
        position = Position.start(key, starts)
        if shared:
            position = Position.start(position.game.sharing(int(shared) - 1), starts)
        colours = position.game.colours
        if int(turn) - 1 not in colours or len(hands) != len(colours):
            raise NotationError(f"{position.game.title} has {len(colours)} colours: {text!r}")
        for colour, moves in zip(colours, hands, strict=True):
            for move in moves.split():
                position = position.put(Move.parse(move, position.game.size), colour)
        return position.with_turn(int(turn) - 1)

    def rows(self, letters: str) -> list[str]:
        """The board as text, top row first: `.` empty, otherwise the letter of the colour.

        Args:
            letters: one letter for each colour, in the order of play.
        """
        size = self.game.size
        marks = ["."] * self.board.squares
        for colour in self.game.colours:
            for square in squares_of(self._occupied[colour]):
                marks[square] = letters[colour]
        return ["".join(marks[row * size : (row + 1) * size]) for row in range(size)]


def _game(game: Variant | str) -> Variant:
    if isinstance(game, Variant):
        return game
    if game not in VARIANTS:
        raise NotationError(f"there is no game {game!r}; the games are {', '.join(VARIANTS)}")
    return VARIANTS[game]


def _changed(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    return (*values[:index], value, *values[index + 1 :])
