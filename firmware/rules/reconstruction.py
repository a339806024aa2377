"""A position from its covered squares alone: pieces, contradictions, possible turns.

In a legal game pieces of one colour never share a side, so each group of squares joined along
sides is a piece. A group too large for one piece is split if only one split exists, or else where
pieces are seen to end. The checks
are those that hold for every order of play: shapes, pieces used twice, contact, starting
squares, and the number of pieces that each colour can have had turns for. Facts that depend on
the order (a colour without a legal move may have had none three rounds ago) are not checked.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

from firmware.codes import Rule
from firmware.rules.board import Board, Move, squares_of
from firmware.rules.errors import NotationError
from firmware.rules.pieces import LARGEST, MONOMINO, PIECES, Piece
from firmware.rules.position import Position
from firmware.rules.scoring import Score, score
from firmware.rules.splits import splits
from firmware.rules.variants import Colour, Starts, Variant
from firmware.rules.violations import Violation, violation

Borders = frozenset[frozenset[int]]
"""Pairs of neighbouring squares."""

_SEARCH_LIMIT: Final = 1000
"""Partial splits (20 ms) after which a group counts as not uniquely splittable.
Of 1,500 groups of two to eight pieces that touch, none took more than 651."""

_KNOWN_SPLITS: Final = 512
"""Groups in the cache: one position is often recovered again with one square changed."""


@dataclass(frozen=True, slots=True)
class Problem:
    """Something impossible in a position.

    Attributes:
        colour: the colour of the squares.
        violation: the rule and the squares. A `wrong-turn` names no squares: the colour has more
            pieces than it can have had turns.
    """

    colour: Colour
    violation: Violation


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """A position recovered from its covered squares.

    Attributes:
        position: the recovered pieces, those of each colour in a possible order of play; the
            turn is the first of `turns`.
        unresolved: for each colour the mask of squares that are not pieces; they are missing
            from the position.
        problems: everything impossible, by colour.
        turns: the colours whose turn it can be; none if the game is over or if the pieces do
            not determine it.
        score: score of the position. Five points for a single square laid last count only if
            it cannot have been laid earlier.
    """

    position: Position
    unresolved: tuple[int, ...]
    problems: tuple[Problem, ...]
    turns: tuple[Colour, ...]
    score: Score


def recover(
    game: Variant,
    squares: Sequence[int],
    starts: Starts = Starts.FREE,
    *,
    order_known: bool = True,
    borders: Borders = frozenset(),
) -> Reconstruction:
    """Recovers a position from the squares that each colour covers.

    Args:
        game: the game that is played.
        squares: for each colour the mask of squares it covers.
        starts: the starting squares that first pieces had to cover.
        order_known: True if the first colour is known to have begun. Otherwise (a photograph)
            either of two colours may have begun, and of more it is not known which are played: none
            of them has more pieces than turns.
        borders: pairs of neighbouring squares between which a piece is seen to end.

    Raises:
        NotationError: there are not as many masks as colours, or a square has two colours.
    """
    _check(game, squares)
    empty = Position.start(game, starts)
    problems: list[Problem] = []
    unresolved = []
    position = empty
    for colour, own in enumerate(squares):
        pieces, rest, found = _pieces(empty.board, own, borders)
        unresolved.append(sum(rest))
        taken = sum(squares) - own
        order, unexplained = _order(empty.board, empty.start_squares(colour), taken, pieces, rest)
        for move in order:
            position = position.put(move, colour)
        problems += [Problem(colour, one) for one in (*found, *_used_twice(pieces), *unexplained)]
    turns: tuple[Colour, ...] = ()
    if not any(unresolved):
        turns, ahead = _turns(position, order_known=order_known)
        problems += [Problem(colour, Violation(Rule.WRONG_TURN, ())) for colour in ahead]
    return Reconstruction(
        position.with_turn(turns[0] if turns else 0),
        tuple(unresolved),
        tuple(problems),
        turns,
        score(position),
    )


def impossible(position: Position) -> tuple[Problem, ...]:
    """The contradictions in a position whose pieces are known, for any turn.

    A position that was played has none; one that was set up can have some.
    """
    board = position.board
    empty = Position.start(position.game, position.starts)
    problems: list[Problem] = []
    for colour, laid in enumerate(position.laid):
        others = position.occupied & ~position.squares(colour)
        _, unexplained = _order(board, empty.start_squares(colour), others, laid, [])
        found = (*_seams(board, laid), *_used_twice(laid), *unexplained)
        problems += [Problem(colour, one) for one in found]
    return tuple(problems)


def _check(game: Variant, squares: Sequence[int]) -> None:
    if len(squares) != len(game.colours):
        raise NotationError(f"{game.title} has {len(game.colours)} colours, not {len(squares)}")
    board = Board.of(game.size)
    if any(own >> board.squares for own in squares):
        raise NotationError(f"a square lies off the {game.size}x{game.size} board")
    for one, other in combinations(squares, 2):
        if twice := one & other:
            name = board.format_square(next(squares_of(twice)))
            raise NotationError(f"{name} cannot have two colours")


def _pieces(
    board: Board, own: int, borders: Borders
) -> tuple[list[Move], list[int], list[Violation]]:
    """Pieces of one colour, its groups that are not pieces, and the violations of shape."""
    groups = board.groups(own)
    large = [group for group in groups if group.bit_count() > LARGEST]
    pieces = [_move(board, group) for group in groups if group not in large]
    problems = []
    while split := _agreed({group: _only_split(board, group, pieces) for group in large}):
        # A split uses up pieces, after which another group may split in one way only.
        for group, parts in split.items():
            large.remove(group)
            pieces += parts
            problems += _seams(board, parts)
    for group in large.copy():
        if parts := _divided(board, group, borders, {move.piece for move in pieces}):
            large.remove(group)
            pieces += parts
            problems += _seams(board, parts)
    problems += [violation(Rule.NOT_A_PIECE, group) for group in large]
    return pieces, large, problems


def _divided(board: Board, group: int, borders: Borders, used: set[Piece]) -> list[Move]:
    """The parts of a group that no border divides; none unless they are pieces not used yet."""
    parts: list[int] = []
    while group:
        part, waiting = 0, [(group & -group).bit_length() - 1]
        while waiting:
            square = waiting.pop()
            part |= 1 << square
            near = board.edge_neighbours(1 << square) & group & ~part
            waiting += [one for one in squares_of(near) if frozenset((square, one)) not in borders]
        parts.append(part)
        group &= ~part
    if max(part.bit_count() for part in parts) > LARGEST:
        return []
    moves = [_move(board, part) for part in parts]
    return moves if len({move.piece for move in moves} - used) == len(moves) else []


def _agreed(splits: dict[int, list[Move]]) -> dict[int, list[Move]]:
    """The groups that split, without those that need a piece which another needs too."""
    wanted = Counter(move.piece for parts in splits.values() for move in parts)
    return {
        group: parts
        for group, parts in splits.items()
        if parts and all(wanted[move.piece] == 1 for move in parts)
    }


def _move(board: Board, group: int) -> Move:
    move = board.find_move(squares_of(group))
    assert move is not None, "up to five squares joined along sides are a piece"
    return move


def _only_split(board: Board, group: int, elsewhere: Sequence[Move]) -> list[Move]:
    """The pieces of a large group if it splits uniquely into pieces not used elsewhere."""
    used = {move.piece for move in elsewhere}
    unused = frozenset(piece.index for piece in PIECES if piece not in used)
    return [board.move(index) for index in _split(board.size, group, unused)]


@lru_cache(maxsize=_KNOWN_SPLITS)
def _split(size: int, group: int, unused: frozenset[int]) -> tuple[int, ...]:
    """The placements of the only split of a large group; empty if there is none or several.

    Args:
        size: squares along a side of the board.
        group: mask of its squares.
        unused: indices of the pieces not used elsewhere.
    """
    if group.bit_count() > sum(PIECES[index].size for index in unused):
        return ()
    ways = splits(Board.of(size), group, unused, most=1, tried=_SEARCH_LIMIT)
    parts = ways[0] if ways else ()
    return tuple(move.index for move in sorted(parts, key=lambda move: move.mask & -move.mask))


def _seams(board: Board, parts: Sequence[Move]) -> list[Violation]:
    """Violations where parts of a group share sides, each part against larger ones."""
    problems = []
    before = 0
    for part in sorted(parts, key=lambda move: (-move.piece.size, move.squares)):
        if touched := board.edge_neighbours(part.mask) & before:
            own = part.mask & board.edge_neighbours(touched)
            problems.append(violation(Rule.TOUCHES_OWN_SIDE, own, touched))
        before |= part.mask
    return problems


def _used_twice(pieces: Sequence[Move]) -> list[Violation]:
    problems = []
    first: dict[int, Move] = {}
    for move in pieces:
        earlier = first.setdefault(move.piece.index, move)
        if earlier is not move:
            problems.append(violation(Rule.PIECE_USED, move.mask, earlier.mask))
    return problems


def _order(
    board: Board, starts: int, others: int, pieces: Sequence[Move], rest: Sequence[int]
) -> tuple[list[Move], list[Violation]]:
    """The pieces of a colour in a possible order of play, and the violations if there is none.

    Args:
        board: the tables.
        starts: mask of the starting squares of the colour.
        others: mask of the squares of the other colours.
        pieces: those of the colour.
        rest: masks of its groups that are not pieces. They connect the pieces that touch them.
    """
    of_mask = {move.mask: move for move in pieces}
    reached, waiting = _reached(board, starts, [*of_mask, *rest])
    order = [of_mask[mask] for mask in (*reached, *waiting) if mask in of_mask]
    if not waiting:
        return _monomino_early(board, starts, order), []
    if not reached:
        return order, [violation(Rule.MISSES_START, sum(waiting), starts & ~others)]
    return order, [violation(Rule.NO_OWN_CORNER, part) for part in _linked(board, waiting)]


def _reached(board: Board, starts: int, masks: Sequence[int]) -> tuple[list[int], list[int]]:
    """The pieces that can be laid one after another, each at a corner of an earlier one.

    Returns:
        The masks that are reached, in such an order, and those that are not reached.
    """
    reached: list[int] = []
    waiting = list(masks)
    reach = starts
    while ready := next((mask for mask in waiting if mask & reach), 0):
        # The first piece has to cover a starting square; from then on only corners count.
        reach = board.corner_neighbours(ready) | (reach if reached else 0)
        reached.append(ready)
        waiting.remove(ready)
    return reached, waiting


def _monomino_early(board: Board, starts: int, order: list[Move]) -> list[Move]:
    """An order in which the single square is not last, if possible: only certain points count."""
    if order and order[-1].piece is MONOMINO:
        for last in order[:-1]:
            others = {move.mask: move for move in order if move is not last}
            earlier, waiting = _reached(board, starts, list(others))
            if not waiting:
                return [*(others[mask] for mask in earlier), last]
    return order


def _linked(board: Board, masks: Sequence[int]) -> list[int]:
    """One mask for each group of pieces that touch at corners."""
    parts: list[int] = []
    for mask in masks:
        near = [part for part in parts if board.corner_neighbours(mask) & part]
        parts = [part for part in parts if part not in near]
        parts.append(mask | sum(near))
    return parts


def _turns(
    position: Position, *, order_known: bool
) -> tuple[tuple[Colour, ...], tuple[Colour, ...]]:
    """The colours whose turn it can be; if none, those that have more pieces than turns.

    A colour that has a placement has always had one, since squares only fill up: it has never
    passed, and has one piece for each of its turns. So has a colour without a piece, which had
    a starting square at its first turn. Any other colour has at most one piece for each turn.
    """
    colours = list(position.game.colours)
    able = [colour for colour in colours if position.moves_of(colour)]
    if not able:
        return (), ()
    orders = [colours] if order_known or len(colours) > 2 else [colours, colours[::-1]]
    guesses = [
        (turn, *_misfit(position, turn, order, able))
        for turn in colours
        if turn in able or not position.laid[turn]
        for order in orders
    ]
    turns = {turn for turn, misfit, _ in guesses if not misfit and turn in able}
    if turns or (len(colours) > 2 and not order_known):
        return tuple(sorted(turns)), ()
    return (), min((misfit, ahead) for _, misfit, ahead in guesses if ahead)[1]


def _misfit(
    position: Position, turn: Colour, order: Sequence[Colour], able: Sequence[Colour]
) -> tuple[int, tuple[Colour, ...]]:
    """Number of surplus and missing pieces if it is this turn, and the colours with a surplus."""
    counts = [len(laid) for laid in position.laid]
    misfit = 0
    ahead = []
    for place, colour in enumerate(order):
        turns = counts[turn] + (place < order.index(turn))
        if counts[colour] > turns:
            ahead.append(colour)
        if counts[colour] > turns or colour in able or not counts[colour]:
            misfit += abs(counts[colour] - turns)
    return misfit, tuple(sorted(ahead))
