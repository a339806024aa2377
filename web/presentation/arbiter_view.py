"""View model of the part for arbiters alone: hints; see also `setup_view`."""

from web.contract import Page
from web.i18n.wording import Wording
from web.presentation.svg import outline


def hinted(page: Page) -> str:
    """Returns the outline of the hinted squares; empty if there are none."""
    hints = page.private and page.private.hints
    return outline(hints.squares, 2, 3) if hints and hints.squares else ""


def reasoned(page: Page) -> str:
    """Returns the outline of the squares of the first reason that has some; empty without."""
    hints = page.private and page.private.hints
    squares = next((one.squares for one in hints.reasons if one.squares), ()) if hints else ()
    return outline(squares, 2, 3) if squares else ""


def is_thinking(page: Page) -> bool:
    """True while the player looks for a hint."""
    hints = page.private and page.private.hints
    return bool(hints and hints.thinking)


def hints_left(page: Page, wording: Wording) -> str:
    """Returns a text with the remaining hints of the person to move; empty if not applicable."""
    hints = page.private and page.private.hints
    if not hints or hints.person is None:
        return ""
    return wording.say("hints-left", count=hints.left[hints.person])
