"""View model of the replay: the steps of a past game, numbered by its moves."""

from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Final

from web.contract import MoveEntry, Page, RefereeState
from web.i18n.wording import Wording
from web.presentation.board_view import ColourChip
from web.presentation.drawn_wording import DrawnWording
from web.presentation.view_model import cards_of


class StepKind(StrEnum):
    """Kinds of steps."""

    BEGIN = "begin"
    MOVE = "move"
    PASSED = "pass"
    REFUSED = "refused"
    POSITION = "position"
    END = "end"


@dataclass(frozen=True, slots=True)
class ReplayStep:
    """A step of a past game.

    Attributes:
        at: index of its page.
        kind: kind of the step.
        ply: number of pieces laid so far.
        chip: sign of the colour concerned; None if none is.
        who: that colour, and the person who plays it.
        piece: name of the piece laid, or another word for the list of steps.
        squares: names of the squares concerned.
        sentence: sentence on the step.
    """

    at: int
    kind: StepKind
    ply: int
    chip: ColourChip | None
    who: str
    piece: str
    squares: str
    sentence: str


@dataclass(frozen=True, slots=True)
class ReplayView:
    """A past game at one of its steps.

    Attributes:
        heading: names of the people, or of the game if they are unknown.
        steps: all steps.
        now: the step that is shown.
        count: number of pieces laid in the whole game.
    """

    heading: str
    steps: tuple[ReplayStep, ...]
    now: ReplayStep
    count: int

    @property
    def listed(self) -> tuple[ReplayStep, ...]:
        """The steps between begin and end."""
        return tuple(step for step in self.steps if step.kind not in _ENDS)

    @property
    def last(self) -> int:
        """Index of the last step."""
        return self.steps[-1].at


_ENDS: Final = (StepKind.BEGIN, StepKind.END)
"""Kinds of the first and of the last step, which the list of steps leaves out."""


def replay_of(pages: tuple[Page, ...], at: int, wording: Wording) -> ReplayView:
    """Returns a past game at a step.

    Args:
        pages: its pages, oldest first; at least one.
        at: index of the page that is shown.
        wording: texts of the language.
    """
    kinds = [StepKind.BEGIN if not pages[0].moves else _kind(pages[0], None)]
    kinds += [_kind(page, before) for before, page in pairwise(pages)]
    steps = tuple(
        _step(number, kind, page, wording)
        for number, (kind, page) in enumerate(zip(kinds, pages, strict=True))
    )
    return ReplayView(heading_of(pages[-1], wording), steps, steps[at], pages[-1].ply)


def heading_of(page: Page, wording: Wording) -> str:
    """Returns the names of the people; the title of the game if they are unknown."""
    if not any(colour.player for colour in page.colours):
        return wording.title(page)
    if page.puzzle is not None:
        return page.colours[0].player
    return " – ".join(card.title for card in cards_of(page, wording) if not card.shared)


def _kind(page: Page, before: Page | None) -> StepKind:
    if page.state.code is RefereeState.REFUSED:
        return StepKind.REFUSED
    if page.moves and (before is None or page.moves != before.moves):
        return StepKind.MOVE if page.moves[-1].piece else StepKind.PASSED
    if before is not None and page.pieces != before.pieces and not page.finished:
        return StepKind.POSITION
    return StepKind.END


def _step(at: int, kind: StepKind, page: Page, wording: Wording) -> ReplayStep:
    move = _concerned(kind, page)
    return ReplayStep(
        at=at,
        kind=kind,
        ply=page.ply,
        chip=None if move is None else ColourChip.of(page.colours[move.colour], wording),
        who="" if move is None else wording.mover(page, move),
        piece=_piece(kind, page, wording),
        squares="" if move is None else " ".join(map(page.square_name, move.squares)),
        sentence=_sentence(kind, page, DrawnWording(wording.language)),
    )


def _concerned(kind: StepKind, page: Page) -> MoveEntry | None:
    """Returns the move of a step, or the refused piece as if it were one."""
    if kind in (StepKind.MOVE, StepKind.PASSED):
        return page.moves[-1]
    if kind is StepKind.REFUSED and page.refused:
        newest = page.refused[0]
        return MoveEntry(page.ply, newest.colour, squares=newest.squares)
    return None


def _piece(kind: StepKind, page: Page, wording: Wording) -> str:
    if kind is StepKind.MOVE:
        return page.moves[-1].piece
    return wording.label(kind) if kind in (StepKind.PASSED, StepKind.REFUSED) else ""


def _sentence(kind: StepKind, page: Page, wording: Wording) -> str:
    if page.finished:
        return wording.state(page)
    if kind is StepKind.REFUSED:
        return wording.sentence(wording.label(kind))
    if kind in (StepKind.MOVE, StepKind.PASSED):
        return wording.sentence(wording.move(page, page.moves[-1]))
    labels = {StepKind.BEGIN: "before-first", StepKind.POSITION: "position-set"}
    return wording.sentence(wording.label(labels.get(kind, "unfinished")))
