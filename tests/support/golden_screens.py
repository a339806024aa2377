"""Golden screens: every state of a table in every language, for watchers and for arbiters.

`python -m tests.support.golden_screens` makes their digests again. With a folder as its argument it
writes the texts there: compare those of two commits before you commit new digests.
"""

import hashlib
import json
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from firmware.codes import CameraFault
from firmware.game.state import GameState
from firmware.rules.variants import default_edition
from firmware.storage.page_builder import PageContext, build_page
from tests.conftest import ROOT
from tests.support import example_pages, led_scenes
from tests.support.random_games import played
from vision.errors import BoardFailure
from vision.setup.rating import Rating
from web.app import create_app
from web.contract import (
    ArbiterPage,
    CommandName,
    FindingEntry,
    LightTestEntry,
    MeasurementCode,
    Page,
    ProbeEntry,
    RefereeState,
    SetupEntry,
)
from web.i18n.languages import LANGUAGES, wording_of
from web.presentation.fragments import Screens
from web.presentation.overlay import overlay_of
from web.table_client import TableClient, TableSnapshot

FILE: Final = ROOT / "tests" / "golden" / "screens.json"

_CODES: Final = {
    "turn": RefereeState.WAITING,
    "refused": RefereeState.REFUSED,
    "no-corner": RefereeState.REFUSED,
    "to-lift": RefereeState.TO_LIFT,
    "unsure": RefereeState.UNSURE,
    "disturbed": RefereeState.DISTURBED,
    "over": RefereeState.GAME_OVER,
}
"""The state of the referee in each state of `led_scenes.states`."""

_NAMES: Final = ("Ada", "Ben", "クレオ", "Dan")

_PLAIN: Final = tuple(code for code in RefereeState if code not in _CODES.values())
"""States of the referee that need nothing but a position."""

_SETUPS: Final = {
    "new": SetupEntry(),
    "found": SetupEntry(camera=True, board=True, by_hand=True, dropped=True, stored=False),
    "checked": SetupEntry(
        points=(
            FindingEntry("framing", Rating.MEND, "tight"),
            FindingEntry("glare", Rating.FAIR, "glare", "", ((0, 0), (1, 1))),
            FindingEntry("other", Rating.FAIR, "unknown", "Do something else."),
        ),
        camera=True,
    ),
    "lights": SetupEntry(
        lights=ProbeEntry(MeasurementCode.DONE, 196, 1, 'first = "top-left"', 0.4),
        light_test=LightTestEntry(MeasurementCode.FAILED, "", 4, 9, (), "first LED"),
    ),
    "panel": SetupEntry(lights=ProbeEntry(beside=True, lights_board=True)),
}


def pages() -> Iterator[tuple[str, Page]]:
    """Yields every page with its name, with all that an arbiter may see and do."""
    for name, make in example_pages.ALL.items():
        yield name, make()
    for game, plies in (("duo", 6), ("classic", 9), ("classic-3", 7), ("duo-4", 5)):
        position = played(game, 11, plies)
        for name, state in led_scenes.states(position).items():
            yield f"{game}-{name}", _page(state, _CODES[name])
        for code in _PLAIN:
            yield f"{game}-{code}", _page(GameState(position), code)
    empty = GameState(played("duo", 11, 0))
    for failure in BoardFailure:
        yield f"lost-{failure}", _page(empty, RefereeState.BOARD_LOST, failure=failure)
    for fault in CameraFault:
        yield f"away-{fault}", _page(empty, RefereeState.CAMERA_AWAY, fault=fault.value)
    for name, setup in _SETUPS.items():
        page = _page(empty, RefereeState.WAITING)
        yield f"setup-{name}", replace(page, private=ArbiterPage(setup=setup))
    shown = ArbiterPage(piece="2", covers=((4, 4), (4, 5)), corners=((4, 4),))
    yield "places", replace(_page(empty, RefereeState.WAITING), private=shown)


def _page(
    state: GameState,
    code: RefereeState,
    failure: BoardFailure | None = None,
    fault: str | None = None,
) -> Page:
    game = state.position.game
    context = PageContext(
        code=code,
        edition=default_edition(game),
        names=_NAMES[: game.people],
        failure=failure,
        fault=fault,
    )
    return replace(build_page(state, context), revision=7, name="000001-game")


def screens() -> dict[str, dict[str, str]]:
    """Returns the text of each fragment by page, in all languages, for watchers and arbiters."""
    texts: dict[str, dict[str, str]] = defaultdict(lambda: defaultdict(str))
    with TableClient(Path("/nowhere")) as link, create_app(link).test_request_context():
        made = {
            (language, arbiter): Screens(language, wording_of(language), arbiter=arbiter)
            for language in LANGUAGES
            for arbiter in (False, True)
        }
        for serial, (name, page) in enumerate(pages(), 1):
            shown = page if page.private else replace(page, private=ArbiterPage())
            shown = replace(shown, possible=tuple(CommandName))
            for (language, arbiter), screen in made.items():
                found = screen.of(TableSnapshot(serial, shown, connected=True))
                texts[name]["facts"] += repr(found.facts) + "\n"
                for key, text in found.fragments.items():
                    texts[name][key] += f"{language} {arbiter}\n{text}\n"
                if not arbiter:
                    texts[name]["overlay"] += "\n".join(
                        overlay_of(page, wording_of(language)).values()
                    )
    return texts


def digests(texts: dict[str, dict[str, str]]) -> dict[str, dict[str, str]]:
    """Returns a digest of each text."""

    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()[:12]

    return {
        page: {key: digest(text) for key, text in fragments.items() if text}
        for page, fragments in texts.items()
    }


def main(words: list[str]) -> None:
    """Writes digests, or texts into a folder."""
    texts = screens()
    if not words:
        FILE.write_text(json.dumps(digests(texts), indent=0) + "\n")
        return
    for page, fragments in texts.items():
        for key, text in fragments.items():
            file = Path(words[0]) / f"{page}.{key}.txt"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)


if __name__ == "__main__":
    main(sys.argv[1:])
