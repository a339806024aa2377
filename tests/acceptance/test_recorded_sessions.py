"""A recorded session is repeated to the same events: frames, and what people said and pressed."""

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import patch
from uuid import uuid4

import pytest

from firmware.assembly import services
from firmware.assembly.simulated import Simulation, SimulationOptions, simulated
from firmware.codes import PlayerFailure, Timing, TurnEnd
from firmware.commands.main import main
from firmware.game.event_codec import to_json
from firmware.game.events import Event
from firmware.player import table_services
from firmware.player.client import EngineClient
from firmware.player.computer_service import ComputerService
from firmware.player.engine_queue import EngineQueue
from firmware.player.measured_level import MEASURED_LEVEL, MeasuredLevel
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import default_edition
from firmware.session.feed_server import IncomingRequest
from firmware.settings import ClockSettings, GameSettings, Settings
from firmware.simulator.buttons import SimulatedButtons
from firmware.simulator.camera import SimulatedCamera
from firmware.simulator.table import TablePiece
from firmware.storage import session_recorder
from firmware.storage.session_inputs import INPUTS, ChosenMove, line_of
from firmware.storage.session_recorder import EVENTS
from tests.conftest import ROOT
from tests.firmware.player.test_hint_service import Thinker
from tests.support.fake_table import RecordingFeed
from tests.support.golden_verbs import alike
from tests.support.scripted_engine import ScriptedEngine, largest
from vision.camera import NoCamera
from vision.io.recording_notes import LIT
from web.contract import (
    ArrangeSeats,
    AssignSeat,
    Command,
    CommandRequest,
    Hint,
    NewGame,
    Overrule,
    Pause,
    PlacedPiece,
    PlayRequest,
    Request,
    Resign,
    Resume,
    SetPosition,
    Undo,
)

FRAME_S = 0.25
BY_BUTTON = Settings(game=GameSettings(turn_end=TurnEnd.BUTTON, hints=2))
AGAINST_COMPUTER = Settings(
    game=GameSettings(computer=("-", "skilled")),
    clock=ClockSettings(timing=Timing.SUDDEN_DEATH, minutes=5.0),
)


def move_of(text: str) -> Move:
    return Move.parse(text, 14)


OPENING = move_of("e10,f10,f9")
ANSWER = move_of("j5,k5,k6")
BESIDE = move_of("g9,h9")
"""A move of the first player that touches the own side."""
NEXT = move_of("l7,m7")
CORRECTED = move_of("l7,l8")
LAST = move_of("d9,d8,d7,d6")


@dataclass
class RecordedEvening:
    """A table whose session is recorded, and the people at it."""

    table: Simulation
    events: list[Event]
    token: str = field(repr=False)
    waited: int = 0

    @property
    def feed(self) -> RecordingFeed:
        feed = self.table.feed
        assert isinstance(feed, RecordingFeed)
        return feed

    def look(self, frames: int = 6) -> None:
        for _ in range(frames):
            self.table.step(FRAME_S, self.table.clock.now_s)

    def until(self, name: str) -> None:
        """Looks until an event has happened since the last one that was waited for."""
        names: list[str] = []
        for _ in range(40):
            names = [event.name for event in self.events]
            if name in names[self.waited :]:
                self.waited = 1 + names.index(name, self.waited)
                return
            self.look(1)
        raise AssertionError(f"no {name}: {names[self.waited :]}")

    @property
    def position(self) -> Position:
        return self.table.tracker.referee.state.position

    def say(self, command: Command) -> None:
        revision = self.feed.pages[-1].revision
        self.send(CommandRequest(uuid4().hex, revision, self.token, command))

    def send(self, request: Request) -> None:
        self.feed.waiting = [IncomingRequest(1, request)]
        self.look(1)
        answer = self.feed.answers[-1]
        assert (answer.id, answer.refused) == (request.id, None)

    def press(self, person: int, *, held: bool = False) -> None:
        buttons = self.table.controller.devices.buttons
        assert buttons is not None
        assert isinstance(buttons._buttons, SimulatedButtons)
        buttons._buttons.press(person, held=held)
        self.look(1)

    def lay(self, colour: int, move: Move) -> None:
        assert self.table.stage.table is not None
        self.table.stage.table.lay(TablePiece(colour, move))

    def lift(self, colour: int, move: Move) -> None:
        assert self.table.stage.table is not None
        self.table.stage.table.lift(colour, move.piece)

    def miss_the_camera(self) -> None:
        with patch.object(SimulatedCamera, "read", lambda _: NoCamera("silent", "look at it")):
            self.look(3)


@contextmanager
def evening(
    folder: Path,
    settings: Settings,
    save: Path,
    engine: Callable[[], EngineClient] | None = None,
    *,
    fresh: bool = True,
) -> Iterator[RecordedEvening]:
    events: list[Event] = []
    with (
        patch.object(services, "FeedServer", RecordingFeed),
        patch.object(table_services, "EngineClient", engine or Thinker()),
        simulated(
            settings, folder, SimulationOptions(save=save), on_event=events.append, fresh=fresh
        ) as table,
    ):
        token = table.services.pairing.verify_code(table.services.pairing.issue_code(0.0), 0.0)
        yield RecordedEvening(table, events, token)


def placed(colour: int, move: Move) -> PlacedPiece:
    return PlacedPiece(colour, tuple(divmod(square, 14) for square in move.squares))


def first_moves(at: RecordedEvening) -> None:
    """A refused piece that the arbiter accepts, and a piece that is taken back."""
    at.until("board-found")
    for person, move in enumerate((OPENING, ANSWER)):
        at.lay(person, move)
        at.look()
        at.press(person)
        at.until("move")
    at.lay(0, BESIDE)
    at.press(1)  # it is not the turn of the other
    at.until("illegal")
    at.say(Overrule())
    at.look()
    at.lay(1, NEXT)
    at.look()
    at.press(1)
    at.until("move")
    at.say(Undo())
    at.lift(1, NEXT)
    at.look()


def a_correction(at: RecordedEvening) -> None:
    """A position that is set by hand, after a hint to the player to move."""
    at.press(1, held=True)
    at.look(2)
    at.say(Hint())
    at.look(2)
    at.say(Pause())
    at.look(2)
    at.say(Resume())
    at.lay(1, CORRECTED)
    at.look(1)
    pieces = ((0, OPENING), (1, ANSWER), (0, BESIDE), (1, CORRECTED))
    at.say(SetPosition(0, tuple(placed(colour, move) for colour, move in pieces)))
    at.look()
    at.miss_the_camera()
    at.look()
    at.lay(0, LAST)
    at.look()
    at.press(0)
    at.until("move")


def another_game(at: RecordedEvening) -> None:
    at.say(Resign(1))
    at.say(NewGame(names=("Ada", "Ben")))
    at.look()
    at.say(Resign(0))


def other_than(position: Position, move: Move) -> Move:
    """Returns a legal move that shares as few squares with a move as any."""
    return min(position.legal_moves, key=lambda one: (one.mask & move.mask).bit_count())


def lay_and_await_computer(at: RecordedEvening) -> Move:
    """Lays a piece for the first person; returns the move that the computer then chooses."""
    at.lay(0, largest(at.position))
    at.until("move")
    at.until("computer-move")
    chosen = at.table.tracker.referee.state.chosen
    assert chosen is not None
    return chosen.move


def against_a_hand(at: RecordedEvening) -> None:
    """A simulated hand lays the computer's piece; undo takes it and the person's back."""
    at.until("board-found")
    first, answer = largest(at.position), lay_and_await_computer(at)
    at.until("move")
    at.say(Undo())
    at.lift(1, answer)
    at.lift(0, first)
    at.until("lifted")
    at.look()


def laid_by_a_person(at: RecordedEvening) -> None:
    """The person lays the computer's pieces: another one that the arbiter accepts, and its own."""
    by_hand = ArrangeSeats((0,), (1,), (3,), by_hand=True)
    at.send(PlayRequest(uuid4().hex, "", at.token, by_hand))
    at.until("seats")
    answer = lay_and_await_computer(at)
    at.say(Pause())
    at.say(Resume())
    at.lay(1, other_than(at.position, answer))
    at.until("illegal")
    at.say(Overrule())
    at.until("move")
    at.lay(1, lay_and_await_computer(at))
    at.until("move")


def a_failure(at: RecordedEvening, engine: ScriptedEngine) -> None:
    """A correction, after which the player fails; people play, and it tries again."""
    pieces = tuple(
        placed(colour, move) for colour, laid in enumerate(at.position.laid) for move in laid
    )
    at.say(SetPosition(1, pieces))
    at.until("computer-move")
    engine.broken = PlayerFailure.ENDED
    at.say(SetPosition(1, pieces))
    at.until("seats")
    at.lay(1, largest(at.position))
    at.until("move")
    engine.broken, engine.thinks = None, True
    at.say(AssignSeat(1, 7))
    at.lay(0, largest(at.position))
    at.until("move")
    at.until("computer-preparing")
    at.look(60)
    engine.thinks, engine.searches = False, True
    at.until("computer-ready")
    at.look(8)
    engine.searches = False
    at.until("computer-move")
    chosen = at.table.tracker.referee.state.chosen
    assert chosen is not None
    at.lay(1, chosen.move)
    at.until("move")


def the_computer_begins(at: RecordedEvening) -> None:
    at.say(NewGame(computer=(2, 0)))
    at.until("computer-move")
    at.say(Resign(1))


def without_stand_in(engine: EngineQueue, _: object, measured: MeasuredLevel) -> ComputerService:
    """Returns a computer for which nobody plays if the player fails."""
    return ComputerService(engine, None, measured)


def test_watch_repeats_an_evening_against_the_computer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    save, engine = tmp_path / "kept", ScriptedEngine()
    engine.highest_level = 9
    with (
        patch.object(table_services, "ComputerService", without_stand_in),
        evening(tmp_path / "table", AGAINST_COMPUTER, save, engine) as at,
    ):
        against_a_hand(at)
        laid_by_a_person(at)
        a_failure(at, engine)
        the_computer_begins(at)
    assert MeasuredLevel(tmp_path / "table" / MEASURED_LEVEL).level == 9
    events = (save / EVENTS).read_text(encoding="utf-8").splitlines()
    assert names(events).count("computer-move") == 6
    assert names(events).count("seats") == 3
    assert "computer-preparing" in names(events)
    assert "timed-out" not in names(events)
    assert printed(capsys, "watch", save)[:-1] == events


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """A recorded session, and its events as `run --json` prints them."""
    save = tmp_path_factory.mktemp("session") / "kept"
    with evening(tmp_path_factory.mktemp("table"), BY_BUTTON, save) as at:
        first_moves(at)
        a_correction(at)
        another_game(at)
        edition = default_edition(at.table.controller.session.config.game)
        events = [json.dumps(to_json(event, 14, edition)) for event in at.events]
    return save, events


def printed(capsys: pytest.CaptureFixture[str], *words: str | Path) -> list[str]:
    assert main([*map(str, words), "--json"]) == 0
    return capsys.readouterr().out.splitlines()


def names(lines: list[str]) -> list[str]:
    return [json.loads(line)["event"] for line in lines]


def test_the_session_has_everything_that_people_can_do(session: tuple[Path, list[str]]) -> None:
    folder, events = session
    wanted = "illegal overruled move undone hint paused resumed standing resigned camera-away"
    assert {*wanted.split(), "camera-back"} <= set(names(events))
    assert (folder / EVENTS).read_text(encoding="utf-8").splitlines() == events
    assert (folder / LIT).exists()


def test_the_session_is_as_it_was(session: tuple[Path, list[str]]) -> None:
    golden = (ROOT / "tests" / "golden" / "session-events.jsonl").read_text().splitlines()
    events = list(map(json.loads, session[1]))
    assert alike(events, list(map(json.loads, golden))), events


def test_watch_repeats_it_line_by_line(
    session: tuple[Path, list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, events = session
    *lines, summary = printed(capsys, "watch", folder)
    assert lines == events
    assert json.loads(summary)["event"] == "summary"


def test_run_repeats_it_line_by_line_and_records_the_same_again(
    session: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, events = session
    again = tmp_path / "again"
    words = ("--no-page", "--folder", tmp_path / "state", "--speed", "50", "--save", again)
    *lines, summary = printed(capsys, "run", "--camera", folder, *words)
    assert lines == events
    pictures = [path.name for path in sorted(folder.glob("*.png"))]
    assert json.loads(summary)["frames"] == len(pictures)
    assert sorted(path.name for path in again.iterdir()) == sorted(
        path.name for path in folder.iterdir()
    )
    for name in (*pictures, LIT, EVENTS):
        assert (again / name).read_bytes() == (folder / name).read_bytes(), name
    inputs, same = (
        [json.loads(line) for line in (at / INPUTS).read_text("utf-8").splitlines()]
        for at in (folder, again)
    )
    # Of a new game its settings are enough.
    assert same == [line for line in inputs if "new-game" not in str(line)]


def test_a_game_that_was_resumed_is_repeated_from_where_it_was(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table, save = tmp_path / "table", tmp_path / "kept"
    with evening(table, Settings(), tmp_path / "before") as at:
        at.until("board-found")
        at.lay(0, OPENING)
        at.until("move")
    with evening(table, Settings(), save, fresh=False) as at:
        at.until("board-found")
        at.lay(1, ANSWER)
        at.until("move")
        at.say(Undo())
        at.look()
    events = (save / EVENTS).read_text(encoding="utf-8").splitlines()
    assert json.loads(events[1])["ply"] == 2
    record = tmp_path / "game.blksgf"
    assert printed(capsys, "watch", save, "--record", record)[:-1] == events
    assert b"e10" in record.read_bytes()


def test_another_game_leaves_out_what_people_did(
    session: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in (session[0] / "000001.png", session[0] / INPUTS):
        (tmp_path / path.name).symlink_to(path)
    assert main(["watch", str(tmp_path), "--game", "classic", "--json"]) == 1
    output = capsys.readouterr()
    assert "is of Duo: what people did is left out" in output.err
    assert json.loads(output.out.splitlines()[-1])["game"] == "classic"


def test_no_token_of_a_phone_is_recorded(session: tuple[Path, list[str]]) -> None:
    folder, _ = session
    lines = (folder / INPUTS).read_text(encoding="utf-8").splitlines()
    assert sum("command" in json.loads(line) for line in lines) == 9
    assert all("token" not in line for line in lines)


@pytest.mark.parametrize("text", ["", "{}\n", '{"frame": 1, "game": 3}\n', "no json\n", "\xff\n"])
def test_inputs_that_are_damaged_are_refused(
    session: tuple[Path, list[str]],
    text: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    first = min(session[0].glob("*.png"))
    (tmp_path / first.name).write_bytes(first.read_bytes())
    (tmp_path / INPUTS).write_text(text, encoding="latin-1")
    assert main(["watch", str(tmp_path)]) == 2
    assert f"{INPUTS}, what people did, cannot be read" in capsys.readouterr().err


def continued(folder: Path, to: Path, more: str) -> None:
    """Links the files of a recording into another folder, with more text after its inputs."""
    for path in folder.iterdir():
        (to / path.name).symlink_to(path)
    (to / INPUTS).unlink()
    text = (folder / INPUTS).read_text(encoding="utf-8")
    (to / INPUTS).write_text(text + more, encoding="utf-8")


def test_a_last_line_that_a_power_cut_has_torn_is_ignored(
    session: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, events = session
    continued(folder, tmp_path, '{"frame": 9')
    assert printed(capsys, "watch", tmp_path)[:-1] == events


def test_a_choice_of_the_computer_that_does_not_fit_is_left_out(
    session: tuple[Path, list[str]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, events = session
    choice = line_of(len(list(folder.glob("*.png"))), ChosenMove(OPENING))
    continued(folder, tmp_path, f"{choice}\n")
    assert printed(capsys, "watch", tmp_path)[:-1] == events


def test_a_disk_that_gets_full_ends_the_recording_on_every_page_and_not_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    save = tmp_path / "kept"
    monkeypatch.setattr(session_recorder, "_CHECK_S", 0.0)
    with evening(tmp_path / "table", Settings(), save) as at:
        at.until("board-found")
        assert at.feed.pages[-1].recording
        with monkeypatch.context() as full:
            full.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=499_999_999))
            while at.feed.pages[-1].recording:
                assert at.table.clock.now_s < 60
                at.look(1)
        at.lay(0, OPENING)
        at.until("move")
        assert not at.feed.pages[-1].recording
    pictures = sum(1 for _ in save.glob("*.png"))
    *lines, summary = printed(capsys, "watch", save)
    assert names(lines) == ["board-found"]
    assert json.loads(summary)["frames"] == pictures
