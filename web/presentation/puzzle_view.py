"""View model of a puzzle: progress, time, and whether it can still be solved."""

from dataclasses import dataclass

from web.contract import AnswerCode, Page
from web.i18n.wording import Wording, time_text


@dataclass(frozen=True, slots=True)
class PuzzleView:
    """The progress of a puzzle, as texts.

    Attributes:
        player: name of the person; empty if unknown.
        left: pieces and squares that are left; the result of a puzzle that has ended.
        laid_share: share of the squares that are laid, in percent.
        by_colour: number of pieces that each colour has left.
        time: time taken at publication.
        taken_ms: the same in milliseconds.
        running: True if phones count on from there.
        best: the best time so far; empty if there is none.
        answer: code of the answer, see `AnswerCode`.
        solvability: sentence on the answer; empty if nobody asked.
        solved: True if it is solved.
    """

    player: str
    left: str
    laid_share: int
    by_colour: tuple[int, ...]
    time: str
    taken_ms: int
    running: bool
    best: str
    answer: AnswerCode
    solvability: str
    solved: bool


def puzzle_of(page: Page, wording: Wording) -> PuzzleView | None:
    """Returns the progress of the puzzle on a page; None in a game."""
    puzzle = page.puzzle
    if puzzle is None:
        return None
    pieces = [piece for colour in page.colours for piece in colour.left]
    left = sum(len(piece.squares) for piece in pieces)
    laid = sum(colour.placed for colour in page.colours)
    best = ""
    if puzzle.best_s is not None:
        best = wording.sentence(wording.say("best", time=time_text(puzzle.best_s)))
    to_lay = wording.say("left-of-puzzle", pieces=len(pieces), squares=left)
    return PuzzleView(
        player=page.colours[0].player,
        left=wording.capital(wording.result(page) if page.finished else to_lay),
        laid_share=100 * laid // max(laid + left, 1),
        by_colour=tuple(len(colour.left) for colour in page.colours),
        time=time_text(puzzle.taken_ms / 1000),
        taken_ms=puzzle.taken_ms,
        running=puzzle.running,
        best=best,
        answer=puzzle.answer,
        solvability=wording.solvability(page),
        solved=page.finished and not left,
    )
