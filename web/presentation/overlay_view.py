"""View model of an overlay of a stream: the same slots for every game, with short names.

Hints are never part of it: neither those of an arbiter nor the answer about a puzzle.
"""

import unicodedata
from dataclasses import dataclass, replace
from typing import Final

from web.contract import AnswerCode, Page, PlayerClock
from web.i18n.wording import Wording
from web.presentation.board_view import BoardView, ColourChip
from web.presentation.puzzle_view import PuzzleView
from web.presentation.view_model import (
    PageView,
    RefusalView,
    TrayPieceView,
    piece_drawing,
    player_names,
    view_of,
)

SLOTS: Final = 4
"""Lines for players; a game with fewer leaves the upper ones free."""

LONGEST_NAME: Final = 22
"""Half-width characters of a name; a letter of Chinese or Japanese counts as two."""


@dataclass(frozen=True, slots=True)
class OverlaySlot:
    """The line of one side, or of a shared colour.

    Attributes:
        chips: signs of its colours.
        names: names of its people, one or two.
        note: a word on it, for example that it has won.
        score: its score.
        clocks: clocks of its people.
        taken: the time that a puzzle has taken, which counts up; None in a game.
        on_turn: True if it has to move.
        first: True if it has won, or shares the first place.
    """

    chips: tuple[ColourChip, ...]
    names: tuple[str, ...]
    note: str
    score: str
    clocks: tuple[PlayerClock, ...] = ()
    taken: PuzzleView | None = None
    on_turn: bool = False
    first: bool = False


@dataclass(frozen=True, slots=True)
class LastMove:
    """The last move, or the result of a game that has ended.

    Attributes:
        chip: sign of the colour that moved; None for a result.
        who: the colour and the name of the person who moved, or a sentence on the result.
        ply: number of the move; 0 for a result.
        piece: drawing of the piece; None for a pass and a result.
        word: the word for a pass; empty otherwise.
    """

    chip: ColourChip | None
    who: str
    ply: int = 0
    piece: TrayPieceView | None = None
    word: str = ""


@dataclass(frozen=True, slots=True)
class OverlayView:
    """All that an overlay shows of a table.

    Attributes:
        slots: one for each line from the top; None for a free one.
        last: the last move; None before the first.
        refusal: a refused piece that lies on the board; None if there is none.
        board: the board.
        next: a sentence on who plays next; empty if it is not known.
    """

    slots: tuple[OverlaySlot | None, ...]
    last: LastMove | None
    refusal: RefusalView | None
    board: BoardView
    next: str


def overlay_of(page: Page, wording: Wording, following: tuple[str, ...] = ()) -> OverlayView:
    """Returns all that an overlay shows of a page, in one language.

    Args:
        page: the page.
        wording: texts of the language.
        following: names of the people who meet at this table next; none if that is not known.
    """
    page = with_short_names(without_hints(page))
    view = view_of(page, wording)
    slots = _puzzle_slots(view, wording) if view.puzzle else _slots(page, view, wording)
    return OverlayView(
        slots=(*[None] * (SLOTS - len(slots)), *slots),
        last=_last(page, view, wording),
        refusal=view.refusals[0] if view.refusals else None,
        board=view.board,
        next=_next(view, wording, following),
    )


def without_hints(page: Page) -> Page:
    """Returns a page without anything that helps whoever plays."""
    page = page.public
    if page.puzzle is None:
        return page
    silent = replace(page.puzzle, answer=AnswerCode.NOT_ASKED, impossible_since=0, culprit=())
    return replace(page, puzzle=silent)


def with_short_names(page: Page) -> Page:
    """Returns a page on which no name is longer than its place."""
    named = (replace(colour, player=short(colour.player)) for colour in page.colours)
    return replace(page, colours=tuple(named))


def short(name: str) -> str:
    """Returns a name that is at most `LONGEST_NAME` half-width characters long."""
    room = LONGEST_NAME
    for at, letter in enumerate(name):
        if unicodedata.combining(letter):
            continue
        room -= 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if room < 0:
            return _cut(name, at)
    return name


def _cut(name: str, at: int) -> str:
    """Returns the beginning of a name, less the letter that gives its place to the dots."""
    end = at - 1
    while end > 0 and unicodedata.combining(name[end]):
        end -= 1
    return name[:end].rstrip() + "…"


def _slots(page: Page, view: PageView, wording: Wording) -> tuple[OverlaySlot, ...]:
    """Returns the slot of each side, and last that of a shared colour."""
    in_sides = [side.colours for side in page.sides]
    shared = {*range(len(page.colours))} - {index for colours in in_sides for index in colours}
    groups = [*in_sides, *((index,) for index in sorted(shared))]
    return tuple(
        OverlaySlot(
            chips=card.chips,
            names=tuple(dict.fromkeys(player_names([page.colours[i]], wording) for i in colours)),
            note="" if card.on_turn else card.note,
            score=card.score,
            clocks=card.times,
            on_turn=card.on_turn,
            first=card.first,
        )
        for colours, card in zip(groups, view.cards, strict=True)
    )


def _puzzle_slots(view: PageView, wording: Wording) -> tuple[OverlaySlot, ...]:
    puzzle = view.puzzle
    assert puzzle is not None
    pieces = wording.score(sum(puzzle.by_colour))
    who = OverlaySlot(
        chips=(),
        names=(puzzle.player or view.title,),
        note=puzzle.best,
        score=pieces,
        taken=puzzle,
        first=puzzle.solved,
    )
    share = f"{puzzle.laid_share} %"
    return who, OverlaySlot(chips=view.chips, names=(puzzle.left,), note="", score=share)


def _next(view: PageView, wording: Wording, following: tuple[str, ...]) -> str:
    if not following:
        return view.rematch
    return wording.overlay("following", names=" – ".join(map(short, following)))


def _last(page: Page, view: PageView, wording: Wording) -> LastMove | None:
    if page.result is not None:
        return LastMove(None, wording.sentence(wording.result(page)))
    if not page.moves:
        return None
    move, line = page.moves[-1], view.lines[0]
    piece = piece_drawing(move.piece, move.squares) if move.squares else None
    return LastMove(line.chip, line.who, line.ply, piece, "" if piece else line.piece)
