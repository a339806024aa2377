"""A player behind a socket, started for each connection as systemd does."""

import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.player.client import EngineClient, SearchRequest
from firmware.player.search_process import SOCKET_VARIABLE, command
from firmware.rules.position import Position
from tests.conftest import ROOT
from tests.support.waiting import eventually

pytestmark = pytest.mark.slow

START_S = 300
"""Seconds for a first answer: the first process after a change compiles the kernels."""


class SocketUnit:
    """Accepts connections, and starts a player with each as its input and output."""

    def __init__(self, path: Path) -> None:
        self.players: list[subprocess.Popen[bytes]] = []
        self._listening = socket.socket(socket.AF_UNIX)
        self._listening.bind(str(path))
        self._listening.listen()
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listening.accept()
            except OSError:
                return
            words = command("serve", "--memory", "16")
            with connection:
                self.players.append(
                    subprocess.Popen(
                        words, stdin=connection.fileno(), stdout=connection.fileno(), cwd=ROOT
                    )
                )

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for player in self.players:
            player.kill()
            player.wait()


@pytest.fixture
def unit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SocketUnit]:
    path = tmp_path / "player.sock"
    listening = SocketUnit(path)
    monkeypatch.setenv(SOCKET_VARIABLE, str(path))
    yield listening
    listening.close()


def test_a_player_answers_over_a_socket_and_ends_with_it(unit: SocketUnit) -> None:
    link = EngineClient()
    request = link.ask(SearchRequest(str(Position.start("duo")), level=1))
    answer = link.wait(request, START_S)
    assert answer is not None
    assert answer.choices
    link.close()
    eventually(lambda: unit.players[0].poll() is not None, 30)
    with pytest.raises(PlayerError, match="has ended"):
        link.ask(SearchRequest(str(Position.start("duo")), level=1))


def test_a_player_that_dies_is_noticed(unit: SocketUnit) -> None:
    link = EngineClient()
    request = link.ask(SearchRequest(str(Position.start("duo")), seconds=3600))
    eventually(lambda: unit.players)
    unit.players[0].kill()
    with pytest.raises(PlayerError) as ended:
        eventually(lambda: link.answer(request), 30)
    assert ended.value.code is PlayerFailure.ENDED
    link.close()


def test_a_socket_at_which_nobody_listens_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SOCKET_VARIABLE, str(tmp_path / "none.sock"))
    with pytest.raises(PlayerError, match="cannot be started: No such file or directory"):
        EngineClient()
