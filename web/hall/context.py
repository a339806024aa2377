"""Objects that all routes of a hall's pages share."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flask import render_template, request

from web.hall.backend import HallBackend
from web.hall.page import HallPage
from web.hall.screens import HallScreens
from web.i18n.hall_wording import HallWording
from web.i18n.languages import LANGUAGES, choose, wording_of
from web.known_phones import KnownPhones
from web.rate_limit import PairingLimits
from web.request_guard import RequestGuard
from web.views.context import LANGUAGE_COOKIE
from web.views.streams import StreamLimiter

WORDINGS: Final = {code: wording_of(code) for code in LANGUAGES}
"""The texts of each language."""


@dataclass(frozen=True, slots=True)
class HallContext:
    """The objects that all routes share.

    Attributes:
        backend: the hall's process.
        phones: phones that the hall knows.
        limits: limits of numbers for pairing.
        guard: checks of requests.
        streams: limits of streams.
        screens: the screens of all pages, as fragments.
        addresses: returns the addresses at which phones open the pages, the best one first.
    """

    backend: HallBackend
    phones: KnownPhones
    limits: PairingLimits
    guard: RequestGuard
    streams: StreamLimiter
    screens: HallScreens
    addresses: Callable[[], tuple[str, ...]] = tuple

    @property
    def page(self) -> HallPage:
        """The newest page, with all that organisers see."""
        return self.backend.news.page

    @property
    def language(self) -> str:
        """The language for the sender of this request."""
        return choose(request.cookies.get(LANGUAGE_COOKIE), request.accept_languages)

    @property
    def wording(self) -> HallWording:
        """The texts for the sender of this request."""
        return WORDINGS[self.language]

    def render(self, template: str, **values: object) -> str:
        """Returns a whole page in the viewer's language."""
        wording = self.wording
        return render_template(
            template,
            wording=wording,
            label=wording.label,
            hall=wording.hall,
            in_hall=True,
            age=now_ms(),
            silent=0,
            language=self.language,
            languages=LANGUAGES,
            token=self.guard.token(),
            path=request.path,
            **values,
        )


def now_ms() -> int:
    """Milliseconds of the clock that all times of `HallPage` are of.

    Scripts add the time since they got it, so that what they show runs on.
    """
    return round(1000 * time.monotonic())
