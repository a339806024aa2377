"""Random scenes at the rim of a board: pieces that hang over it, and things that lie beside it."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

import numpy as np

from firmware.rules.board import Board, mask_of
from firmware.rules.pieces import PIECES, Piece
from firmware.rules.position import Position
from firmware.rules.variants import GAMES, Colour
from firmware.simulator.table import CELL_MM, FrameKind, TablePiece
from tests.evaluation.soak import drawn
from tests.support.random_games import played
from tests.support.table_script import Action, ScriptSetup, Surround, Tilt

_STEEPEST_DEG: Final = 29.0
"""Largest tilt of a camera added to the usual one, which is 6 degrees."""

_ERROR: Final = ((0.6, 2.0), (0.6, 2.0), (1.2, 4.0))
"""Standard deviation and maximum of the placement error: right and up in mm, turn in degrees."""

_LIES: Final = ((0.3, 0.7), (0.3, 0.7), (0.5, 2.0))
"""The same for the pieces of the position."""

_TRIES: Final = 400
"""Random choices of a move or of a thing that are tried."""

_CLOSE_MM: Final = 8.0
"""Gap up to which a piece beside the board adjoins one on it."""


class Arrival(StrEnum):
    """Times at which a thing comes beside the board."""

    BEFORE = "lies there"
    CAME = "came before"
    WITH = "by the same hand"
    AFTER = "came after"
    TAKEN = "was taken away"


@dataclass(frozen=True, slots=True)
class BesideThing:
    """Something beside the board.

    Attributes:
        arrival: the time at which it comes.
        pieces: pieces that lie there, by colour and place; none for a hand that rests there.
        seat: side of the table that it is at.
        hand_mm: place of the hand, x and y.
    """

    arrival: Arrival
    pieces: tuple[TablePiece, ...] = ()
    seat: int = 0
    hand_mm: tuple[float, float] = (0.0, 0.0)

    @property
    def kind(self) -> str:
        """Name under which it is counted."""
        return "hand" if not self.pieces else "spare piece" if len(self.pieces) == 1 else "tray"


@dataclass(frozen=True, slots=True)
class RimScene:
    """A piece that is laid at the rim.

    Attributes:
        setting: table and camera.
        surroundings: actions that set up what stays.
        position: the position before.
        pieces: its pieces as they lie.
        colour: colour of the piece.
        piece: the piece as it is laid; if it hangs over the rim, partly off the board.
        squares: the squares of the board that it covers.
        things: what comes beside the board.
    """

    setting: ScriptSetup
    surroundings: tuple[Action, ...]
    position: Position
    pieces: tuple[TablePiece, ...]
    colour: Colour
    piece: TablePiece
    squares: frozenset[int]
    things: tuple[BesideThing, ...]

    @property
    def beyond(self) -> int:
        """Number of squares of the piece beyond the border."""
        return self.piece.move.piece.size - len(self.squares)

    @property
    def is_unclear(self) -> bool:
        """True if the same hand lays a piece of the same colour so that they look like one."""
        return any(abs(one.angle_deg) < 10 for one in self.adjoining(Arrival.WITH))

    def adjoining(self, *arrivals: Arrival) -> Iterator[TablePiece]:
        """Yields the pieces of the same colour that come at some time and adjoin the laid one."""
        for one in self.beside(*arrivals):
            if one.colour == self.colour and _adjoins(one, self.squares):
                yield one

    def beside(self, *arrivals: Arrival) -> Iterator[TablePiece]:
        """Yields the pieces beside the board that come at some time."""
        for thing in self.things:
            if thing.arrival in arrivals:
                yield from thing.pieces


def scene(seed: int, number: int, *, hangs: bool, game: str = "") -> RimScene:
    """Returns a random scene in which a piece hangs over the rim, or is laid rightly along it.

    Args:
        seed, number: seeds of all random choices.
        hangs: True for a piece that hangs over the rim.
        game: key of the game; empty for any.
    """
    chance = random.Random(f"{seed} {number} {hangs}")  # noqa: S311
    dice = np.random.default_rng([seed, number, int(hangs)])
    while True:
        key = game or chance.choice(list(GAMES))
        most = 40 if len(GAMES[key].colours) == 4 else 22
        position = played(key, chance.randrange(1 << 30), chance.randrange(most))
        colour = position.to_move
        if colour is None:
            continue
        laid = _hanging(position, chance) if hangs else _along(position, chance)
        if laid is not None:
            break
    setting = replace(
        drawn(key, dice, chance.randrange(1, 5)), fps=2.0, late=0, told=True, opacity=1.0
    )
    piece, squares = laid
    piece = _off(piece, _ERROR, chance)
    while frozenset(piece.squares()) - {None} != squares:
        piece = _off(laid[0], _ERROR, chance)
    pieces = tuple(
        _off(TablePiece(colour, move), _LIES, chance)
        for colour, moves in enumerate(position.laid)
        for move in moves
    )
    things: tuple[BesideThing, ...] = ()
    if not hangs or chance.random() < 0.5:
        things = tuple(_things(position, piece, squares, chance))
    return RimScene(
        setting, tuple(_surroundings(chance)), position, pieces, colour, piece, squares, things
    )


def _off(
    piece: TablePiece, error: tuple[tuple[float, float], ...], chance: random.Random
) -> TablePiece:
    """Returns a piece laid with a placement error."""
    dx_mm, dy_mm, turn_deg = (
        round(min(max(chance.gauss(0, usual), -most), most), 2) for usual, most in error
    )
    return replace(
        piece,
        dx_mm=round(piece.dx_mm + dx_mm, 2),
        dy_mm=round(piece.dy_mm + dy_mm, 2),
        angle_deg=round(piece.angle_deg + turn_deg, 2),
    )


def _surroundings(chance: random.Random) -> Iterator[Action]:
    """Yields board, frame, cloth, markers, and the place of the camera."""
    frame = chance.choice([FrameKind.RAISED, *FrameKind])
    floor = chance.choice(["", "", "", "slate", "sand", "teal"])
    yield Surround(chance.random() < 0.5, frame, chance.random() < 0.3, floor)
    if chance.random() < 0.6:
        yield Tilt(round(chance.uniform(0, _STEEPEST_DEG), 1), round(chance.uniform(0, 360), 1))


def _rim(size: int) -> int:
    """Returns the mask of the squares along the border."""
    ends = (0, size - 1)
    return mask_of(s for s in range(size * size) if s // size in ends or s % size in ends)


def _along(position: Position, chance: random.Random) -> tuple[TablePiece, frozenset[int]] | None:
    """Returns a legal move that touches the border, with its squares."""
    colour, rim = position.to_move, _rim(position.board.size)
    assert colour is not None
    moves = [move for move in position.legal_moves if move.mask & rim]
    if not moves:
        return None
    size = chance.choice(sorted({move.piece.size for move in moves}))
    move = chance.choice([one for one in moves if one.piece.size == size])
    return TablePiece(colour, move), frozenset(move.squares)


def _hanging(position: Position, chance: random.Random) -> tuple[TablePiece, frozenset[int]] | None:
    """Returns a piece over the border whose part inside is legal as a smaller piece.

    Now and then its part inside is two such pieces.
    """
    colour, rim = position.to_move, _rim(position.board.size)
    assert colour is not None
    legal = [move for move in position.legal_moves if move.mask & rim]
    inside = [frozenset(move.squares) for move in legal]
    single = [squares for squares in inside if len(squares) == 1]
    if single and chance.random() < 0.3:
        inside = [one | other for one in single for other in _two_apart(one, position)]
    for squares in chance.sample(inside, len(inside))[:_TRIES]:
        found: dict[int, list[TablePiece]] = {}
        for piece in position.in_hand(colour):
            if piece.size > len(squares):
                for one in _reaching(position.board, colour, piece, squares):
                    found.setdefault(piece.size - len(squares), []).append(one)
        if found:
            return chance.choice(found[chance.choice(sorted(found))]), squares
    return None


def _two_apart(square: frozenset[int], position: Position) -> Iterator[frozenset[int]]:
    """Yields the free squares along the border with one between, each alone."""
    (one,) = square
    n, rim = position.board.size, _rim(position.board.size)
    row, column = divmod(one, n)
    for down, right in ((0, 2), (0, -2), (2, 0), (-2, 0)):
        if 0 <= row + down < n and 0 <= column + right < n:
            other = one + down * n + right
            if rim >> other & 1 and not position.occupied >> other & 1:
                yield frozenset({other})


def _reaching(
    board: Board, colour: Colour, piece: Piece, squares: frozenset[int]
) -> Iterator[TablePiece]:
    """Yields the placements of a piece whose part on the board is these squares."""
    n = board.size
    first_row, first_column = divmod(min(squares), n)
    for shape in piece.orientations:
        for row, column in shape:
            cells = [(r + first_row - row, c + first_column - column) for r, c in shape]
            on = {r * n + c for r, c in cells if 0 <= r < n and 0 <= c < n}
            if on != squares:
                continue
            rows, columns = [r for r, _ in cells], [c for _, c in cells]
            down = max(0, -min(rows)) - max(0, max(rows) - n + 1)
            right = max(0, -min(columns)) - max(0, max(columns) - n + 1)
            index = board.find([(r + down) * n + c + right for r, c in cells])
            assert index is not None, "it is the shape of a piece"
            yield TablePiece(colour, board.move(index), -right * CELL_MM, down * CELL_MM)


def _things(
    position: Position, piece: TablePiece, squares: frozenset[int], chance: random.Random
) -> Iterator[BesideThing]:
    """Yields one to three things beside the board, no two at one place."""
    used = {(colour, move.piece) for colour, moves in enumerate(position.laid) for move in moves}
    used.add((piece.colour, piece.move.piece))
    taken = [_box(piece)]
    for _ in range(chance.choice((1, 1, 2, 3))):
        arrival = chance.choice(list(Arrival))
        if chance.random() < 0.12:
            yield _resting(position.board, piece, arrival, chance)
            continue
        pieces: list[TablePiece] = []
        for _ in range(chance.choice((1, 1, 1, 3, 5))):
            one = _beside(position, piece, squares, used, taken, chance)
            if one is not None:
                pieces.append(one)
                used.add((one.colour, one.move.piece))
                taken.append(_box(one))
        if pieces:
            yield BesideThing(arrival, tuple(pieces), _side_of(pieces[0]))


def _beside(
    position: Position,
    piece: TablePiece,
    squares: frozenset[int],
    used: set[tuple[Colour, Piece]],
    taken: list[tuple[float, float, float, float]],
    chance: random.Random,
) -> TablePiece | None:
    """Returns a piece close to the border, often beside the piece that is laid; None for none."""
    game, board = position.game, position.board
    edge = board.size * CELL_MM / 2
    free = [(c, p) for c in game.colours for p in PIECES if (c, p) not in used]
    own = [one for one in free if one[0] == piece.colour]
    near = [square for square in squares if _rim(board.size) >> square & 1]
    for _ in range(_TRIES):
        colour, kind = chance.choice(own if own and chance.random() < 0.5 else free)
        shape = chance.choice(kind.orientations)
        index = board.find([r * board.size + c for r, c in shape])
        assert index is not None, "it is the shape of a piece"
        is_aligned = chance.random() < 0.6
        turn_deg = 0.0 if is_aligned else round(chance.uniform(-180, 180), 1)
        flat = TablePiece(colour, board.move(index), angle_deg=turn_deg)
        left, bottom, right, top = _box(flat)
        seat = chance.randrange(4)
        gap_mm = chance.choice(
            (chance.uniform(0.4, 4), chance.uniform(4, 16), chance.uniform(16, 60))
        )
        along_mm = chance.uniform(-edge, edge - (right - left))
        if near and chance.random() < 0.6:
            row, column = divmod(chance.choice(near), board.size)
            sides = [row == board.size - 1, column == board.size - 1, row == 0, column == 0]
            seat = chance.choice([side for side, is_there in enumerate(sides) if is_there])
            middle = column * CELL_MM - edge if seat in (0, 2) else edge - (row + 1) * CELL_MM
            along_mm = middle + chance.uniform(-2, 2) * CELL_MM
        if is_aligned:
            along_mm = round(along_mm / CELL_MM) * CELL_MM + chance.gauss(0, 0.5)
        x_mm, y_mm = (
            (along_mm - left, -edge - gap_mm - top),
            (edge + gap_mm - left, along_mm - bottom),
            (along_mm - left, edge + gap_mm - bottom),
            (-edge - gap_mm - right, along_mm - bottom),
        )[seat]
        one = replace(flat, dx_mm=round(x_mm, 2), dy_mm=round(y_mm, 2))
        if not any(_meet(_box(one), box) for box in taken):
            return one
    return None


def _resting(
    board: Board, piece: TablePiece, arrival: Arrival, chance: random.Random
) -> BesideThing:
    """Returns a hand that rests beside the board."""
    edge, seat = board.size * CELL_MM / 2, chance.randrange(4)
    along_mm, away_mm = chance.uniform(-edge, edge), edge + chance.uniform(25, 70)
    place = ((along_mm, -away_mm), (away_mm, along_mm), (along_mm, away_mm), (-away_mm, along_mm))
    x_mm, y_mm = place[seat]
    return BesideThing(arrival, (), seat, (round(x_mm, 1), round(y_mm, 1)))


def _box(piece: TablePiece) -> tuple[float, float, float, float]:
    """Returns left, bottom, right and top of a piece, in millimetres."""
    x_mm, y_mm = piece.middle_mm
    turn = np.radians(piece.angle_deg)
    side = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    middles = np.array(piece.offsets()) @ side.T * CELL_MM
    half = CELL_MM / 2 * (abs(np.cos(turn)) + abs(np.sin(turn)))
    low, high = middles.min(axis=0) - half, middles.max(axis=0) + half
    return x_mm + low[0], y_mm + low[1], x_mm + high[0], y_mm + high[1]


def _meet(one: tuple[float, float, float, float], other: tuple[float, float, float, float]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def _side_of(piece: TablePiece) -> int:
    """Returns the side of the board at which a piece lies."""
    x_mm, y_mm = piece.middle_mm
    if abs(x_mm) > abs(y_mm):
        return 1 if x_mm > 0 else 3
    return 2 if y_mm > 0 else 0


def _adjoins(piece: TablePiece, squares: frozenset[int]) -> bool:
    """True if a piece beside the board lies close to one of some squares of the board."""
    size = piece.move.board.size
    left, bottom, right, top = _box(piece)
    near = (left - _CLOSE_MM, bottom - _CLOSE_MM, right + _CLOSE_MM, top + _CLOSE_MM)
    for square in squares:
        row, column = divmod(square, size)
        x_mm, y_mm = (column - size / 2) * CELL_MM, (size / 2 - row - 1) * CELL_MM
        if _meet(near, (x_mm, y_mm, x_mm + CELL_MM, y_mm + CELL_MM)):
            return True
    return False
