"""Summary of a game, ready to draw: the squares and points of each side, and the lead by round."""

from dataclasses import dataclass
from itertools import accumulate

from web.contract import EndReason, Page, Scoring, Side
from web.i18n.wording import Wording, standing
from web.presentation.board_view import ColourChip
from web.presentation.graph import Graph, graph_of
from web.presentation.view_model import player_names, scores_of, squares_left


@dataclass(frozen=True, slots=True)
class ScoreBreakdown:
    """The parts of a side's score.

    Attributes:
        laid: squares on the board.
        in_hand: squares in hand.
        bonus: points that its squares do not explain.
    """

    chips: tuple[ColourChip, ...]
    title: str
    laid: int
    in_hand: int
    bonus: int
    score: str
    first: bool


@dataclass(frozen=True, slots=True)
class GameSummary:
    """Summary of a game.

    Attributes:
        sentence: sentence on the result; empty while the game lasts.
        course: the lead of each side by round.
        with_bonus: True if the scoring has a bonus.
        reasons: sentences on the way in which the score decides.

    Without accounts it is of a puzzle, which has no scores.
    """

    sentence: str
    accounts: tuple[ScoreBreakdown, ...]
    course: Graph
    with_bonus: bool
    reasons: tuple[str, ...]


def summarise_game(page: Page, wording: Wording) -> GameSummary:
    """Returns the summary of the game on a page so far."""
    accounts = tuple(_account(page, side, wording) for side in page.sides)
    bonuses = {
        side.colours: one.bonus for side, one in zip(page.sides, accounts, strict=True) if one.bonus
    }
    return GameSummary(
        sentence=wording.sentence(wording.result(page)) if page.finished else "",
        accounts=accounts,
        course=_course(page, wording),
        with_bonus=page.scoring is Scoring.ADVANCED,
        reasons=()
        if page.puzzle
        else (*wording.reasons_of_score(page, bonuses), *_otherwise(page, wording)),
    )


def _otherwise(page: Page, wording: Wording) -> list[str]:
    """Returns a sentence on those whom the other scoring would name, if they are others."""
    result = page.result
    if result is None or result.how is not EndReason.SCORE:
        return []
    by_squares = page.scoring is Scoring.ADVANCED
    other = Scoring.BASIC if by_squares else Scoring.ADVANCED
    found = [(*scores_of(page, side), side) for side in standing(page)]
    scores = [(-left if by_squares else points, side) for left, points, side in found]
    best = max(score for score, _ in scores)
    first = [side for score, side in scores if score == best]
    if {i for side in first for i in side.colours} == {*result.winner, *result.tied}:
        return []
    names = (player_names([page.colours[i] for i in side.colours], wording) for side in first)
    return [wording.sentence(wording.say(f"otherwise.{other}", names=wording.listed(names)))]


def _account(page: Page, side: Side, wording: Wording) -> ScoreBreakdown:
    colours = [page.colours[i] for i in side.colours]
    in_hand = squares_left(colours)
    best = set() if page.result is None else {*page.result.winner, *page.result.tied}
    return ScoreBreakdown(
        chips=tuple(ColourChip.of(colour, wording) for colour in colours),
        title=player_names(colours, wording),
        laid=sum(colour.placed for colour in colours),
        in_hand=in_hand,
        bonus=side.score + in_hand if page.scoring is Scoring.ADVANCED else 0,
        score=wording.score(side.score),
        first=best.issuperset(side.colours),
    )


def _courses(page: Page) -> list[list[float]]:
    """Returns the lead in placed squares over the average of all sides, by side and round.

    Only whole rounds and the end count, as the side that has just moved is ahead by one piece.
    """
    placements = [move for move in page.moves if move.piece]
    ends = {*range(0, len(placements) + 1, len(page.colours)), len(placements)}
    courses = []
    for side in page.sides:
        gains = (len(m.squares) if m.colour in side.colours else 0 for m in placements)
        courses.append([s for ply, s in enumerate(accumulate(gains, initial=0)) if ply in ends])
    means = [sum(at) / len(at) for at in zip(*courses, strict=True)]
    return [[s - mean for s, mean in zip(c, means, strict=True)] for c in courses]


def _course(page: Page, wording: Wording) -> Graph:
    courses = _courses(page)
    most = max((abs(lead) for course in courses for lead in course), default=0)
    step = next(step for step in (2, 5, 10, 20, 50, 100, 200) if 2 * step >= most)
    chips = [ColourChip.of(page.colours[side.colours[0]], wording) for side in page.sides]
    marks = [(n, _signed(n)) for n in range(-2 * step, 2 * step + 1, step)]
    return graph_of(list(zip(chips, courses, strict=True)), marks)


def _signed(number: int) -> str:
    return f"{number:+}".replace("-", "−") if number else "0"
