"""Every fault of a finished or begun board of a puzzle, from its squares alone.

A board has no history: a board is right if some order of its pieces is legal. So a piece of an
ordered puzzle must reach its start over pieces that are not smaller, and no piece may lie there
while a larger one is in hand. A piece that breaks a rule together with another is judged as laid
after the pieces that come before it in the list.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from firmware.codes import Rule
from firmware.rules.board import Board, mask_of, squares_of
from firmware.rules.errors import NotationError
from firmware.rules.extent import field_of, pieces_of, start_mask
from firmware.rules.pieces import LARGEST, Piece
from firmware.rules.position import Position
from firmware.rules.variants import Colour, Contact, Puzzle, Variant
from firmware.rules.violations import Violation, violation


@dataclass(frozen=True, slots=True)
class Fault:
    """A piece that breaks rules.

    Attributes:
        colour: colour of the piece.
        squares: its squares, ascending.
        violations: the broken rules, in the order of `Rule`.
    """

    colour: Colour
    squares: tuple[int, ...]
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class _Laid:
    """A piece on the board; `piece` is None if its squares are none."""

    colour: Colour
    mask: int
    piece: Piece | None


def faults(game: Variant, pieces: Iterable[tuple[Colour, Iterable[int]]]) -> tuple[Fault, ...]:
    """Every piece of a board that breaks rules; empty for a right board, finished or begun.

    Args:
        game: a puzzle.
        pieces: colour and squares of each piece, in any order.

    Raises:
        NotationError: the game is no puzzle, or a piece has no squares, one off the board, or a
            colour that the puzzle lacks.
    """
    return _Check(game, [(colour, tuple(squares)) for colour, squares in pieces]).faults()


def is_solved(position: Position) -> bool:
    """True if all pieces of a puzzle are laid and none breaks a rule."""
    return position.is_over and not faults_of(position)


def faults_of(position: Position) -> tuple[Fault, ...]:
    """The faults of the pieces of a position."""
    return faults(position.game, ((colour, move.squares) for colour, move in position.pieces))


class _Check:
    def __init__(self, game: Variant, pieces: Sequence[tuple[Colour, tuple[int, ...]]]) -> None:
        if game.puzzle is None:
            raise NotationError(f"{game.title} is no puzzle")
        self._game: Final = game
        self._puzzle: Final[Puzzle] = game.puzzle
        self._board: Final = Board.of(game.size)
        self._laid: Final = [self._piece(colour, squares) for colour, squares in pieces]
        self._starts: Final = start_mask(game)

    def _piece(self, colour: Colour, squares: tuple[int, ...]) -> _Laid:
        on_board = all(0 <= square < self._board.squares for square in squares)
        if not squares or not on_board or colour not in self._game.colours:
            raise NotationError("a piece covers squares of the board in a colour of the puzzle")
        move = self._board.find_move(squares)
        return _Laid(colour, mask_of(squares), None if move is None else move.piece)

    def faults(self) -> tuple[Fault, ...]:
        unjoined = self._unjoined() if self._puzzle.contact is Contact.AT_CORNERS else {}
        found = []
        for number, one in enumerate(self._laid):
            broken = [*self._alone(one), *self._with(one, self._laid[:number])]
            if number in unjoined:
                broken.append(unjoined[number])
            if broken:
                order = list(Rule)
                broken.sort(key=lambda each: order.index(each.rule))
                squares = tuple(squares_of(one.mask))
                found.append(Fault(one.colour, squares, tuple(broken)))
        return tuple(found)

    def _alone(self, one: _Laid) -> Iterator[Violation]:
        """The rules that a piece breaks wherever the others lie."""
        if outside := one.mask & ~field_of(self._game):
            yield violation(Rule.OUTSIDE_FIELD, outside)
        groups = self._board.groups(one.mask)
        if any(group.bit_count() > LARGEST for group in groups):
            yield violation(Rule.NOT_A_PIECE, one.mask)
        if len(groups) > 1:
            yield violation(Rule.TWO_PIECES, one.mask)
        if one.piece is not None and one.piece.size not in self._sizes(one.piece):
            yield violation(Rule.WRONG_SIZE, one.mask)

    def _sizes(self, piece: Piece) -> Iterable[int]:
        """The sizes that may lie on the board."""
        if not self._puzzle.by_size:
            return self._puzzle.sizes
        larger = [one for one in pieces_of(self._game) if one.size > piece.size]
        laid = {(one.colour, one.piece) for one in self._laid}
        complete = all((colour, one) in laid for colour in self._game.colours for one in larger)
        return self._puzzle.sizes if complete else ()

    def _with(self, one: _Laid, earlier: Sequence[_Laid]) -> Iterator[Violation]:
        """The rules that a piece breaks together with pieces that come before it."""
        own = [other for other in earlier if other.colour == one.colour]
        covered = _union(earlier)
        if covered & one.mask:
            yield violation(Rule.OVERLAP, covered & one.mask, covered & one.mask)
        same = [other for other in own if one.piece is not None and other.piece is one.piece]
        if same:
            yield violation(Rule.PIECE_USED, one.mask, same[0].mask)
        if self._puzzle.contact is Contact.ANY:
            return
        beside = self._board.next_to(one.mask)
        touched = beside & _union(own)
        if touched:
            yield violation(Rule.TOUCHES_OWN_SIDE, one.mask & self._board.next_to(touched), touched)

    def _unjoined(self) -> dict[int, Violation]:
        """For the number of each piece that corners do not join to its start, the broken rule."""
        found: dict[int, Violation] = {}
        for colour in self._game.colours:
            own = [number for number, one in enumerate(self._laid) if one.colour == colour]
            if own:
                found |= self._unjoined_of(own)
        return found

    def _unjoined_of(self, own: Sequence[int]) -> dict[int, Violation]:
        found: dict[int, Violation] = {}
        begun = [number for number in own if self._laid[number].mask & self._starts]
        if not begun:
            free = self._starts & ~_union(self._laid)
            found[own[0]] = violation(Rule.MISSES_START, self._laid[own[0]].mask, free)
        # One group counts: a piece on another corner of the board does not begin a second one.
        first = max(
            begun or own[:1],
            key=lambda number: (
                len(self._joined(number, own)),
                self._laid[number].mask.bit_count(),
            ),
        )
        joined = self._joined(first, own)
        for number in own:
            one = self._laid[number]
            smaller = [n for n in own if self._laid[n].mask.bit_count() < one.mask.bit_count()]
            if number not in joined:
                found[number] = violation(Rule.NO_OWN_CORNER, one.mask)
            elif self._puzzle.by_size and smaller:
                large = [other for other in own if other not in smaller]
                if first not in large or number not in self._joined(first, large):
                    against = _union(self._laid[other] for other in smaller)
                    found[number] = violation(Rule.WRONG_SIZE, one.mask, against)
        return found

    def _joined(self, first: int, own: Iterable[int]) -> set[int]:
        """The pieces that corners join to one of them, itself included."""
        joined = new = {first}
        while new:
            near = self._board.corner_neighbours(_union(self._laid[number] for number in joined))
            new = {n for n in own if n not in joined and self._laid[n].mask & near}
            joined = joined | new
        return joined


def _union(pieces: Iterable[_Laid]) -> int:
    """Mask of all squares of some pieces."""
    mask = 0
    for one in pieces:
        mask |= one.mask
    return mask
