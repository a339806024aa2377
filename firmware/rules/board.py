"""Every placement of a piece on a board: constant tables, made once for each board size.

A square is an integer, row by row from the top left: `row * size + column`, so that a14 of a
14x14 board is 0 and n1 is 195. A set of squares is an integer too, a mask whose bit `i` is
square `i`. A set of placements likewise: 13,729 bits on 14x14, 30,433 on 20x20. One `|` of
such integers does what a loop over placements would (see `Position`).

In text a square is its column letter from the left and its row number from the bottom.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from string import ascii_lowercase
from typing import Final

import numpy as np
from numpy.typing import NDArray

from firmware.rules.errors import NotationError
from firmware.rules.pieces import LARGEST, PIECES, Piece, Shape

SQUARE_TEXT: Final = re.compile(r"([A-Za-z]{1,2})([0-9]{1,3})", re.ASCII)
"""Form of a square's name. The square may still be off the board."""


class Move:
    """A piece on certain squares: an index into the tables of a board.

    There is one shared `Move` object for each placement, whatever the colour. `str(move)` is its
    text in records (`e9,d10,e10,f10,e11`); `Move.parse` reads it.

    Attributes:
        board: the tables it belongs to.
        index: its index in them.
    """

    __slots__ = ("_mask", "_squares", "board", "index")

    def __init__(self, board: "Board", index: int) -> None:
        self.board: Final = board
        self.index: Final = index
        self._squares: tuple[int, ...] = ()
        self._mask = 0

    @staticmethod
    def parse(text: str, size: int) -> "Move":
        """The move that covers the squares named in `text`, in any order.

        Args:
            text: squares separated by commas.
            size: squares along a side of the board.

        Raises:
            NotationError: a square is not on the board, or the squares are not one piece.
        """
        board = Board.of(size)
        move = board.find_move(board.parse_squares(text))
        if move is None:
            raise NotationError(f"{text!r} is not one of the 21 pieces")
        return move

    @property
    def piece(self) -> Piece:
        """The piece, one of 21."""
        return PIECES[self.board.piece_of[self.index]]

    @property
    def squares(self) -> tuple[int, ...]:
        """The squares it covers, in the order of records: a1, b1, ..., a2, b2, ..."""
        if not self._squares:
            self._squares = tuple(self.board.cells[self.index, : self.piece.size].tolist())
        return self._squares

    @property
    def mask(self) -> int:
        """The squares it covers, as a mask."""
        if not self._mask:
            self._mask = mask_of(self.squares)
        return self._mask

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Move):
            return NotImplemented
        return self.index == other.index and self.board is other.board

    def __hash__(self) -> int:
        return hash((self.index, self.board.size))

    def __str__(self) -> str:
        return self.board.format_squares(self.squares)

    def __repr__(self) -> str:
        return f"Move.parse('{self}', {self.board.size})"

    def __reduce__(self) -> tuple[object, ...]:
        return Move.parse, (str(self), self.board.size)


class Board:
    """The constant tables of an empty square board. Use `Board.of(size)`: they are made once.

    Attributes:
        size: squares along a side.
        squares: number of squares; also the padding value in `cells`.
        placements: number of placements (13,729 on 14x14, 30,433 on 20x20).
        cells: (placements, 5) int16, the squares of each placement in the order of records,
            padded with `squares`. To score all placements at once, gather from an array of
            `squares + 1` values whose last is neutral.
        piece_of: for each placement the index of its piece.
        covering: for each square the set of placements that cover it.
        of_piece: for each piece the set of its placements.
        sides: for each square the mask of squares that share a side with it.
        corners: for each square the mask of squares that touch it at a corner only.
    """

    def __init__(self, size: int) -> None:
        self.size: Final = size
        self.squares: Final = size * size
        self._slots: Final = _slots(size)
        self.cells: Final = np.concatenate([slot.cells for slot in self._slots.values()])
        self.cells.flags.writeable = False
        self.placements: Final = len(self.cells)
        self.piece_of: Final = bytes(
            slot.piece.index for slot in self._slots.values() for _ in range(len(slot.cells))
        )
        self.covering: Final = _covering(self.cells, self.squares)
        self.of_piece: Final = _of_piece(self._slots.values())
        self.sides: Final = _neighbours(size, ((-1, 0), (0, -1), (0, 1), (1, 0)))
        self.corners: Final = _neighbours(size, ((-1, -1), (-1, 1), (1, -1), (1, 1)))
        self._moves: Final[list[Move | None]] = [None] * self.placements
        self._bytes: Final = (self.placements + 7) // 8

    @staticmethod
    @cache
    def of(size: int) -> "Board":
        """The tables of the board with `size` squares along a side, at most a letter for each."""
        if not LARGEST <= size <= len(ascii_lowercase):
            raise NotationError(f"a board of {size}x{size} squares is not one for these pieces")
        return Board(size)

    def move(self, index: int) -> Move:
        """The move with this index."""
        move = self._moves[index]
        if move is None:
            # A number of numpy would be kept, and masks of over 64 bits cannot be shifted by one.
            move = self._moves[index] = Move(self, int(index))
        return move

    def find(self, squares: Iterable[int]) -> int | None:
        """Index of the placement that covers exactly these squares, or None."""
        places = sorted(squares)
        if not 0 < len(places) <= LARGEST:
            return None
        top = places[0] // self.size
        left = min(square % self.size for square in places)
        origin = top * self.size + left
        slot = self._slots.get(tuple(square - origin for square in places))
        return None if slot is None else slot.index_at(top, left)

    def find_move(self, squares: Iterable[int]) -> Move | None:
        """The move that covers exactly these squares, or None."""
        index = self.find(squares)
        return None if index is None else self.move(index)

    def indices(self, placements: int) -> NDArray[np.int64]:
        """The indices in a set of placements, ascending."""
        packed = np.frombuffer(placements.to_bytes(self._bytes, "little"), np.uint8)
        return np.flatnonzero(np.unpackbits(packed, bitorder="little").view(np.bool_))

    def flags(self, squares: int) -> NDArray[np.bool_]:
        """(squares + 1,): True for each square of a mask, False for the padding."""
        flags = np.zeros(self.squares + 1, np.bool_)
        flags[list(squares_of(squares))] = True
        return flags

    def covering_any(self, squares: int) -> int:
        """The set of placements that cover at least one square of the mask."""
        found = 0
        for square in squares_of(squares):
            found |= self.covering[square]
        return found

    def next_to(self, squares: int) -> int:
        """Mask of the squares that share a side with a square of the mask, in it or not."""
        found = 0
        for square in squares_of(squares):
            found |= self.sides[square]
        return found

    def edge_neighbours(self, squares: int) -> int:
        """Mask of the squares that share a side with a square of the mask and are not in it."""
        return self.next_to(squares) & ~squares

    def corner_neighbours(self, squares: int) -> int:
        """Mask of the squares that touch a corner of a square of the mask, in it or not."""
        found = 0
        for square in squares_of(squares):
            found |= self.corners[square]
        return found

    def groups(self, squares: int) -> list[int]:
        """The mask split into groups joined along sides, each a mask, in order of squares."""
        found = []
        while squares:
            group = squares & -squares
            grown = 0
            while grown != group:
                grown = group
                group |= self.edge_neighbours(group) & squares
            found.append(group)
            squares &= ~group
        return found

    def turn(self, square: int, quarter_turns: int, *, mirrored: bool = False) -> int:
        """The square after the board is mirrored (if `mirrored`), then turned clockwise."""
        last = self.size - 1
        row, column = divmod(square, self.size)
        column = last - column if mirrored else column
        for _ in range(quarter_turns % 4):
            row, column = column, last - row
        return row * self.size + column

    def transform(self, move: Move, quarter_turns: int, *, mirrored: bool = False) -> Move:
        """The move after the board is mirrored (if `mirrored`), then turned clockwise."""
        turned = (self.turn(square, quarter_turns, mirrored=mirrored) for square in move.squares)
        found = self.find_move(turned)
        assert found is not None, "a piece turned is a piece"
        return found

    def format_square(self, square: int) -> str:
        """The name of a square, for example `e10`."""
        row, column = divmod(square, self.size)
        return f"{chr(ord('a') + column)}{self.size - row}"

    def parse_square(self, text: str) -> int | None:
        """The square of that name, or None if it is off the board.

        Raises:
            NotationError: the text does not have the form of a square.
        """
        match = SQUARE_TEXT.fullmatch(text)
        if match is None:
            raise NotationError(f"{text!r} is not a square; squares look like e10")
        letters, number = match[1].lower(), int(match[2])
        column = ord(letters) - ord("a") if len(letters) == 1 else self.size
        if column >= self.size or not 1 <= number <= self.size:
            return None
        return (self.size - number) * self.size + column

    def format_squares(self, squares: Iterable[int]) -> str:
        """Squares as text, in the order given, separated by commas."""
        return ",".join(map(self.format_square, squares))

    def parse_squares(self, text: str) -> list[int]:
        """Squares from text such as `e10,f10,f9`, in the order given.

        Raises:
            NotationError: something is not a square, is off the board or is named twice.
        """
        squares: list[int] = []
        for name in map(str.strip, text.split(",")):
            square = self.parse_square(name)
            if square is None:
                raise NotationError(f"{name} is not on a board of {self.size}x{self.size}")
            if square in squares:
                raise NotationError(f"{name} is named twice in {text!r}")
            squares.append(square)
        return squares

    def in_record_order(self, squares: Iterable[int]) -> list[int]:
        """Squares in the order of records: a1, b1, ..., a2, b2, ..."""
        return sorted(squares, key=lambda square: (-(square // self.size), square % self.size))

    def __repr__(self) -> str:
        return f"Board.of({self.size})"

    def __reduce__(self) -> tuple[object, ...]:
        return Board.of, (self.size,)


def mask_of(squares: Iterable[int]) -> int:
    """The mask of some squares."""
    mask = 0
    for square in squares:
        mask |= 1 << square
    return mask


def mask_where(flags: NDArray[np.bool_]) -> int:
    """The mask of the squares where (squares,) flags are True."""
    return int.from_bytes(np.packbits(flags, bitorder="little").tobytes(), "little")


def squares_of(mask: int) -> Iterator[int]:
    """The squares of a mask, ascending."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class _Slot:
    """One orientation on one board: its placements are consecutive in the tables."""

    def __init__(self, piece: Piece, shape: Shape, size: int, first: int) -> None:
        self.piece = piece
        self.first = first
        rows = size - max(row for row, _ in shape)
        self.columns = size - max(column for _, column in shape)
        offsets = [
            row * size + column for row, column in sorted(shape, key=lambda s: (-s[0], s[1]))
        ]
        origins = (np.arange(rows)[:, None] * size + np.arange(self.columns)).reshape(-1, 1)
        self.cells = np.full((len(origins), LARGEST), size * size, np.int16)
        self.cells[:, : piece.size] = origins + np.array(offsets)

    def index_at(self, top: int, left: int) -> int:
        """Index of the placement whose smallest row and column are these."""
        return self.first + top * self.columns + left


def _slots(size: int) -> dict[tuple[int, ...], _Slot]:
    """Slots by the orientation's squares relative to the top left of its bounding box."""
    slots: dict[tuple[int, ...], _Slot] = {}
    first = 0
    for piece in PIECES:
        for shape in piece.orientations:
            slot = _Slot(piece, shape, size, first)
            slots[tuple(row * size + column for row, column in shape)] = slot
            first += len(slot.cells)
    return slots


def _bit_sets(table: NDArray[np.bool_]) -> tuple[int, ...]:
    packed = np.packbits(table, axis=1, bitorder="little")
    return tuple(int.from_bytes(row.tobytes(), "little") for row in packed)


def _covering(cells: NDArray[np.int16], squares: int) -> tuple[int, ...]:
    table = np.zeros((squares + 1, len(cells)), np.bool_)
    table[cells, np.arange(len(cells))[:, None]] = True
    return _bit_sets(table[:squares])


def _of_piece(slots: Iterable[_Slot]) -> tuple[int, ...]:
    found = [0] * len(PIECES)
    for slot in slots:
        found[slot.piece.index] |= ((1 << len(slot.cells)) - 1) << slot.first
    return tuple(found)


def _neighbours(size: int, steps: tuple[tuple[int, int], ...]) -> tuple[int, ...]:
    def near(square: int) -> int:
        row, column = divmod(square, size)
        return mask_of(
            (row + down) * size + column + right
            for down, right in steps
            if 0 <= row + down < size and 0 <= column + right < size
        )

    return tuple(map(near, range(size * size)))
