"""A position from its squares alone: the pieces, what is impossible, whose turn it can be.

In a legal game pieces of one colour never share a side, so each group of squares joined along
sides is a piece. A group too large for one is split where only one split exists. Everything
that holds whatever the order of play is checked: shapes, pieces used twice, contact, starting
squares, and the number of pieces each colour can have had turns for. What depends on the order
(whether a colour that is out now could already have been out three rounds ago) is not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

from firmware.rules.breaches import Breach, Rule, breach
from firmware.rules.errors import NotationError
from firmware.rules.games import Colour, Game, Starts
from firmware.rules.pieces import LARGEST, MONOMINO, PIECES
from firmware.rules.placements import Board, Move, squares_of
from firmware.rules.position import Position
from firmware.rules.score import Score, score

_SEARCH_LIMIT: Final = 20_000
"""Partial splits tried before a group counts as one that does not split in one way only."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something impossible in a position.

    Attributes:
        colour: whose squares they are.
        breach: the rule and the squares. A `wrong-turn` names no squares: it says that the
            colour has more pieces than it can have had turns.
    """

    colour: Colour
    breach: Breach


@dataclass(frozen=True, slots=True)
class Recovered:
    """What squares alone tell of a position.

    Attributes:
        position: the pieces that were recovered, each colour's in an order in which it can
            have laid them; the turn is the first of `turns`.
        unresolved: for each colour the mask of squares that are not pieces; they are missing
            from the position.
        problems: everything impossible, by colour.
        turns: the colours whose turn it can be; none if the game is over or if the pieces do
            not tell.
        score: as it stands, without the five points for a single square laid last.
        maybe_monomino_last: the colours that have placed everything and may have laid the
            single square last, which squares cannot tell.
    """

    position: Position
    unresolved: tuple[int, ...]
    problems: tuple[Problem, ...]
    turns: tuple[Colour, ...]
    score: Score
    maybe_monomino_last: tuple[Colour, ...]


def squares_from_rows(rows: Sequence[str], letters: str) -> tuple[int, ...]:
    """Masks by colour from a board as text, top row first.

    Args:
        rows: one string a row; `.` is empty, `?` cannot be told and counts as empty.
        letters: the letter of each colour, in the order of play.

    Raises:
        NotationError: the rows are not square, or hold another character.
    """
    text = "".join(rows)
    if {len(row) for row in rows} != {len(rows)}:
        raise NotationError(f"a board has as many rows as columns, not {[len(r) for r in rows]}")
    if strange := set(text) - set(letters) - {".", "?"}:
        raise NotationError(f"{min(strange)!r} is neither a colour of {letters} nor '.' nor '?'")
    return tuple(
        sum(1 << square for square, mark in enumerate(text) if mark == letter) for letter in letters
    )


def recover(
    game: Game,
    squares: Sequence[int],
    starts: Starts = Starts.FREE,
    *,
    order_known: bool = True,
) -> Recovered:
    """Everything that squares alone tell.

    Args:
        game: the game that is played.
        squares: for each colour the mask of squares it covers.
        starts: which starting squares first pieces had to cover.
        order_known: whether the first of two colours is known to have begun. A photograph of
            a two-colour game does not tell; either may then have.

    Raises:
        NotationError: there are not as many masks as colours, or a square has two colours.
    """
    _check(game, squares)
    empty = Position.start(game, starts)
    problems: list[Problem] = []
    unresolved = []
    position = empty
    for colour, own in enumerate(squares):
        pieces, rest, found = _pieces(empty.board, own)
        unresolved.append(rest)
        order, lost = _order(empty, squares, colour, pieces, rest)
        for move in order:
            position = position.put(move, colour)
        problems += [Problem(colour, one) for one in (*found, *_used_twice(pieces), *lost)]
    turns: tuple[Colour, ...] = ()
    if not any(unresolved):
        turns = _turns(position, order_known=order_known)
    if not turns and not problems and not position.is_over:
        counts = [len(laid) for laid in position.laid]
        ahead = counts.index(max(counts))
        problems.append(Problem(ahead, Breach(Rule.WRONG_TURN, ())))
    return Recovered(
        position.with_turn(turns[0] if turns else 0),
        tuple(unresolved),
        tuple(problems),
        turns,
        score(position),
        tuple(colour for colour in game.colours if _maybe_monomino_last(position, colour)),
    )


def _check(game: Game, squares: Sequence[int]) -> None:
    if len(squares) != len(game.colours):
        raise NotationError(f"{game.title} has {len(game.colours)} colours, not {len(squares)}")
    board = Board.of(game.size)
    if any(own >> board.squares for own in squares):
        raise NotationError(f"a square lies off the {game.size}x{game.size} board")
    for one, other in combinations(squares, 2):
        if twice := one & other:
            name = board.format_square(next(squares_of(twice)))
            raise NotationError(f"{name} cannot have two colours")


def _pieces(board: Board, own: int) -> tuple[list[Move], int, list[Breach]]:
    """Pieces, the mask of what is none, and what is wrong with the shapes, of one colour."""
    groups = board.groups(own)
    large = [group for group in groups if group.bit_count() > LARGEST]
    pieces = [_move(board, group) for group in groups if group not in large]
    problems = []
    resolved = True
    while resolved and large:
        # A group that splits takes pieces out of the hand, after which another may.
        resolved = False
        for group in list(large):
            if parts := _only_split(board, group, pieces):
                large.remove(group)
                pieces += parts
                problems += _seams(board, parts)
                resolved = True
    problems += [breach(Rule.NOT_A_PIECE, group) for group in large]
    return pieces, sum(large), problems


def _move(board: Board, group: int) -> Move:
    index = board.find(squares_of(group))
    assert index is not None, "up to five squares joined along sides are a piece"
    return board.move(index)


def _only_split(board: Board, group: int, elsewhere: Sequence[Move]) -> list[Move]:
    """The pieces of a large group, if it splits in one way only into pieces not used elsewhere."""
    everything = (1 << board.placements) - 1
    barred = board.covering_any((1 << board.squares) - 1 & ~group)
    for move in elsewhere:
        barred |= board.of_piece[move.piece.index]
    splits: list[list[Move]] = []
    tried = 0
    stack: list[tuple[int, int, list[Move]]] = [(group, everything & ~barred, [])]
    while stack and len(splits) < 2 and tried < _SEARCH_LIMIT:
        rest, open_, parts = stack.pop()
        tried += 1
        if not rest:
            splits.append(parts)
            continue
        lowest = (rest & -rest).bit_length() - 1
        for index in board.indices(board.covering[lowest] & open_).tolist():
            move = board.move(index)
            taken = board.covering_any(move.mask) | board.of_piece[move.piece.index]
            stack.append((rest & ~move.mask, open_ & ~taken, [*parts, move]))
    return splits[0] if len(splits) == 1 and not stack else []


def _seams(board: Board, parts: Sequence[Move]) -> list[Breach]:
    """Where the parts of a group share sides, each part against the larger ones before it."""
    problems = []
    before = 0
    for part in sorted(parts, key=lambda move: (-move.piece.size, move.squares)):
        if touched := board.beside(part.mask) & before:
            own = part.mask & board.beside(touched)
            problems.append(breach(Rule.TOUCHES_OWN_SIDE, own, touched))
        before |= part.mask
    return problems


def _used_twice(pieces: Sequence[Move]) -> list[Breach]:
    problems = []
    first: dict[int, Move] = {}
    for move in pieces:
        earlier = first.setdefault(move.piece.index, move)
        if earlier is not move:
            problems.append(breach(Rule.PIECE_USED, move.mask, earlier.mask))
    return problems


def _order(
    empty: Position, squares: Sequence[int], colour: Colour, pieces: Sequence[Move], rest: int
) -> tuple[list[Move], list[Breach]]:
    """The pieces in an order in which they can have been laid, and what none explains."""
    board, starts = empty.board, empty.start_squares(colour)
    reached, waiting = _reached(board, starts, pieces, rest)
    if not waiting:
        return _monomino_early(board, starts, reached), []
    if not reached and not rest & starts:
        others = sum(own for other, own in enumerate(squares) if other != colour)
        return waiting, [breach(Rule.MISSES_START, squares[colour], starts & ~others)]
    lost = [breach(Rule.NO_OWN_CORNER, part) for part in _linked(board, waiting)]
    return [*reached, *waiting], lost


def _reached(
    board: Board, starts: int, pieces: Sequence[Move], rest: int = 0
) -> tuple[list[Move], list[Move]]:
    """The pieces that can be laid one after another, each at a corner of an earlier one.

    Squares that are not pieces, `rest`, may stand for anything, so they link what touches them.

    Returns:
        The pieces reached, in such an order, and those that are not.
    """
    reached: list[Move] = []
    waiting = list(pieces)
    started = bool(rest & starts)
    reach = starts
    while True:
        if rest & reach:
            reach |= board.around(rest)
        ready = next((move for move in waiting if move.mask & reach), None)
        if ready is None:
            return reached, waiting
        # The first piece has to cover a starting square; from then on only corners count.
        reach = board.around(ready.mask) | (reach if started else 0)
        started = True
        reached.append(ready)
        waiting.remove(ready)


def _monomino_early(board: Board, starts: int, order: list[Move]) -> list[Move]:
    """An order in which the single square is not last, if there is one: points must be sure."""
    if order and order[-1].piece is MONOMINO:
        for last in order[:-1]:
            earlier, left = _reached(board, starts, [move for move in order if move is not last])
            if not left:
                return [*earlier, last]
    return order


def _linked(board: Board, pieces: Sequence[Move]) -> list[int]:
    """The masks of pieces that hang together at corners."""
    parts: list[int] = []
    for move in pieces:
        near = [part for part in parts if board.around(move.mask) & part]
        parts = [part for part in parts if part not in near]
        parts.append(move.mask | sum(near))
    return parts


def _maybe_monomino_last(position: Position, colour: Colour) -> bool:
    laid = position.laid[colour]
    others = [move for move in laid if move.piece is not MONOMINO]
    if len(laid) != len(PIECES) or len(others) != len(PIECES) - 1:
        return False
    starts = Position.start(position.game, position.starts).start_squares(colour)
    return not _reached(position.board, starts, others)[1]


def _turns(position: Position, *, order_known: bool) -> tuple[Colour, ...]:
    """The colours whose turn it can be.

    A colour that has a placement now has had one all along, since squares only fill up: it has
    never passed, and has one piece for each of its turns. One that is out has at most that.
    """
    colours = list(position.game.colours)
    orders = [colours]
    if not order_known and len(colours) == 2:
        orders.append(colours[::-1])
    counts = [len(laid) for laid in position.laid]
    active = {colour for colour in colours if position.moves_of(colour)}

    def possible(turn: Colour, order: list[Colour]) -> bool:
        for place, colour in enumerate(order):
            turns = counts[turn] + (place < order.index(turn))
            if counts[colour] > turns or (colour in active and counts[colour] < turns):
                return False
        return True

    return tuple(c for c in colours if c in active and any(possible(c, o) for o in orders))
