"""What could have happened: every placement of every colour, scored against the evidence alike.

No rule of the game is known here. A placement is scored by the squares it covers, whether it
would be legal or not, in the reader's own frame and the plastic's own colours; what comes out
is judged by others. So the rules cannot bend the evidence: an illegal piece beside a legal
place has no legal rival to lose to but one that the camera saw as well.

All scores are natural logarithms of ratios: how much likelier the evidence is made than by the
best of everything else that could be on the same squares. A square that cannot be seen counts
nothing either way.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from firmware.referee.steadiness import LogProbabilities
from firmware.rules.board import Board, Move, mask_of, squares_of
from firmware.rules.pieces import LARGEST

Contents = NDArray[np.int64]
"""(squares,): what was accepted on each square: 0 empty, otherwise 1 + the colour's column."""

_IMPOSSIBLE: Final = -60.0
_AGAINST: Final = 3.0
_MOST_PIECES: Final = 12
_MOST_RIVALS: Final = 3

_DISTINCT: Final = 4.0
"""Log odds of a square that cannot be a part of a piece beside it which lies askew, or its shadow:
of 3,300 rendered placements two covered a square more, read with 2.2 to 3.4. Plainly seen squares
have 7."""

MOST_ASKEW: Final = 2
"""Squares that a piece lying askew covers at most beside its own."""


@dataclass(frozen=True, slots=True)
class MatchingSettings:
    """How sure is sure; all in log odds."""

    margin: Annotated[float, "by how much an explanation must beat every other"] = 2.5
    changed: Annotated[float, "from where a single square has certainly changed"] = 2.5
    hint: Annotated[float, "from where a square may have changed at all"] = 0.3
    oddity: Annotated[float, "how much rarer things that are no single piece are"] = 1.5


class Hypothesis(NamedTuple):
    """A placement in the reader's frame, `colour` a column of the palette, and its score."""

    colour: int
    move: Move
    score: float


@dataclass(frozen=True, slots=True)
class MatchedPiece:
    """The best explanation of some changed squares by one piece.

    Attributes:
        colour: which colour of the palette.
        move: where, in the reader's frame.
        score: how much likelier it makes the evidence than the best of all else there does.
        change: how much likelier it makes the evidence than what was accepted there does. Where
            the colour is in doubt a piece has little score and much change.
        margin: by how much it beats the best other explanation of the same squares: another
            placement, nothing, or squares that are no piece.
        rivals: the next best placements on these squares, best first.
    """

    colour: int
    move: Move
    score: float
    change: float
    margin: float
    rivals: tuple[Hypothesis, ...]


@dataclass(frozen=True, slots=True)
class Explanation:
    """The best explanation of everything that changed.

    Attributes:
        placed: pieces that are new beyond doubt.
        doubtful: pieces that may be new, or lie a little differently.
        strange: for each colour the mask of squares that certainly hold it and are not pieces
            of their own: larger than any.
        missing: mask of accepted squares that are certainly empty.
        wavering: mask of accepted squares that may be empty, and look more so than not.
    """

    placed: tuple[MatchedPiece, ...]
    doubtful: tuple[MatchedPiece, ...]
    strange: tuple[int, ...]
    missing: int
    wavering: int

    @property
    def nothing(self) -> bool:
        """Whether nothing is new."""
        return not (self.placed or self.doubtful or any(self.strange) or self.missing)


def match(
    board: Board, evidence: LogProbabilities, accepted: Contents, settings: MatchingSettings
) -> Explanation:
    """The best explanation of the evidence, given what was accepted.

    Args:
        board: the tables of the board.
        evidence: what the steady board shows.
        accepted: what stands there as far as it was accepted.
        settings: how sure is sure.
    """
    gains = evidence - np.take_along_axis(evidence, accepted[:, None], axis=1)
    missing = mask_of(np.flatnonzero((accepted > 0) & _certain(gains, 0, settings)).tolist())
    wavering = mask_of(np.flatnonzero((accepted > 0) & (gains[:, 0] > 0)).tolist()) & ~missing
    # A piece upon its own colour shows only where it does not lie upon it.
    own = accepted[:, None] == np.arange(gains.shape[1])
    gains = np.where(own, _IMPOSSIBLE, gains)[:, 1:]
    support = np.where(own, _IMPOSSIBLE, _support(evidence))[:, 1:]
    strange = tuple(
        _oversized(board, support[:, colour], settings) for colour in range(gains.shape[1])
    )
    for colour, squares in enumerate(strange):
        support[list(squares_of(squares)), colour] = _IMPOSSIBLE
    found = list(_pieces(board, support, gains, settings))
    return Explanation(
        tuple(one for one in found if one.margin >= settings.margin),
        tuple(one for one in found if one.margin < settings.margin),
        strange,
        missing,
        wavering,
    )


def _certain(
    gains: LogProbabilities, content: int, settings: MatchingSettings
) -> NDArray[np.bool_]:
    """Squares where a content is the best and certainly not what was accepted."""
    best = gains.argmax(axis=1) == content
    certain: NDArray[np.bool_] = best & (gains[:, content] > settings.changed)
    return certain


def _support(evidence: LogProbabilities) -> LogProbabilities:
    """For each square and content, by how much it beats the best other content there."""
    two = np.partition(evidence, -2, axis=1)[:, -2:]
    second, best = two[:, :1], two[:, 1:]
    support: LogProbabilities = evidence - np.where(evidence == best, second, best)
    return support


def _oversized(board: Board, support: LogProbabilities, settings: MatchingSettings) -> int:
    """Certain squares of a colour that hang together in groups larger than any piece."""
    certain = mask_of(np.flatnonzero(support > settings.changed).tolist())
    return sum(group for group in board.groups(certain) if not _may_be_piece(board, group, support))


def _may_be_piece(board: Board, group: int, support: LogProbabilities) -> bool:
    """Whether squares are a piece, all of them or but for one or two that are the least sure."""
    squares = frozenset(squares_of(group))
    weak = [square for square in squares if support[square] < _DISTINCT]
    most = MOST_ASKEW if len(squares) <= LARGEST + MOST_ASKEW else 0
    return any(
        board.find(squares.difference(left)) is not None
        for count in range(most + 1)
        for left in combinations(weak, count)
    )


def _pieces(
    board: Board, support: LogProbabilities, gains: LogProbabilities, settings: MatchingSettings
) -> Iterator[MatchedPiece]:
    """The best placement, then the best beside it, and so on while one explains anything.

    Args:
        board: the tables of the board.
        support: (squares, colours), by how much each colour beats all else on each square.
        gains: (squares, colours), by how much each colour beats what was accepted.
        settings: how sure is sure.
    """
    likelier = (gains > settings.hint) & (support > -settings.margin)
    options = _options(board, support, likelier)
    chosen = list(_chosen(board, options))
    masks = [guess.move.mask for guess in chosen]
    everything = sum(masks)
    for (colour, move, _), mask in zip(chosen, masks, strict=True):
        # What explains the other pieces' squares too is no better an explanation of this one.
        score = float(support[list(move.squares), colour].sum())
        least = score - settings.margin
        rivals = list(_rivals(board, options, (colour, move), everything & ~mask, least))
        nearest = rivals[0].score if rivals else 0.0
        contour = settings.oddity + _contour(board, support[:, colour], move)
        margin = min(score, score - nearest, contour)
        change = float(gains[list(move.squares), colour].sum())
        yield MatchedPiece(colour, move, score, change, margin, tuple(rivals[:_MOST_RIVALS]))


class _Options(NamedTuple):
    """The placements of a colour that explain at least one square.

    Any other placement explains less than nothing new does, so it is nobody's rival.

    Attributes:
        indices: (k,) into the tables of the board.
        cells: (k, 5) their squares, padded.
        scores: (k,) by how much each explains the evidence better than all else there.
        strict: (k,) the same with evidence against it counted more. Two pieces with a gap are
            a better explanation than one that bridges it against evidence.
    """

    indices: NDArray[np.int64]
    cells: NDArray[np.int16]
    scores: LogProbabilities
    strict: LogProbabilities


def _options(
    board: Board, support: LogProbabilities, likelier: NDArray[np.bool_]
) -> list[_Options]:
    """The options of each colour."""
    found = []
    for own, likely in zip(support.T, likelier.T, strict=True):
        # The last value is what the padding of `Board.cells` gathers: neutral.
        value = np.append(own, 0.0)
        squares = mask_of(np.flatnonzero(likely).tolist())
        indices = board.indices(board.covering_any(squares)) if squares else np.empty(0, np.int64)
        cells = board.cells[indices]
        strict = np.where(value < 0, _AGAINST * value, value)
        scores = value[cells].sum(axis=1), strict[cells].sum(axis=1)
        found.append(_Options(indices, cells, *scores))
    return found


def _chosen(board: Board, options: list[_Options]) -> Iterator[Hypothesis]:
    """Placements that together explain what changed, the best first."""
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
        taken = _marked(board, move.mask)
        for scores, one in zip(waiting, options, strict=True):
            scores[taken[one.cells].any(axis=1)] = _IMPOSSIBLE


def _rivals(
    board: Board,
    options: list[_Options],
    piece: tuple[int, Move],
    others: int,
    least: float,
) -> Iterator[Hypothesis]:
    """Other placements that share a square with a piece and score `least` or more, best first.

    Args:
        board: the tables of the board.
        options: those of each colour.
        piece: colour and placement.
        others: mask of the squares that other pieces explain; rivals keep off them.
        least: the score to reach.
    """
    colour, move = piece
    shared, taken = _marked(board, move.mask), _marked(board, others)
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


def _marked(board: Board, squares: int) -> NDArray[np.bool_]:
    """(squares + 1,) whether each square is in a mask; the padding is not."""
    marked = np.zeros(board.squares + 1, np.bool_)
    marked[list(squares_of(squares))] = True
    return marked


def _contour(board: Board, support: LogProbabilities, move: Move) -> float:
    """How sure the least sure square is of belonging to the piece, or of not belonging to it.

    Squares that are no piece are an explanation too. The nearest such one differs in a single
    square: one of the piece that is not there, or one along its side that is.
    """
    inside = support[list(move.squares)]
    beside = -support[list(squares_of(board.edge_neighbours(move.mask)))]
    return float(min(inside.min(), beside.min()))
