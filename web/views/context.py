"""What all routes of the page share."""

from dataclasses import dataclass

from flask import render_template, request

from web.game_archive import GameArchive
from web.i18n.languages import LANGUAGES, choose
from web.i18n.wording import Wording
from web.presentation.fragments import Screen, Screens
from web.security.known_phones import KnownPhones
from web.security.request_guard import RequestGuard
from web.table_client import TableClient, TableSnapshot
from web.views.sse import StreamLimiter

LANGUAGE_COOKIE = "language"


@dataclass(frozen=True, slots=True)
class ViewContext:
    """The parts of the page.

    Attributes:
        link: to the table.
        phones: tells which ones the table knows.
        archive: of past games.
        guard: of every request.
        streams: the answers that do not end.
        screens: the newest screen, by language and whether it is an arbiter's.
        everybody_sees_evidence: whether pictures of moves are for who is not paired, too.
    """

    link: TableClient
    phones: KnownPhones
    archive: GameArchive
    guard: RequestGuard
    streams: StreamLimiter
    screens: dict[tuple[str, bool], Screens]
    everybody_sees_evidence: bool = False

    @property
    def language(self) -> str:
        """The language of whoever sent this request."""
        return choose(request.cookies.get(LANGUAGE_COOKIE), request.accept_languages)

    @property
    def wording(self) -> Wording:
        """The words for whoever sent this request."""
        return self.screens[self.language, False].wording

    def screen(self, news: TableSnapshot, language: str, *, arbiter: bool = False) -> Screen:
        """The screen of this news, in a language; needs the application's context."""
        return self.screens[language, arbiter].of(news)

    def ready(self, news: TableSnapshot, language: str, *, arbiter: bool = False) -> Screen | None:
        """The same where somebody else was shown it already; without the context."""
        return self.screens[language, arbiter].ready(news)

    def render(self, template: str, **values: object) -> str:
        """A whole page, in the viewer's language."""
        return render_template(
            template,
            wording=self.wording,
            label=self.wording.label,
            age=self.link.news.age_ms(),
            language=self.language,
            languages=LANGUAGES,
            token=self.guard.token(),
            path=request.path,
            **values,
        )
