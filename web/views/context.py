"""Objects that all routes of the page share."""

from collections.abc import Callable
from dataclasses import dataclass, field

from flask import Response, make_response, redirect, render_template, request

from web.contract import Page
from web.game_archive import GameArchive
from web.i18n.languages import LANGUAGES, choose
from web.i18n.wording import Wording
from web.known_phones import KnownPhones
from web.presentation.fragments import Screen, Screens
from web.presentation.mounting_view import CameraMounting
from web.rate_limit import PairingLimits
from web.request_guard import RequestGuard
from web.table_client import TableClient, TableSnapshot
from web.views.streams import StreamLimiter

PhotographJudgement = Callable[[bytes], Page | str]
"""Judges a photograph: the page of the position, else the key of the text that says why not."""

LANGUAGE_COOKIE = "language"
"""Name of the cookie with the chosen language."""


def wants_json() -> bool:
    """True if a script sent this request, which shows the reply itself."""
    return request.accept_mimetypes.best == "application/json"


@dataclass(frozen=True, slots=True)
class ViewContext:
    """The objects that all routes share.

    Attributes:
        link: client of the table.
        phones: phones that the table knows.
        archive: past games.
        guard: checks of requests.
        streams: limits of streams.
        screens: renderer of screens by language code and by True for arbiters.
        addresses: returns the addresses at which phones open the page, the best one first.
        everybody_sees_evidence: True if phones that are not paired may see pictures of moves.
        mountings: places of cameras above boards.
        judge: judges a photograph; None if the program cannot.
        pairing_limits: limits of the numbers that are typed, for all pages that take one.
    """

    link: TableClient
    phones: KnownPhones
    archive: GameArchive
    guard: RequestGuard
    streams: StreamLimiter
    screens: dict[tuple[str, bool], Screens]
    addresses: Callable[[], tuple[str, ...]] = tuple
    everybody_sees_evidence: bool = False
    mountings: tuple[CameraMounting, ...] = ()
    judge: PhotographJudgement | None = None
    pairing_limits: PairingLimits = field(default_factory=PairingLimits)

    @property
    def language(self) -> str:
        """The language for the sender of this request."""
        return choose(request.cookies.get(LANGUAGE_COOKIE), request.accept_languages)

    @property
    def wording(self) -> Wording:
        """The texts for the sender of this request."""
        return self.screens[self.language, False].wording

    def screen(self, news: TableSnapshot, language: str, *, arbiter: bool = False) -> Screen:
        """Returns the screen of a snapshot in a language; needs the application's context."""
        return self.screens[language, arbiter].of(news)

    def ready(self, news: TableSnapshot, language: str, *, arbiter: bool = False) -> Screen | None:
        """Returns the screen if it is rendered already, else None; needs no context."""
        return self.screens[language, arbiter].ready(news)

    def answered(self, code: str, status: int, back: str, **more: object) -> Response:
        """Returns the reply to a form: as JSON for the script that sent it, else a way back.

        Args:
            code: code of the reply.
            status: status of the response for a script.
            back: path of the page that shows the reply.
            **more: further values for a script.
        """
        if wants_json():
            return make_response({"code": code, "said": self.wording.answer(code), **more}, status)
        return make_response(redirect(f"{back}?reply={code}", 303))

    def render(self, template: str, **values: object) -> str:
        """Returns a whole page in the viewer's language."""
        return render_template(
            template,
            wording=self.wording,
            label=self.wording.label,
            age=self.link.news.age_ms(),
            silent=self.link.news.silent_ms(),
            language=self.language,
            languages=LANGUAGES,
            token=self.guard.token(),
            path=request.path,
            phone=self.phones.seat_phone,
            paired=self.phones.is_known(),
            simulated=self.link.news.table is not None,
            takes_camera=self.link.news.takes_camera,
            **values,
        )
