"""The overlay of a stream as markup: the same boxes for every game.

Hints are never part of it: neither those of an arbiter nor the answer about a puzzle.
"""

from dataclasses import replace
from typing import Final

from flask import render_template

from web.contract import AnswerCode, Page
from web.i18n.wording import Wording
from web.presentation.drawn_wording import PieceDrawing
from web.presentation.view_model import PageView, ScoreCard, view_of

PARTS: Final = ("names", "score", "clock", "board", "last", "rule", "next")
"""Parts of an overlay, each a box of its own."""

_SLOTS: Final = 4
"""Lines for players; a game with fewer leaves the upper ones free."""


def overlay_of(page: Page | None, wording: Wording) -> dict[str, str]:
    """Returns the markup of each part by its name; needs the application's context.

    Args:
        page: the page; None before the first.
        wording: texts of the language.
    """
    view = None if page is None else view_of(without_hints(page), wording)
    cards = () if view is None else view.cards or _cards_of_puzzle(view, wording)
    laid = view.page.moves[-1] if view and view.page.moves else None
    values = {
        "view": view,
        "slots": (*[None] * (_SLOTS - len(cards)), *cards),
        "laid": PieceDrawing.of(laid.piece, laid.squares) if laid and laid.squares else None,
        "wording": wording,
        "label": wording.label,
    }
    return {part: render_template("fragments/overlay.html", part=part, **values) for part in PARTS}


def _cards_of_puzzle(view: PageView, wording: Wording) -> tuple[ScoreCard, ...]:
    """Returns the lines of a puzzle: its person with the pieces left, and how far it is."""
    puzzle = view.puzzle
    assert puzzle is not None, "a game has cards of its own"
    pieces = wording.score(sum(puzzle.by_colour))
    who, share = puzzle.player or view.title, f"{puzzle.laid_share} %"
    return (
        ScoreCard((), (who,), pieces, "", puzzle.best, on_turn=False, first=puzzle.solved),
        ScoreCard(view.chips, (puzzle.left,), share, "", "", on_turn=False, first=False),
    )


def without_hints(page: Page) -> Page:
    """Returns a page without anything that helps whoever plays."""
    page = page.public
    if page.puzzle is None:
        return page
    silent = replace(page.puzzle, answer=AnswerCode.NOT_ASKED, impossible_since=0, culprit=())
    return replace(page, puzzle=silent)
