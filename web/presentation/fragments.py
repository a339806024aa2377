"""The newest snapshot as markup, rendered once for all phones."""

import json
import secrets
import threading
from collections.abc import Callable
from operator import attrgetter
from typing import Final

from flask import render_template

from web.bounded_map import BoundedMap
from web.compression import deflated
from web.contract import MoveEntry, PictureAudience
from web.i18n.wording import Wording
from web.presentation.club_view import club_of, hall_of
from web.presentation.doubt_view import doubt_of
from web.presentation.game_summary import summarise_game
from web.presentation.invitation import invitation_of
from web.presentation.played_table import played_table
from web.presentation.view_model import view_of
from web.table_client import TableSnapshot

SHOWS: Final = {
    "scores": ("title", "page.scoring", "page.finished", "cards", "lead", "puzzle"),
    "state": ("page.state", "chip", "sentence", "page.saved", "notices", "refusals"),
    "board": ("board",),
    "result": ("page.name", "page.ply", "page.possible", "rematch", "puzzle"),
    "trays": ("trays",),
    "moves": ("lines",),
    "camera": ("page.pictures",),
    "evidence": ("page.name", "lines", "puzzle"),
    "announcement": ("page.state", "announcement"),
    "invitation": (),
}
"""Fields of the view that each fragment shows, by name of its template and element id. A fragment
is rendered again only if one of its fields, the outcome or the invitation has changed."""

_FOR_ARBITERS: Final = ("question", "controls", "setup", "steps", "places", "measurements")
"""Fragments for arbiters, which are always rendered again."""

_CACHE_SIZE: Final = 8
"""Encoded differences that a screen caches."""


class Screen:
    """The markup of each fragment at one moment.

    Attributes:
        tag: identifier, unique also across runs.
        facts: values for scripts and styles: the state's code, the ply, and so on.
        fragments: markup by element id.
    """

    __slots__ = ("_lock", "_since", "facts", "fragments", "tag")

    def __init__(self, tag: str, facts: dict[str, object], fragments: dict[str, str]) -> None:
        self.tag: Final = tag
        self.facts: Final = facts
        self.fragments: Final = fragments
        self._lock: Final = threading.Lock()
        self._since: Final[BoundedMap[tuple[str, bool], bytes]] = BoundedMap(_CACHE_SIZE)

    def since(self, previous: "Screen | None" = None, *, small: bool = False) -> bytes:
        """Returns the facts and the changed fragments: a JSON object without its opening brace.

        Most phones have the same previous screen, so the result is cached.

        Args:
            previous: screen that the phone has; None if it has none.
            small: True for deflated blocks of a stream.
        """
        key = "" if previous is None else previous.tag, small
        with self._lock:
            data = self._since.get(key)
            if data is None:
                data = self._difference(previous)
                data = self._since[key] = deflated(data) if small else data
            return data

    def is_like(self, previous: "Screen") -> bool:
        """True if nothing differs from a screen."""
        return self.facts == previous.facts and self.fragments == previous.fragments

    def _difference(self, previous: "Screen | None") -> bytes:
        old = {} if previous is None else previous.fragments
        changed = {key: text for key, text in self.fragments.items() if old.get(key) != text}
        text = json.dumps({**self.facts, "fragments": changed}, separators=(",", ":"))
        return text.encode()[1:]


class Screens:
    """Renders the screen of the newest snapshot in one language.

    Args:
        language: code of the language.
        wording: texts of the language.
        arbiter: True for arbiters: with the possible commands.
        evidence: True for viewers who may see the pictures of moves.
        addresses: returns the addresses at which phones open the page, the best one first.
    """

    def __init__(
        self,
        language: str,
        wording: Wording,
        *,
        arbiter: bool = False,
        evidence: bool = False,
        addresses: Callable[[], tuple[str, ...]] = tuple,
    ) -> None:
        self.wording: Final = wording
        self._kind: Final = f"{language}-{'arbiter' if arbiter else 'watcher'}"
        self._arbiter: Final = arbiter
        self._evidence: Final = arbiter or evidence
        self._always: Final = _FOR_ARBITERS if arbiter else ()
        self._addresses: Final = addresses
        self._lock: Final = threading.Lock()
        self._run: Final = secrets.token_hex(4)
        self._made: dict[str, tuple[object, str]] = {}
        self._serial = -1
        self._screen: Screen | None = None

    def of(self, news: TableSnapshot) -> Screen:
        """Returns the screen of this or a newer snapshot; needs the application's context."""
        with self._lock:
            if self._screen is None or self._serial < news.serial:
                # In this order: `ready` in another thread sees the older serial until both are set.
                self._screen, self._serial = self._render(news), news.serial
            return self._screen

    def ready(self, news: TableSnapshot) -> Screen | None:
        """Returns the screen of this or a newer snapshot, if it is rendered already."""
        screen = self._screen
        return screen if screen is not None and self._serial >= news.serial else None

    def _render(self, news: TableSnapshot) -> Screen:
        page = news.page
        if page is not None and not self._arbiter:
            page = page.public
        view = None if page is None else view_of(page, self.wording)
        outcome = summarise_game(page, self.wording) if page is not None and page.finished else None
        invitation = invitation_of(page, self._addresses())
        facts: dict[str, object] = {"connected": news.connected, "state": "no-table"}
        if view is not None and page is not None:
            facts |= {"state": page.state.code.value, "ply": page.ply, "revision": page.revision}
            facts |= {"finished": page.finished, "colors": len(page.colours)}
            mover = None if page.turn is None else page.mover(MoveEntry(page.ply, page.turn))
            facts["turn"] = None if page.finished else mover
            facts |= {"pictures": page.pictures is not PictureAudience.NOBODY}
            if view.setup is not None:
                facts |= {"done": view.setup.done, "running": view.setup.running}
        doubt = doubt_of(page, news.doubt) if page is not None and self._arbiter else None
        values = {
            "view": view,
            "outcome": outcome,
            "invitation": invitation,
            "doubt": doubt,
            "connected": news.connected,
            "takes_camera": news.takes_camera,
        }
        fragments = {}
        content = news.connected, view is None, outcome, invitation
        for key, names in SHOWS.items():
            shown = () if view is None else tuple(attrgetter(name)(view) for name in names)
            fragments[key] = self._fragment(key, (content, shown), **values)
        for key in self._always:
            fragments[key] = self._fragment(key, object(), **values)
        hall = hall_of(news.club, news.late_ms())
        club = None if page is None else club_of(news.club, page, self.wording)
        fragments["hall"] = self._fragment("hall", hall, hall=hall)
        fragments["club"] = self._fragment("club", club, club=club)
        simulated = news.table is not None
        shown = club, simulated
        fragments["seats"] = self._fragment("seats", shown, club=club, simulated=simulated)
        if news.table is not None and page is not None:
            fragments["table"] = played_table(news.table, news.club, page, self.wording)
        return Screen(f"{self._run}-{self._kind}-{news.serial}", facts, fragments)

    def _fragment(self, key: str, shown: object, **values: object) -> str:
        """Returns a fragment: the one before if it shows the same, else it is rendered."""
        before = self._made.get(key)
        if before is not None and before[0] == shown:
            return before[1]
        text = render_template(
            f"fragments/{key}.html",
            wording=self.wording,
            label=self.wording.label,
            evidence=self._evidence,
            arbiter=self._arbiter,
            **values,
        ).strip()
        self._made[key] = shown, text
        return text
