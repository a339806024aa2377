"""The whole program in one process: simulated table, camera, reader, referee, journal, page."""

import re
import shutil
from contextlib import closing
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
from PIL import Image

from firmware.assembly import services
from firmware.assembly.game_config import edition_from, variant_from
from firmware.assembly.simulated import (
    Simulation,
    SimulationOptions,
    simulated,
)
from firmware.codes import EditionKey, GameKey
from firmware.errors import SettingsError
from firmware.game.events import Event, MoveAccepted, MoveRefused, Withdrawn
from firmware.game.state import GameState, apply_event
from firmware.referee.referee import Phase
from firmware.rules.position import Position
from firmware.rules.variants import EDITIONS, GAMES
from firmware.session.feed_server import FeedServer, Published
from firmware.settings import GameSettings, Settings
from firmware.simulator.mistakes import Mistake
from firmware.simulator.people import Habits
from firmware.simulator.table import TablePiece
from firmware.storage.journal import Journal
from web.contract import Mark, Page, RefereeState
from web.presentation.doubt_view import doubt_of
from web.table_client import TableClient

pytestmark = pytest.mark.slow

FRAME_S = 0.25


@dataclass(frozen=True)
class SimulatedMoves:
    """Some moves at the simulated table, with all events."""

    table: Simulation
    folder: Path
    events: list[Event]
    pages: list[Page]


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> SimulatedMoves:
    folder = tmp_path_factory.mktemp("table")
    events: list[Event] = []
    pages: list[Page] = []
    habits = Habits(mistakes={4: Mistake.TOUCHES_OWN_SIDE}, crooked=0.5)
    table = simulated(
        Settings(),
        folder,
        SimulationOptions(5, autoplay=True, habits=habits),
        on_event=events.append,
    )
    with TableClient(folder / "feed.sock") as link:
        table.feed.start()
        while table.tracker.referee.state.piece_count < 5:
            assert table.clock.now_s < 120, "the people at the table got stuck"
            table.step(FRAME_S, table.clock.now_s)
            if link.news.page and link.news.page not in pages[-1:]:
                pages.append(link.news.page)
        table.close()
    return SimulatedMoves(table, folder, events, pages)


def test_every_move_is_accepted_as_it_was_meant(evening: SimulatedMoves) -> None:
    game, table = evening, evening.table
    assert table.people is not None
    accepted = [(one.colour, one.move) for one in game.events if isinstance(one, MoveAccepted)]
    meant = [move for moves in zip(*table.people.position.laid, strict=False) for move in moves]
    assert [move for _, move in accepted[:4]] == meant[:4]
    assert [colour for colour, _ in accepted] == [0, 1, 0, 1, 0]


def test_the_wrong_placement_is_refused_with_its_rule_and_taken_back(
    evening: SimulatedMoves,
) -> None:
    game, table = evening, evening.table
    assert table.people is not None
    ((colour, move),) = table.people.mistakes
    refused = [one for one in game.events if isinstance(one, MoveRefused)]
    assert [(one.colour, set(one.squares)) for one in refused] == [(colour, set(move.squares))]
    assert [violation.rule.value for violation in refused[0].violations] == ["touches-own-side"]
    assert sum(isinstance(one, Withdrawn) for one in game.events) == 1


def test_the_journal_has_the_game_that_was_shown(evening: SimulatedMoves) -> None:
    table = evening.table
    with Journal(evening.folder / "journal.jsonl") as journal:
        taken = journal.resume()
    assert taken is not None
    state = GameState(Position.start(taken.config.game))
    for event in taken.events:
        state = apply_event(state, event)
    assert state.position == table.tracker.referee.state.position
    assert state.history == table.tracker.referee.state.history


def test_a_table_that_starts_again_continues_with_the_pieces_where_they_were(
    evening: SimulatedMoves, tmp_path: Path
) -> None:
    folder = tmp_path / "copy"
    shutil.copytree(evening.folder, folder)
    events: list[Event] = []
    before = evening.table.tracker.referee.state
    acting = SimulationOptions(5, autoplay=True)
    with simulated(Settings(), folder, acting, on_event=events.append) as table:
        assert table.tracker.referee.state.history == before.history
        for _ in range(4):
            table.step(FRAME_S, table.clock.now_s)
        assert [event.name for event in events] == ["board-found"]
        assert table.people is not None
        assert table.people.position == before.position
    with simulated(Settings(), folder, acting, fresh=True) as table:
        assert table.tracker.referee.state.piece_count == 0
    with simulated(Settings(game=GameSettings(game=GameKey.CLASSIC)), folder, acting) as table:
        assert table.tracker.referee.state.position.game == GAMES["classic"], (
            "another game is another"
        )


def test_the_pages_that_went_out_tell_the_same_story(evening: SimulatedMoves) -> None:
    codes = {page.state.code for page in evening.pages}
    assert {RefereeState.HAND, RefereeState.REFUSED, RefereeState.ACCEPTED} <= codes
    revisions = [page.revision for page in evening.pages]
    assert revisions == sorted(set(revisions))
    refused = next(page for page in evening.pages if page.state.code is RefereeState.REFUSED)
    assert [reason.rule.value for reason in refused.refused[0].reasons] == ["touches-own-side"]
    assert len(refused.moves) == 3


def test_a_refusal_stays_on_the_page_while_the_hand_takes_the_piece_away(
    evening: SimulatedMoves,
) -> None:
    pages = evening.pages
    first = next(at for at, page in enumerate(pages) if page.refused)
    last = next(at for at, page in enumerate(pages[first:], first) if not page.refused)
    codes = [page.state.code for page in pages[first:last]]
    assert codes[0] is RefereeState.REFUSED
    assert RefereeState.HAND in codes
    assert len({page.refused for page in pages[first:last]}) == 1
    marks = [any(piece.mark is Mark.REFUSED for piece in page.pieces) for page in pages]
    assert marks[first:last] == [True] * (last - first)
    assert not marks[last]


def test_the_place_of_a_doubt_is_drawn_where_the_piece_lies_in_the_picture(
    tmp_path: Path,
) -> None:
    table = simulated(Settings(), tmp_path, SimulationOptions(5))
    board = table.tracker.referee.state.position.board
    index = board.find(board.parse_squares("e10,f10,g10,h10"))
    assert index is not None
    with TableClient(tmp_path / "feed.sock") as link, closing(table):
        table.feed.start()
        between = TablePiece(0, board.move(index), dx_mm=10.5)
        table.stage.table.lay(between)
        while link.news.doubt is None or not link.news.doubt.is_final:
            assert table.clock.now_s < 60, "the table is not in doubt"
            table.step(FRAME_S, table.clock.now_s)
        page, doubt = link.news.page, link.news.doubt
        assert page is not None
        assert doubt.picture is not None
        view = doubt_of(page, doubt)
    assert view is not None
    assert view.picture == doubt.serial
    assert len(view.shapes) > 1
    image = np.asarray(Image.open(BytesIO(doubt.picture.jpeg)).convert("HSV"))
    for shape in view.shapes:
        numbers = [float(number) for number in re.findall(r"[0-9.]+", shape)]
        x, y = np.mean(np.reshape(numbers, (-1, 2)), axis=0)
        hue, saturation, _ = image[int(y), int(x)]
        assert saturation > 100, "the middle of each candidate lies on the piece"
        assert 180 < hue < 215, "which is purple"


def test_lights_are_dark_while_the_camera_judges_what_was_laid(tmp_path: Path) -> None:
    table = simulated(Settings(), tmp_path, SimulationOptions(5, autoplay=True))
    lit: dict[Phase, set[bool]] = {}
    while table.tracker.referee.state.piece_count < 1:
        table.step(FRAME_S, table.clock.now_s)
        newest = table.stage.strip.written[-1][1]
        lit.setdefault(table.controller.session.phase, set()).add(any(newest))
    assert lit[Phase.SETTLING] == {False}
    assert True in lit[Phase.HAND]
    assert True in lit[Phase.WAITING]
    table.close()


def test_nothing_is_shown_that_is_not_on_disk(tmp_path: Path) -> None:
    counts: list[tuple[int, int]] = []

    def moves_on_disk() -> int:
        return (tmp_path / "journal.jsonl").read_text().count('\\"event\\": \\"move\\"')

    class Probe(FeedServer):
        def publish(self, message: Published) -> None:
            if isinstance(message, Page):
                counts.append((len(message.moves), moves_on_disk()))

    with (
        patch.object(services, "FeedServer", Probe),
        simulated(Settings(), tmp_path, SimulationOptions(5, autoplay=True)) as table,
    ):
        while table.tracker.referee.state.piece_count < 2:
            table.step(FRAME_S, table.clock.now_s)
    assert max(shown for shown, _ in counts) == 2
    assert all(shown <= recorded for shown, recorded in counts)


def test_settings_choose_game_edition_and_shared_colour() -> None:
    duo = Settings(game=GameSettings(edition=EditionKey.BLACK_WHITE))
    assert edition_from(duo, variant_from(duo)) == EDITIONS["black-white"]
    classic = Settings(game=GameSettings(game=GameKey.CLASSIC_3, edition=EditionKey.BLACK_WHITE))
    with pytest.raises(SettingsError, match=r"has 4 colours; game.edition = 'black-white' has 2"):
        edition_from(classic, variant_from(classic))
    shared = Settings(game=GameSettings(game=GameKey.CLASSIC_3, shared_colour="yellow"))
    assert variant_from(shared) == GAMES["classic-3"].sharing(1)
    assert variant_from(duo) == GAMES["duo"]
