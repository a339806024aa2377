"""Screens of a hall's pages: the fragments of each page at one moment, rendered once for all."""

import re
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import render_template

from web.bounded_map import BoundedMap
from web.hall.page import HallPage
from web.i18n.hall_wording import HallWording, points_text
from web.presentation.fragments import Screen

_MOST: Final = 256
"""Screens that are kept: pages times languages of a large event, for organisers and others."""

_NAME: Final = re.compile(r"([a-z]+)(?:-([A-Za-z0-9_-]{1,40}))?")
"""Name of a screen: its kind and what it is of, as in `round-2`."""


@dataclass(frozen=True, slots=True)
class ScreenView:
    """The values from which a screen is made.

    Attributes:
        page: the page, the public part for spectators.
        wording: texts of the viewer's language.
        item: what the screen is of: number of a round or a table, id of a match or player.
    """

    page: HallPage
    wording: HallWording
    item: str


@dataclass(frozen=True, slots=True)
class ScreenKind:
    """One kind of screens.

    Attributes:
        fragments: names of the fragments, which are ids of elements and names of templates.
        values: returns what the templates need besides the texts.
        facts: returns values for scripts.
        is_public: True if spectators may see it.
    """

    fragments: tuple[str, ...]
    values: Callable[[ScreenView], Mapping[str, Any]]
    facts: Callable[[ScreenView], Mapping[str, object]] = lambda _: {}
    is_public: bool = False


class HallScreens:
    """Renders the screens of the newest page, and keeps them for all who see the same.

    Args:
        kinds: all kinds of screens by name.
    """

    def __init__(self, kinds: Mapping[str, ScreenKind]) -> None:
        self._kinds: Final = kinds
        self._lock: Final = threading.Lock()
        self._run: Final = secrets.token_hex(4)
        self._made: Final[BoundedMap[tuple[str, str, str], tuple[int, Screen]]] = BoundedMap(_MOST)

    def kind(self, name: str) -> ScreenKind | None:
        """Returns the kind of a screen by the name of the screen; None if there is none."""
        found = _NAME.fullmatch(name)
        return None if found is None else self._kinds.get(found[1])

    def of(
        self, page: HallPage, name: str, wording: HallWording, language: str, *, is_public: bool
    ) -> Screen:
        """Returns a screen of this or a newer page; needs the application's context.

        Args:
            page: the page of the hall.
            name: name of the screen, of a kind that exists.
            wording: texts of the viewer's language.
            language: its code.
            is_public: True for the part for everybody.
        """
        key = name, language, "" if is_public else "organiser"
        with self._lock:
            made = self._made.get(key)
            if made is None or made[0] < page.serial:
                made = page.serial, self._render(page.public if is_public else page, key, wording)
            self._made[key] = made
            return made[1]

    def _render(self, page: HallPage, key: tuple[str, str, str], wording: HallWording) -> Screen:
        found = _NAME.fullmatch(key[0])
        assert found is not None
        kind = self._kinds[found[1]]
        view = ScreenView(page, wording, found[2] or "")
        values = {"label": wording.label, "hall": wording.hall, "wording": wording}
        values |= {"points": points_text, "page": page, "item": view.item, **kind.values(view)}
        fragments = {
            name: render_template(f"hall/fragments/{name}.html", **values).strip()
            for name in kind.fragments
        }
        facts = {"connected": page.is_connected, **kind.facts(view)}
        return Screen(f"{self._run}-{'-'.join(key)}-{page.serial}", facts, fragments)
