"""The numbers and squares of reasons by sets and loops over the legal moves of `Position`.

Nothing of it is shared with `firmware.player.search.reasons`.
"""

from collections import Counter
from dataclasses import dataclass

from firmware.codes import MoveReasonCode
from firmware.rules.board import Move, squares_of
from firmware.rules.position import Position


@dataclass(frozen=True)
class Recounted:
    """The number of a reason for a move and its squares as names."""

    number: int
    squares: frozenset[str]


def recount(position: Position, move: Move, wish: Move | None) -> dict[MoveReasonCode, Recounted]:
    """Each reason that holds for a move without a proof."""
    own, after = position.to_move, position.play(move)
    assert own is not None
    before_own, after_own = list(position.moves_of(own)), list(after.moves_of(own))
    new = {s for one in after_own for s in one.squares}
    found: dict[MoveReasonCode, tuple[int, set[int]]] = {}
    if own != position.game.shared:
        found[MoveReasonCode.KEEPS_OPTIONS] = len(after_own), _opened(after, own, move) & new
        reached = new - {s for one in before_own for s in one.squares}
        found[MoveReasonCode.REACHES] = len(reached), reached
        if move.piece.size == 5:
            same = [one for one in before_own if one.piece == move.piece]
            found[MoveReasonCode.LARGE_NOW] = len(same), set(move.squares)
    enemies = _enemies(position, own)
    lost: Counter[MoveReasonCode] = Counter()
    squares: dict[MoveReasonCode, set[int]] = {}
    for other in enemies:
        for code, (number, at) in _lost(position, after, other, move).items():
            lost[code] += number
            squares.setdefault(code, set()).update(at)
    found |= {code: (number, squares[code]) for code, number in lost.items()}
    if wish is not None and _spoils(position, after, wish, enemies):
        found[MoveReasonCode.TAKES_THE_WISH] = len(wish.squares), set(wish.squares)
    name = position.board.format_square
    return {
        code: Recounted(number, frozenset(map(name, at)))
        for code, (number, at) in found.items()
        if number
    }


def _enemies(position: Position, own: int) -> list[int]:
    side = position.side_of(own)
    sides = enumerate(position.game.sides)
    return [colour for index, colours in sides if index != side for colour in colours]


def _spoils(position: Position, after: Position, wish: Move, enemies: list[int]) -> bool:
    """True if an enemy could have made the wished move and cannot now."""
    could = [one for one in enemies if wish in position.moves_of(one)]
    return bool(could) and not any(wish in after.moves_of(one) for one in could[:1])


def _near(position: Position, square: int, steps: list[tuple[int, int]]) -> set[int]:
    size = position.game.size
    row, column = divmod(square, size)
    places = [(row + down, column + right) for down, right in steps]
    return {r * size + c for r, c in places if 0 <= r < size and 0 <= c < size}


_SIDES = [(-1, 0), (0, -1), (0, 1), (1, 0)]
_CORNERS = [(-1, -1), (-1, 1), (1, -1), (1, 1)]


def _opened(after: Position, own: int, move: Move) -> set[int]:
    """Squares that touch a piece at a corner, and no own square along a side."""
    mine = set(squares_of(after.squares(own)))
    corners = {near for s in move.squares for near in _near(after, s, _CORNERS)}
    return {s for s in corners - mine if not _near(after, s, _SIDES) & mine}


def _lost(
    position: Position, after: Position, other: int, move: Move
) -> dict[MoveReasonCode, tuple[int, set[int]]]:
    """What a colour of an opponent loses by a move."""
    could, can = list(position.moves_of(other)), list(after.moves_of(other))
    had = {s for one in could for s in one.squares}
    gone = had - {s for one in can for s in one.squares}
    theirs = set(squares_of(position.squares(other)))
    corners = {
        s
        for s in set(move.squares) & had
        if _near(position, s, _CORNERS) & theirs and not _near(position, s, _SIDES) & theirs
    }
    pieces = {one.piece for one in could} - {one.piece for one in can}
    places = {s for one in could if one.piece in pieces for s in one.squares}
    return {
        MoveReasonCode.BLOCKS: (len(could) - len(can), set(move.squares) & had),
        MoveReasonCode.SHUTS_OUT: (len(gone), gone),
        MoveReasonCode.TAKES_CORNERS: (len(corners), corners),
        MoveReasonCode.STRANDS: (len(pieces), places),
    }
