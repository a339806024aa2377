"""Two evenings of `cornerlight run` at a camera in the network, without touching a setting."""

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from uuid import uuid4

from firmware.rules.variants import GAMES
from tests.support.http_camera import CameraRequest, HttpCameraServer, part, stream_head
from tests.support.rendered_table import Laid, RenderedTable, whole_game
from tests.support.running_table import RunningTable, pairing_number
from tests.support.waiting import eventually
from web.contract import (
    BeginAnew,
    Command,
    CommandRequest,
    Page,
    PairRequest,
    RefereeState,
    Reply,
)
from web.table_client import TableClient

PERIOD_S = 0.2
"""Seconds between two pictures of the stream."""


class ArbiterPhone:
    """A phone that is paired with the table."""

    def __init__(self, link: TableClient, number: str) -> None:
        self._link = link
        reply = link.ask(PairRequest(uuid4().hex, number))
        assert reply is not None
        assert reply.token
        self._token = reply.token

    @property
    def page(self) -> Page:
        page = self._link.news.page
        assert page is not None
        return page

    def ask(self, command: Command) -> Reply | None:
        request = CommandRequest(uuid4().hex, self.page.revision, self._token, command)
        return self._link.ask(request)


@contextmanager
def filmed(table: RenderedTable) -> Iterator[HttpCameraServer]:
    """Serves the pictures of a table as a stream."""
    lock = threading.Lock()

    def respond(_: CameraRequest, line: socket.socket) -> object:
        line.sendall(stream_head())
        while True:
            with lock:
                [jpeg] = table.jpegs(1)
            line.sendall(part(jpeg))
            time.sleep(PERIOD_S)

    with HttpCameraServer(respond) as server:
        yield server


def play(run: RunningTable, table: RenderedTable, moves: list[Laid], begins: int = 0) -> None:
    """Lays pieces, each after the one before was accepted."""
    for ply, (colour, move) in enumerate(moves, 1):
        table.reach()
        time.sleep(3 * PERIOD_S)
        table.lay(colour ^ begins, move)
        table.leave()
        accepted = run.wait_for("move", ply=ply)
        assert set(accepted["cells"]) == set(str(move).split(","))


def clear_away(table: RenderedTable) -> None:
    """Takes the pieces off the board in three reaches."""
    pieces = table.table.scene.pieces
    for some in (pieces[::3], pieces[1::3], pieces[2::3]):
        table.reach()
        time.sleep(3 * PERIOD_S)
        for placed in some:
            table.table.lift(placed.colour, placed.move.piece)
        table.leave()
        time.sleep(6 * PERIOD_S)


def stored_games(folder: Path) -> list[tuple[bool, int]]:
    """Returns of each stored game True if it has a result, and the number of its moves."""
    records = [path / "record.blksgf" for path in sorted((folder / "games").iterdir())]
    contents = [record.read_bytes() for record in records if record.exists()]
    return [(b"RE[" in one, one.count(b";B[") + one.count(b";W[")) for one in contents]


def test_two_evenings_in_a_row(tmp_path: Path) -> None:
    table = RenderedTable(GAMES["duo"])
    first, second, third = (whole_game(GAMES["duo"], seed) for seed in (3, 4, 5))
    with filmed(table) as camera:
        url = camera.url("/video")
        with RunningTable(url, tmp_path) as evening:
            evening.wait_for("board-found")
            play(evening, table, first)
            evening.wait_for("game-over")
            clear_away(table)
            assert evening.wait_for("new-game")["begins"] == "orange"
            assert set(evening.names()) <= {"board-found", "move", "pass", "game-over", "new-game"}
            evening.wait_for("board-found")
            play(evening, table, second[:4], begins=1)
            evening.end(signal.SIGKILL)
        table.clear()
        with RunningTable(url, tmp_path) as evening, TableClient(tmp_path / "feed.sock") as link:
            assert evening.wait_for("new-game-asked")["size"] == 14
            eventually(lambda: link.news.phones is not None)
            phone = ArbiterPhone(link, pairing_number(tmp_path))
            assert phone.page.state.code is RefereeState.ANEW_ASKED
            assert len(phone.page.moves) == 4
            reply = phone.ask(BeginAnew())
            assert reply is not None
            assert reply.refused is None
            assert evening.wait_for("new-game")["begins"] == "orange"
            evening.wait_for("board-found")
            play(evening, table, third, begins=1)
            evening.wait_for("game-over")
            eventually(lambda: phone.page.result is not None)
            assert evening.end(signal.SIGTERM) == 0
    assert stored_games(tmp_path) == [(True, len(first)), (False, 4), (True, len(third))]


def test_a_recording_that_ends_with_a_cleared_board_sums_up_the_game_that_was_played(
    tmp_path: Path,
) -> None:
    table, film = RenderedTable(GAMES["duo"]), tmp_path / "film"
    film.mkdir()
    moves = whole_game(GAMES["duo"], 3)
    for count, jpeg in enumerate(chain(table.jpegs(6), table.game(moves), table.cleared()), 1):
        (film / f"{count:06}.jpg").write_bytes(jpeg)
    words = ["run", "--camera", str(film), "--no-page", "--folder", str(tmp_path / "state")]
    command = [sys.executable, "-m", "firmware", *words, "--json"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    events = [json.loads(line) for line in printed.splitlines()]
    assert [one["event"] for one in events].count("new-game") == 1
    assert (events[-1]["moves"], events[-1]["finished"]) == (len(moves), True)


def test_lights_that_no_recording_can_show_hold_up_none_of_its_moves(tmp_path: Path) -> None:
    table, film, settings = RenderedTable(GAMES["duo"]), tmp_path / "film", tmp_path / "table.toml"
    film.mkdir()
    settings.write_text('[lights]\ndriver = "wled"\ndevice = "127.0.0.1:9"\n')
    moves = whole_game(GAMES["duo"], 3)[:2]
    for count, jpeg in enumerate(chain(table.jpegs(6), table.game(moves)), 1):
        (film / f"{count:06}.jpg").write_bytes(jpeg)
    state = ["--folder", str(tmp_path / "state"), "--config", str(settings)]
    words = ["run", "--camera", str(film), "--no-page", "--json", *state]
    command = [sys.executable, "-m", "firmware", *words]
    printed = subprocess.run(command, check=True, capture_output=True, text=True)
    assert "the lights do not work: WLED at 127.0.0.1:9" in printed.stderr
    assert printed.stdout.count('"event": "move"') == len(moves)
