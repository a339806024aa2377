"""View model of the part for arbiters alone: hints and checks of the set-up."""

from dataclasses import dataclass

from web.contract import Page, RatingCode
from web.i18n.wording import Wording
from web.presentation.svg import outline


@dataclass(frozen=True, slots=True)
class FindingView:
    """The result of one check of the set-up, as texts."""

    name: str
    level: str
    word: str
    remedy: str


@dataclass(frozen=True, slots=True)
class SetupView:
    """The results of the checks of the set-up."""

    looking: bool
    fine: bool
    findings: tuple[FindingView, ...]
    corners: str


def setup_of(page: Page, wording: Wording) -> SetupView | None:
    """Returns the results of the checks of the set-up; None on a page for watchers."""
    if page.private is None:
        return None
    setup = page.private.setup
    findings = tuple(
        FindingView(
            wording.point(one.code),
            one.level.value,
            wording.level(one.level),
            wording.remedy(page, one),
        )
        for one in setup.points
    )
    fine = all(one.level is not RatingCode.MEND for one in setup.points)
    corners = ",".join(f"{at:.5f}" for corner in setup.corners for at in corner)
    return SetupView(setup.looking, fine, findings, corners)


def hinted(page: Page) -> str:
    """Returns the outline of the hinted squares; empty if there are none."""
    hints = page.private and page.private.hints
    return outline(hints.squares, 2, 3) if hints and hints.squares else ""


def hints_left(page: Page, wording: Wording) -> str:
    """Returns a text with the remaining hints of the person to move; empty if not applicable."""
    hints = page.private and page.private.hints
    if not hints or hints.person is None:
        return ""
    return wording.hints_left(hints.left[hints.person])
