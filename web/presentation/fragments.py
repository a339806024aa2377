"""The newest news as markup, rendered once for everybody and not once for each phone."""

import json
import secrets
import threading
from typing import Final

from flask import render_template

from web.compression import deflated
from web.i18n.wording import Wording
from web.presentation.game_summary import GameSummary, summarise_game
from web.presentation.view_model import PageView, view_of
from web.table_client import TableSnapshot

SHOWS: Final = {
    "scores": ("title", "scoring", "cards"),
    "state": ("code", "chip", "sentence", "saved"),
    "board": ("board",),
    "result": ("name", "finished"),
    "trays": ("trays",),
    "moves": ("lines",),
    "camera": ("pictures",),
    "evidence": ("name", "lines"),
    "announcement": ("announcement",),
}
"""Parts of the page that are replaced one by one, each the template of its element's id; and what
of the view each shows. One that would show the same again is not made anew."""

FRAGMENTS: Final = tuple(SHOWS)

_EVERYTHING: Final = ()
"""What the parts for arbiters show, which are made anew each time."""

_MOST_KEPT: Final = 8


class Screen:
    """The markup of each fragment at one moment.

    Attributes:
        tag: tells it from every other screen, also from those of an earlier run.
        facts: what scripts and styles go by: the state's code, the ply, and so on.
        fragments: markup by id.
    """

    __slots__ = ("_lock", "_since", "facts", "fragments", "tag")

    def __init__(self, tag: str, facts: dict[str, object], fragments: dict[str, str]) -> None:
        self.tag: Final = tag
        self.facts: Final = facts
        self.fragments: Final = fragments
        self._lock: Final = threading.Lock()
        self._since: Final[dict[tuple[str, bool], bytes]] = {}

    def since(self, shown: "Screen | None" = None, *, small: bool = False) -> bytes:
        """The facts, and the fragments that differ from those shown, as the rest of a JSON object.

        Most phones have been shown the same, so they are told the same bytes.

        Args:
            shown: what the phone has; None where it has nothing.
            small: whether as deflated blocks of a stream.
        """
        key = "" if shown is None else shown.tag, small
        with self._lock:
            said = self._since.get(key)
            if said is None:
                said = self._said_since(shown)
                said = self._since[key] = deflated(said) if small else said
                if len(self._since) > _MOST_KEPT:
                    del self._since[next(iter(self._since))]
            return said

    def _said_since(self, shown: "Screen | None") -> bytes:
        had = {} if shown is None else shown.fragments
        changed = {key: text for key, text in self.fragments.items() if had.get(key) != text}
        said = json.dumps({**self.facts, "fragments": changed}, separators=(",", ":"))
        return said.encode()[1:]


class Screens:
    """Makes the screen of the newest news, in the words of one language.

    Args:
        language: its code.
        wording: its words.
        arbiter: whether for those who may command: with what can be asked now.
        evidence: whether for those who may see what the camera saw of each move.
    """

    def __init__(
        self, language: str, wording: Wording, *, arbiter: bool = False, evidence: bool = False
    ) -> None:
        self.wording: Final = wording
        self._kind: Final = f"{language}-{'arbiter' if arbiter else 'watcher'}"
        self._arbiter: Final = arbiter
        self._evidence: Final = arbiter or evidence
        self._fragments: Final = (*FRAGMENTS, "controls", "setup") if arbiter else FRAGMENTS
        self._lock: Final = threading.Lock()
        self._run: Final = secrets.token_hex(4)
        self._made: dict[str, tuple[object, str]] = {}
        self._serial = -1
        self._screen: Screen | None = None

    def of(self, news: TableSnapshot) -> Screen:
        """The screen of this news, or of newer; needs the application's context."""
        with self._lock:
            if self._screen is None or self._serial < news.serial:
                # In this order: whoever asks `ready` meanwhile finds the older, or makes it.
                self._screen, self._serial = self._render(news), news.serial
            return self._screen

    def ready(self, news: TableSnapshot) -> Screen | None:
        """The screen of this news or newer, where it was made already."""
        screen = self._screen
        return screen if screen is not None and self._serial >= news.serial else None

    def _render(self, news: TableSnapshot) -> Screen:
        page = news.page
        if page is not None and not self._arbiter:
            page = page.public
        view = None if page is None else view_of(page, self.wording)
        outcome = summarise_game(page, self.wording) if page is not None and page.finished else None
        facts: dict[str, object] = {"connected": news.connected, "state": "no-table"}
        if view is not None:
            facts |= {"state": view.code, "ply": view.ply, "revision": view.revision}
            facts |= {"finished": view.finished, "colors": len(view.trays)}
            facts |= {"pictures": view.pictures}
        fragments = {
            key: self._fragment(key, view, outcome, connected=news.connected)
            for key in self._fragments
        }
        return Screen(f"{self._run}-{self._kind}-{news.serial}", facts, fragments)

    def _fragment(
        self, key: str, view: PageView | None, outcome: GameSummary | None, *, connected: bool
    ) -> str:
        shows = SHOWS.get(key, _EVERYTHING)
        shown = (connected, outcome, *(getattr(view, name, None) for name in shows))
        before = self._made.get(key)
        if before is not None and before[0] == shown and shows is not _EVERYTHING:
            return before[1]
        text = render_template(
            f"fragments/{key}.html",
            view=view,
            outcome=outcome,
            wording=self.wording,
            label=self.wording.label,
            connected=connected,
            evidence=self._evidence,
        ).strip()
        self._made[key] = shown, text
        return text
