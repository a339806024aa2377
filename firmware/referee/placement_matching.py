"""Explains the evidence by placements: every placement of every colour is scored alike.

No rule of the game is used here. A placement is scored by the squares it covers, legal or not, in
the reader's frame and palette; the judgement follows elsewhere. So the rules cannot bias the
evidence: an illegal piece does not lose to a legal placement beside it unless the camera supports
that one too.

All scores are natural logarithms of likelihood ratios, against the best of everything else that
could be on the same squares. A hidden square contributes nothing.
"""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Board, Move, mask_of, mask_where, squares_of
from firmware.rules.pieces import LARGEST
from vision.reading import border_of

Contents = NDArray[np.int64]
"""(squares,): accepted content of each square: 0 empty, otherwise 1 + the colour's column."""

NOTHING_BEYOND: Final = np.empty((4, 0), np.float32)
"""Evidence beyond the border that was not measured: nothing there is judged."""

MARGIN: Final = 2.5
"""Log odds by which an explanation has to lead over every other one."""

CHANGED: Final = 2.5
"""Log odds from which a single square has certainly changed."""

_HINT: Final = 0.3
"""Log odds from which a square may have changed."""

_ODDITY: Final = 1.5
"""Prior in log odds against things that are no single piece."""

_IMPOSSIBLE: Final = -60.0
"""Score of a content that is excluded, in log odds."""

_AGAINST: Final = 3.0
"""Factor on evidence against a placement while placements are chosen."""

_MOST_PIECES: Final = 30
"""Greatest number of placements in one explanation. While a doubt lasts, all pieces of the turns
after it are new."""

_MOST_RIVALS: Final = 3
"""Greatest number of other placements reported for a piece."""

_DISTINCT: Final = 4.0
"""Log odds from which a square is a piece of its own, not the overhang or shadow of an askew piece
beside it: of 3,300 rendered placements two covered a square more, read with 2.2 to 3.4. Clearly
visible squares have 7."""

MOST_ASKEW: Final = 2
"""Greatest number of further squares that an askew piece covers."""


class Hypothesis(NamedTuple):
    """A placement in the reader's frame and its score; `colour` is a column of the palette."""

    colour: int
    move: Move
    score: float


@dataclass(frozen=True, slots=True)
class MatchedPiece:
    """The best explanation of some changed squares by one piece.

    Attributes:
        colour: column of the palette.
        move: placement in the reader's frame.
        score: log odds of the piece against the best other contents of its squares.
        change: log odds of the piece against the accepted contents. If only the colour is in
            doubt, a piece has a low score and a high change.
        margin: lead over the best other explanation of the same squares: another placement,
            nothing, or squares that are no piece.
        rivals: the next best placements on these squares, best first.
    """

    colour: int
    move: Move
    score: float
    change: float
    margin: float
    rivals: tuple[Hypothesis, ...]

    @property
    def readings(self) -> tuple[Hypothesis, ...]:
        """The placements that it may be, the best first."""
        return (Hypothesis(self.colour, self.move, self.score), *self.rivals)


@dataclass(frozen=True, slots=True)
class Explanation:
    """The best explanation of everything that changed.

    Attributes:
        placed: pieces that are certainly new.
        doubtful: pieces that may be new, or may lie a little differently.
        strange: for each colour the mask of squares that certainly hold it, in groups larger
            than any piece, or of `hanging`.
        missing: mask of accepted squares that are certainly empty.
        wavering: mask of accepted squares that look rather empty, but not certainly.
        hanging: for each colour the mask of those squares that certainly belong to something
            that goes on beyond the border.
    """

    placed: tuple[MatchedPiece, ...]
    doubtful: tuple[MatchedPiece, ...]
    strange: tuple[int, ...]
    missing: int
    wavering: int
    hanging: tuple[int, ...]

    @property
    def is_empty(self) -> bool:
        """True if nothing has changed, and nothing may have."""
        hidden = self.missing | self.wavering
        return not (self.pieces or hidden or any(self.strange) or any(self.hanging))

    @property
    def is_full(self) -> bool:
        """True if it has as many new pieces as an explanation can have: there may be more."""
        return sum(one.score < np.inf for one in self.pieces) >= _MOST_PIECES

    @property
    def pieces(self) -> tuple[MatchedPiece, ...]:
        """The pieces that are new or may be."""
        return (*self.placed, *self.doubtful)


def match(
    board: Board,
    evidence: LogProbabilities,
    accepted: Contents,
    beyond: NDArray[np.float32] = NOTHING_BEYOND,
    hung: Collection[int] = (),
) -> Explanation:
    """Finds the best explanation of the evidence, given the accepted contents.

    Args:
        board: the tables of the board.
        evidence: evidence of the steady board.
        accepted: the accepted contents.
        beyond: evidence beyond the border, see `vision.reading.Reading`.
        hung: masks of pieces that were refused for what is beyond the border. They hang over it
            until it is certain that they do not.
    """

    def over(squares: int) -> float:
        odds = overhang(beyond, squares)
        return max(odds, MARGIN) if squares in hung and odds > -MARGIN else odds

    gains = evidence - np.take_along_axis(evidence, accepted[:, None], axis=1)
    missing = mask_where((accepted > 0) & _certainly_empty(gains))
    wavering = mask_where((accepted > 0) & (gains[:, 0] > 0)) & ~missing
    # A piece that overlaps its own colour adds evidence only on its other squares.
    own = accepted[:, None] == np.arange(gains.shape[1])
    gains = np.where(own, _IMPOSSIBLE, gains)[:, 1:]
    support = np.where(own, _IMPOSSIBLE, _support(evidence))[:, 1:]
    strange = tuple(_oversized(board, of_colour) for of_colour in support.T)
    for colour, squares in enumerate(strange):
        support[list(squares_of(squares)), colour] = _IMPOSSIBLE
    hanging = [
        sum(group for group in board.groups(squares) if over(group) >= MARGIN)
        for squares in strange
    ]
    inside = []
    for one in _pieces(board, support, gains):
        odds = over(one.move.mask)
        if min(odds, one.score) >= MARGIN:
            hanging[one.colour] |= one.move.mask
        else:
            inside.append(one if odds <= -MARGIN else _may_hang(one, odds, beyond))
    return Explanation(
        tuple(one for one in inside if one.margin >= MARGIN),
        tuple(one for one in inside if one.margin < MARGIN),
        tuple(squares | out for squares, out in zip(strange, hanging, strict=True)),
        missing,
        wavering,
        tuple(hanging),
    )


def _may_hang(one: MatchedPiece, over: float, beyond: NDArray[np.float32]) -> MatchedPiece:
    """Returns a piece as a doubtful one, since it may go on beyond the border by `over`."""
    rivals = tuple(
        guess._replace(score=min(guess.score, -overhang(beyond, guess.move.mask)))
        for guess in one.rivals
    )
    score, sure = min(one.score, -over), min(one.margin, -over)
    return replace(one, score=score, margin=sure, rivals=rivals)


def overhang(beyond: NDArray[np.float32], squares: int) -> float:
    """Returns the log odds that something goes on beyond the border; minus infinity inside.

    A piece of five squares is whole. If more squares go on than a piece has left, another piece
    lies beside this one, and the odds are even at most.

    Args:
        beyond: evidence beyond the border, see `vision.reading.Reading`.
        squares: mask of its squares, in the reader's frame; of more than a piece has, all count.
    """
    size, left = beyond.shape[1], LARGEST - squares.bit_count()
    if not size or not left:
        return -inf
    covered = np.zeros(size * size, np.bool_)
    covered[list(squares_of(squares))] = True
    odds = beyond[border_of(covered)]
    most = float(odds.max(initial=-inf))
    return min(most, 0.0) if 0 < left < (odds > 0).sum() else most


def _certainly_empty(gains: LogProbabilities) -> NDArray[np.bool_]:
    """Returns the squares that are likeliest empty and certainly not as accepted."""
    certain: NDArray[np.bool_] = (gains.argmax(axis=1) == 0) & (gains[:, 0] > CHANGED)
    return certain


def _support(evidence: LogProbabilities) -> LogProbabilities:
    """Returns the lead of each content of each square over the best other content."""
    two = np.partition(evidence, -2, axis=1)[:, -2:]
    second, best = two[:, :1], two[:, 1:]
    support: LogProbabilities = evidence - np.where(evidence == best, second, best)
    return support


def _oversized(board: Board, support: LogProbabilities) -> int:
    """Returns the mask of certain squares of a colour in groups larger than any piece."""
    certain = mask_where(support > CHANGED)
    return sum(
        group for group in board.groups(certain) if not _may_be_pieces(board, group, support)
    )


def _may_be_pieces(board: Board, group: int, support: LogProbabilities) -> bool:
    """True if squares are pieces, without at most `MOST_ASKEW` of the least certain ones.

    Two pieces that touch at a corner look joined where a square beside both is doubtful.
    """
    weak = [square for square in squares_of(group) if support[square] < _DISTINCT]
    return any(
        all(part.bit_count() <= LARGEST for part in board.groups(group & ~mask_of(omitted)))
        for count in range(MOST_ASKEW + 1)
        for omitted in combinations(weak, count)
    )


def _pieces(
    board: Board, support: LogProbabilities, gains: LogProbabilities
) -> Iterator[MatchedPiece]:
    """Yields the best placement, then the best of the rest, while one explains anything.

    Args:
        board: the tables of the board.
        support: (squares, colours), lead of each colour over all other contents.
        gains: (squares, colours), lead of each colour over the accepted content.
    """
    likelier = (gains > _HINT) & (support > -MARGIN)
    options = _options(board, support, likelier)
    chosen = list(_chosen(board, options))
    masks = [guess.move.mask for guess in chosen]
    everything = sum(masks)
    for (colour, move, _), mask in zip(chosen, masks, strict=True):
        # A rival that covers squares of the other pieces is no better explanation of this one.
        score = float(support[list(move.squares), colour].sum())
        least = score - MARGIN
        rivals = list(_rivals(board, options, (colour, move), everything & ~mask, least))
        nearest = rivals[0].score if rivals else 0.0
        contour = _ODDITY + _contour(board, support[:, colour], move)
        margin = min(score, score - nearest, contour)
        change = float(gains[list(move.squares), colour].sum())
        yield MatchedPiece(colour, move, score, change, margin, tuple(rivals[:_MOST_RIVALS]))


class _Options(NamedTuple):
    """The placements of a colour that explain at least one square.

    Any other placement scores below "nothing new", so it is no rival.

    Attributes:
        indices: (k,) into the tables of the board.
        cells: (k, 5) their squares, padded.
        scores: (k,) log odds against the best other contents of their squares.
        strict: (k,) the same, with evidence against the placement multiplied by `_AGAINST`: two
            pieces with a gap explain better than one that bridges the gap.
    """

    indices: NDArray[np.int64]
    cells: NDArray[np.int16]
    scores: LogProbabilities
    strict: LogProbabilities


def _options(
    board: Board, support: LogProbabilities, likelier: NDArray[np.bool_]
) -> list[_Options]:
    """Returns the options of each colour."""
    found = []
    for own, likely in zip(support.T, likelier.T, strict=True):
        # The padding of `Board.cells` selects the last value, which is neutral.
        value = np.append(own, 0.0)
        squares = mask_where(likely)
        indices = board.indices(board.covering_any(squares)) if squares else np.empty(0, np.int64)
        cells = board.cells[indices]
        strict = np.where(value < 0, _AGAINST * value, value)
        scores = value[cells].sum(axis=1), strict[cells].sum(axis=1)
        found.append(_Options(indices, cells, *scores))
    return found


def _chosen(board: Board, options: list[_Options]) -> Iterator[Hypothesis]:
    """Yields placements that together explain the changes, the best first."""
    waiting = [one.strict.copy() for one in options]
    for _ in range(_MOST_PIECES):
        tops = [
            (float(scores[at]), colour, at)
            for colour, scores in enumerate(waiting)
            if len(scores)
            for at in (int(scores.argmax()),)
        ]
        score, colour, at = max(tops, key=lambda top: top[0], default=(-1.0, 0, 0))
        if score < 0:
            return
        move = board.move(int(options[colour].indices[at]))
        yield Hypothesis(colour, move, score)
        taken = board.flags(move.mask)
        for scores, one in zip(waiting, options, strict=True):
            scores[taken[one.cells].any(axis=1)] = _IMPOSSIBLE


def _rivals(
    board: Board,
    options: list[_Options],
    piece: tuple[int, Move],
    others: int,
    least: float,
) -> Iterator[Hypothesis]:
    """Yields other placements that share a square with a piece and score `least` or more.

    Args:
        board: the tables of the board.
        options: the options of each colour.
        piece: colour and placement.
        others: mask of the squares of other pieces; rivals do not cover them.
        least: the least score.

    Yields:
        The rivals, best first.
    """
    colour, move = piece
    shared, taken = board.flags(move.mask), board.flags(others)
    found = []
    for other, one in enumerate(options):
        close = np.flatnonzero(one.scores >= least)
        cells = one.cells[close]
        apart = shared[cells].any(axis=1) & ~taken[cells].any(axis=1)
        found += [
            Hypothesis(other, board.move(int(one.indices[at])), float(one.scores[at]))
            for at in close[apart].tolist()
            if other != colour or one.indices[at] != move.index
        ]
    yield from sorted(found, key=lambda guess: -guess.score)


def _contour(board: Board, support: LogProbabilities, move: Move) -> float:
    """Returns the log odds of the least certain square on the outline of a piece.

    Squares that are no piece are an explanation too. The nearest such explanation differs in one
    square: a square of the piece that is empty, or one along its side that is covered.
    """
    inside = support[list(move.squares)]
    beside = -support[list(squares_of(board.edge_neighbours(move.mask)))]
    return float(min(inside.min(), beside.min()))
