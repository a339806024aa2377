"""How a game came about, ready to draw: what each side laid and kept, and the course of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Final

from web.contract import Page, ScoringCode, Side
from web.i18n.wording import Wording
from web.presentation.view_model import ColourChip, called

WIDTH: Final = 320
HEIGHT: Final = 140
_SIGN: Final = 18
_DASHES: Final = ("", "6 4", "2 4", "8 3 2 3")
"""So that lines are told apart without their ink."""


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """How the score of a side adds up; texts.

    Attributes:
        laid: squares on the board.
        in_hand: squares left.
        bonus: points beyond the squares; empty where the scoring knows none.
    """

    chips: tuple[ColourChip, ...]
    title: str
    laid: str
    in_hand: str
    bonus: str
    score: str
    first: bool


@dataclass(frozen=True, slots=True)
class LeadGraph:
    """How far a side was ahead of the average after each round, as a line `WIDTH` by `HEIGHT`.

    Attributes:
        sign_y: where its letter goes, away from the others'.
    """

    chip: ColourChip
    points: str
    dash: str
    sign_y: float


@dataclass(frozen=True, slots=True)
class GameSummary:
    """How a game came about.

    Attributes:
        sentence: who won and by what; empty while the game lasts.
        marks: along the upright axis, heights and what stands beside them.
        with_bonus: whether the scoring knows a bonus.
    """

    sentence: str
    accounts: tuple[ScoreBreakdown, ...]
    runs: tuple[LeadGraph, ...]
    marks: tuple[tuple[float, str], ...]
    with_bonus: bool


def summarise_game(page: Page, wording: Wording) -> GameSummary:
    """How the game on a page came about, so far."""
    courses = _courses(page)
    most = max((abs(lead) for course in courses for lead in course), default=0)
    step = next(step for step in (2, 5, 10, 20, 50, 100, 200) if 2 * step >= most)
    reach = 2 * step
    return GameSummary(
        sentence=wording.sentence(wording.result(page)) if page.finished else "",
        accounts=tuple(_accounts(page, wording)),
        runs=tuple(_runs(page, courses, reach, wording)),
        marks=tuple((_height(n, reach), _signed(n)) for n in range(-reach, reach + 1, step)),
        with_bonus=page.scoring is ScoringCode.ADVANCED,
    )


@dataclass(frozen=True, slots=True)
class _Sum:
    side: Side
    placed: int
    kept: int


def _summed(page: Page) -> Iterator[_Sum]:
    for side in page.sides:
        colours = [page.colours[i] for i in side.colours]
        kept = sum(len(piece.squares) for colour in colours for piece in colour.left)
        yield _Sum(side, sum(colour.placed for colour in colours), kept)


def _accounts(page: Page, wording: Wording) -> Iterator[ScoreBreakdown]:
    best = set() if page.result is None else {*page.result.winner, *page.result.tied}
    for one in _summed(page):
        colours = [page.colours[i] for i in one.side.colours]
        advanced = page.scoring is ScoringCode.ADVANCED
        bonus = one.side.score + one.kept if advanced else 0
        yield ScoreBreakdown(
            chips=tuple(ColourChip.of(colour, wording) for colour in colours),
            title=called(colours, wording),
            laid=str(one.placed),
            in_hand=str(one.kept),
            bonus=f"+{bonus}" if bonus else "–",
            score=wording.score(one.side.score),
            first=best.issuperset(one.side.colours),
        )


def _courses(page: Page) -> list[list[float]]:
    """For each side, squares laid beyond the average of all sides, after each round.

    Whoever has just moved is ahead by a piece, which says nothing: so whole rounds only, and the
    end.
    """
    laid = [move for move in page.moves if move.piece]
    ends = {*range(0, len(laid) + 1, len(page.colours)), len(laid)}
    courses = []
    for side in page.sides:
        gains = (len(move.squares) if move.colour in side.colours else 0 for move in laid)
        courses.append([s for ply, s in enumerate(accumulate(gains, initial=0)) if ply in ends])
    means = [sum(at) / len(at) for at in zip(*courses, strict=True)]
    return [[s - mean for s, mean in zip(c, means, strict=True)] for c in courses]


def _runs(
    page: Page, courses: list[list[float]], reach: int, wording: Wording
) -> Iterator[LeadGraph]:
    signs = _apart([_height(course[-1], reach) for course in courses])
    for number, (side, course) in enumerate(zip(page.sides, courses, strict=True)):
        across = WIDTH / max(len(course) - 1, 1)
        places = ((across * at, _height(lead, reach)) for at, lead in enumerate(course))
        yield LeadGraph(
            chip=ColourChip.of(page.colours[side.colours[0]], wording),
            points=" ".join(f"{x:.4g},{y:.4g}" for x, y in places),
            dash=_DASHES[number % len(_DASHES)],
            sign_y=signs[number],
        )


def _apart(heights: list[float]) -> list[float]:
    """The heights, moved down where two are nearer than a sign is high."""
    moved = list(heights)
    order = sorted(range(len(heights)), key=heights.__getitem__)
    for above, below in pairwise(order):
        moved[below] = max(moved[below], moved[above] + _SIGN)
    return moved


def _height(lead: float, reach: int) -> float:
    return HEIGHT * (reach - lead) / (2 * reach)


def _signed(number: int) -> str:
    return f"{number:+}".replace("-", "−") if number else "0"
