"""The board in view says what is played, in rendered pictures of a real table's parts."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from firmware.assembly.game_config import config_from_settings
from firmware.assembly.real import RealTableFactory
from firmware.assembly.services import ComposedTable
from firmware.assembly.table_places import TablePlaces
from firmware.codes import EditionKey
from firmware.rules.variants import GAMES
from firmware.settings import GameSettings, Settings, parse
from firmware.storage.camera_memory import CameraMemory
from firmware.storage.session_recorder import SessionRecorder
from tests.support.fake_table import pages_into
from tests.support.rendered_table import CLEARED, RenderedTable, whole_game
from vision.camera import Frame, NoFrame
from vision.io.image_file import decode_picture
from web.contract import Page, RefereeState

if TYPE_CHECKING:
    from firmware.game.events import Event

pytestmark = pytest.mark.slow

MOVES = whole_game(GAMES["duo"], 3)


class BoardEvening:
    """A program at a rendered table."""

    def __init__(self, table: RenderedTable, composed: ComposedTable, settings: Settings) -> None:
        self.table = table
        self.events: list[Event] = []
        self.pages: list[Page] = []
        composed.feed.publish = pages_into(self.pages)  # type: ignore[assignment, method-assign]
        game_for_size = partial(config_from_settings, settings)
        self.controller = composed.begin(
            game_for_size(),
            self.events.append,
            fresh=False,
            game_for_size=game_for_size if settings.game.game == "auto" else None,
        )
        self.numbers = composed.journal

    def look(self, frames: int = 1) -> None:
        """Takes frames of the table as it is."""
        for _ in range(frames):
            self.controller.step(self.table.now)

    def play(self, count: int, swap: int = 0) -> None:
        """Lays the first pieces of a game, each by a hand."""
        for colour, move in MOVES[:count]:
            self.table.reach()
            self.look()
            self.table.lay(colour ^ swap, move)
            self.table.leave()
            self.look(4)

    def clear(self) -> None:
        """Takes all pieces off the board by a hand."""
        self.table.reach()
        self.look()
        self.table.clear()
        self.table.leave()
        self.look(CLEARED)

    @property
    def names(self) -> list[str]:
        return [one.name for one in self.events if one.name not in ("hand", "clear")]

    @property
    def key(self) -> str:
        return self.controller.session.config.game.key

    @property
    def plies(self) -> int:
        return self.controller.session.state.piece_count


AUTO = Settings()


@contextmanager
def evening(
    folder: Path,
    table: RenderedTable,
    settings: Settings = AUTO,
    cameras: CameraMemory | None = None,
    save: Path | None = None,
) -> Iterator[BoardEvening]:
    cameras = cameras or CameraMemory(None)
    recorder = SessionRecorder(save, patience_s=10.0) if save else None
    factory = RealTableFactory(settings, table, cameras)  # type: ignore[arg-type]
    places = TablePlaces.within(folder)
    made = ComposedTable(settings, places, factory, cameras, recorder=recorder)
    with closing(made):
        out = BoardEvening(table, made, settings)
        with closing(out.controller):
            yield out


class NoBoard(RenderedTable):
    """A table without a board, until `found` is set."""

    found = False

    def read(self) -> Frame | NoFrame:
        frame = super().read()
        if self.found or isinstance(frame, NoFrame):
            return frame
        plain = frame.image.copy()
        plain[:] = 128
        return Frame(plain, frame.time_s, frame.number, frame.exposure)


def test_the_size_of_the_board_says_what_is_played(tmp_path: Path) -> None:
    for key in ("duo", "classic"):
        with evening(tmp_path / key, RenderedTable(GAMES[key])) as at:
            at.look(8)
            assert at.key == key
            assert at.names[-1] == "board-found"
            assert at.pages[-1].title == GAMES[key].title


def test_until_a_board_is_seen_the_page_looks_for_one(tmp_path: Path) -> None:
    table = NoBoard(GAMES["classic"])
    with evening(tmp_path, table) as at:
        at.look(6)
        assert at.pages[-1].state.code is RefereeState.SEARCHING
        assert at.pages[-1].state.failure is None
        at.look(2)
        assert at.pages[-1].state.failure is not None
        assert at.events == []
        table.found = True
        at.look(16)
        assert (at.key, at.pages[-1].state.code) == ("classic", RefereeState.WAITING)
    assert not (tmp_path / "games").exists()


def test_a_stored_game_decides_on_a_board_of_its_size(tmp_path: Path) -> None:
    fixed = parse({"game": {"game": "duo-4"}})
    table = RenderedTable(GAMES["duo-4"])
    with evening(tmp_path, table, fixed) as at:
        at.look(4)
        table.lay(*whole_game(GAMES["duo-4"], 1)[0])
        at.look(4)
        assert at.plies == 1
    with evening(tmp_path, table) as at:
        at.look(8)
        assert (at.key, at.plies) == ("duo-4", 1)
        assert at.names == ["board-found"]


def test_another_board_under_a_game_asks_and_its_own_board_goes_on(tmp_path: Path) -> None:
    table = RenderedTable(GAMES["duo"])
    with evening(tmp_path, table) as at:
        at.look(6)
        at.play(2)
        assert at.plies == 2
    pieces = table.table.scene.pieces
    table.put(GAMES["classic"])
    with evening(tmp_path, table) as at:
        at.look(6)
        assert at.names == ["new-game-asked"]
        page = at.pages[-1]
        assert (page.state.code, page.state.size, page.size) == (RefereeState.ANEW_ASKED, 20, 14)
        table.put(GAMES["duo"])
        for piece in pieces:
            table.lay(piece.colour, piece.move)
        at.look(40)
        assert at.names == ["new-game-asked", "board-found"]
        assert at.controller.session.state.anew_size is None
        table.put(GAMES["classic"])
    with evening(tmp_path, table) as at:
        at.look(6)
        at.controller.answer(anew=True)
        at.look(8)
        assert (at.key, at.plies, at.names[-1]) == ("classic", 0, "board-found")


def test_an_answer_in_the_terminal_begins_anew(tmp_path: Path) -> None:
    table = RenderedTable(GAMES["duo"])
    with evening(tmp_path, table) as at:
        at.look(6)
        at.play(2)
        at.clear()
        assert at.names.count("new-game-asked") == 1
        at.controller.answer(anew=True)
        at.look(8)
        assert (at.plies, at.numbers.number) == (0, 2)
        assert at.pages[-1].state.code is RefereeState.NEW_GAME
        at.play(1)
        assert at.plies == 1


def test_names_and_edition_of_the_settings_are_those_of_the_game_that_they_fit() -> None:
    chosen = Settings(game=GameSettings(names=("Ada", "Ben"), edition=EditionKey.BLACK_WHITE))
    duo, classic = (config_from_settings(chosen, size) for size in (14, 20))
    assert (duo.game.key, duo.names, duo.edition) == ("duo", ("Ada", "Ben"), ("black", "white"))
    assert (classic.game.key, classic.names) == ("classic", ())
    assert classic.edition == ("blue", "yellow", "red", "green"), "there is no other"


def test_the_support_films_what_the_table_shows() -> None:
    table = RenderedTable(GAMES["duo"])
    film = list(table.game(MOVES[:1]))
    assert len({bytes(jpeg) for jpeg in film}) == len(film) == 5
    assert decode_picture(film[0], "film").image.shape == (480, 640, 3)
