"""The player's process from the table's side: requests, stops, kills, and failures."""

import json
import os
import re
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import pytest

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.player import search_process
from firmware.player.client import EngineClient, SearchRequest
from firmware.player.engine_queue import EngineQueue
from firmware.player.hint_service import HintService
from firmware.player.search_process import available_mb, check_player, command
from firmware.player.search_result import SearchResult, to_json
from firmware.records.record import Record
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.conftest import ROOT
from tests.support.process_tree import children
from tests.support.waiting import eventually
from tests.support.wall_clock import WALL_CLOCK

pytestmark = pytest.mark.slow

START_S = 300
"""Seconds for a first answer: the first process after a change compiles the kernels."""

NICENESS = min(os.nice(0) + 10, 19)
"""Niceness of the player: 10 more than that of the tests."""


@WALL_CLOCK
def test_a_position_goes_in_and_choices_come_out() -> None:
    position = Position.start("duo").play(Move.parse("e9,d10,e10,f10,e11", 14))
    link = EngineClient(memory_mb=16)
    try:
        begun = time.perf_counter()
        request = link.ask(SearchRequest(str(position), seconds=0.3, most=3))
        assert time.perf_counter() - begun < 0.2, "asking does not wait"
        answer = link.wait(request, START_S)
        assert answer is not None
        assert len(answer.choices) == 3
        assert all(one.move in position.legal_moves for one in answer.choices)
        # A newer request ends the previous one.
        link.ask(SearchRequest(str(position), seconds=3600))
        request = link.ask(SearchRequest(str(position), level=1))
        answer = link.wait(request, START_S)
        assert answer is not None
        assert answer is link.answer(request)
    finally:
        link.close()


def test_a_level_and_a_seed_name_the_same_move_each_time() -> None:
    position = str(Position.start("duo"))
    link = EngineClient(memory_mb=16)
    try:
        moves: dict[tuple[int, int], Move] = {}
        for level, seed in ((1, 1), (8, 1), (8, 1), (1, 2), (1, 3), (1, 1)):
            answer = link.wait(link.ask(SearchRequest(position, level=level, seed=seed)), START_S)
            assert answer is not None
            move = answer.choices[0].move
            assert moves.setdefault((level, seed), move) == move
        assert len({move for (level, _), move in moves.items() if level == 1}) > 1
        answer = link.wait(link.ask(SearchRequest(position, simulations=70)), START_S)
        assert answer is not None
        assert answer.simulations == 70
        answer = link.wait(link.ask(SearchRequest(position, seconds=0.5)), START_S)
        assert answer is not None
        assert answer.highest_level in range(6, 13), "of a machine that runs these tests"
    finally:
        link.close()


def test_a_killed_process_is_noticed_and_nobody_waits_for_it() -> None:
    link = EngineClient(memory_mb=16)
    request = link.ask(SearchRequest(str(Position.start("duo")), seconds=3600))
    link.close()
    with pytest.raises(PlayerError, match="has ended"):
        link.answer(request)
    with pytest.raises(PlayerError, match="has ended"):
        link.ask(SearchRequest(str(Position.start("duo")), seconds=1))


def test_a_process_that_dies_after_a_first_answer_ends_the_wait() -> None:
    link = EngineClient(memory_mb=16)
    request = link.ask(SearchRequest(str(Position.start("duo")), seconds=3600))

    def kill(_: SearchResult) -> None:
        link._process.kill()
        link._process.wait()

    with pytest.raises(PlayerError, match="has ended"):
        link.finish(request, 300.0, kill, lambda _: None)
    link.close()


def test_a_player_that_was_killed_between_two_hints_is_noticed_and_replaced() -> None:
    links: list[EngineClient] = []

    def start() -> EngineClient:
        links.append(EngineClient(memory_mb=16))
        return links[-1]

    engine = EngineQueue(start)
    advice, position = HintService(engine), Position.start("duo")
    assert advice.ask(position)
    links[0]._process.kill()  # like the system when memory runs out
    links[0]._process.wait()
    after = position.play(next(iter(position.legal_moves)))
    assert not advice.ask(after), "and nothing is raised"
    assert advice.failure is PlayerFailure.ENDED
    assert advice.ask(position)
    assert len(links) == 2
    engine.close()


def test_a_process_that_cannot_be_started_is_reported_in_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_process, "command", lambda *_: ["/nowhere/player"])
    with pytest.raises(PlayerError, match="cannot be started: No such file or directory"):
        EngineClient()


def test_the_start_is_told_until_the_first_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = tmp_path / "said"
    said.write_text('{"request": 1, "start": [31, 40]}\n')
    program = f"exec tail -f -n +1 {said}"
    monkeypatch.setattr(search_process, "command", lambda *_: ["sh", "-c", program])
    with closing(EngineClient()) as link:
        assert link.starting in ((100, None), (31, 40))
        request = link.ask(SearchRequest(str(Position.start("duo"))))
        eventually(lambda: link.starting == (31, 40))
        assert link.answer(request) is None, "it is no answer"
        answer = {"request": 1, **to_json(SearchResult((), done=True))}
        with said.open("a") as file:
            file.write(json.dumps(answer) + "\n")
        eventually(lambda: link.answer(request) is not None)
        assert link.starting is None


@pytest.mark.parametrize(
    "output",
    [
        "nonsense",
        "[]",
        '{"request": 1}',
        '{"choices": 7}',
        '{"start": 7}',
        '{"start": ["far", null]}',
        '"choices"',
        "\\xff",
        "[" * 9000,
        '{"size": 14, "choices": [{"cells": ["z99"]}], "request": 1}',
        '{"size": 14, "choices": [{"cells": ["a1", "a3"]}], "request": 1}',
        '{"choices": [], "simulations": Infinity, "seconds": 1, "request": 1, "done": true}',
    ],
)
def test_a_process_that_says_what_makes_no_sense_is_ended(
    output: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["sh", "-c", f"printf '%b\\n' '{output}'; sleep 60"]
    monkeypatch.setattr(search_process, "command", lambda *_: words)
    link = EngineClient()
    try:
        with pytest.raises(PlayerError, match="has ended"):
            link.wait(link.ask(SearchRequest(str(Position.start("duo")), seconds=1)), 20.0)
    finally:
        link.close()


def test_where_threads_cannot_be_started_there_is_no_hint_and_no_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    before = children(os.getpid())
    with monkeypatch.context() as refused:
        refused.setattr(threading.Thread, "start", refuse)
        with pytest.raises(PlayerError, match="can't start new thread"):
            EngineClient()
    assert children(os.getpid()) <= before


def test_the_process_limits_itself() -> None:
    link = EngineClient(memory_mb=16)
    try:
        request = link.ask(SearchRequest(str(Position.start("duo")), seconds=0.1))
        assert link.wait(request, START_S) is not None
        assert isinstance(link._process, subprocess.Popen)
        process = Path("/proc") / str(link._process.pid)
        limits = (process / "limits").read_text()
        assert re.search(r"Max address space +2147483648 +2147483648", limits)
        assert os.getpriority(os.PRIO_PROCESS, link._process.pid) == NICENESS
    finally:
        link.close()


def test_the_process_limits_itself_before_it_loads_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text(
        "import os, resource, sys\n"
        "print(resource.getrlimit(resource.RLIMIT_AS)[1], os.nice(0))\n"
        "sys.exit()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    words = command("serve")
    done = subprocess.run(
        words, capture_output=True, text=True, cwd=ROOT, env=environment, check=True
    )
    assert done.stdout == f"{2048 * 2**20} {NICENESS}\n"


def test_where_memory_is_small_there_is_no_hint_and_that_is_reported(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search_process, "available_mb", lambda: 180.0)
    with pytest.raises(PlayerError, match="needs 350 MB of free memory and this machine has 180"):
        EngineClient()


def test_available_memory_is_read_from_the_system(tmp_path: Path) -> None:
    meminfo = tmp_path / "meminfo"
    meminfo.write_text("MemTotal:  507904 kB\nMemAvailable:  262144 kB\n")
    assert available_mb(meminfo) == 256
    assert available_mb(tmp_path / "none") is None


def test_a_player_that_make_installs_now_is_waited_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(search_process, "find_spec", lambda _: None)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    mark = tmp_path / "installs-player"
    mark.touch()
    with pytest.raises(PlayerError, match="is being installed; try again in a minute") as caught:
        check_player()
    assert caught.value.code is PlayerFailure.INSTALLING
    os.utime(mark, (0, 0))  # left by a `make` that was killed
    with pytest.raises(PlayerError, match="install it with") as caught:
        check_player()
    assert caught.value.code is PlayerFailure.NOT_INSTALLED


def test_without_numba_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search_process, "find_spec", lambda _: None)
    with pytest.raises(PlayerError, match=r"-m pip install numba$"):
        check_player()


def test_a_hint_names_legal_moves(tmp_path: Path) -> None:
    position = Position.start("duo")
    record = Record.new(position.game)
    for text in ("e9,d10,e10,f10,e11", "j5,i6,j6,k6,j7", "i7,h8,i8,g9,h9"):
        move = Move.parse(text, 14)
        assert position.to_move is not None
        record.play(move, position.to_move)
        position = position.play(move)
    path = tmp_path / "game.blksgf"
    path.write_bytes(record.write())
    done = hint(path)
    assert done.returncode == 0, done.stderr
    row = json.loads(done.stdout)
    assert (row["game"], row["to_move"]) == ("duo", "orange")
    best = row["moves"][0]
    assert Move.parse(",".join(best["cells"]), 14) in position.legal_moves
    assert best["piece"] == Move.parse(",".join(best["cells"]), 14).piece.name
    assert 0 <= best["value"] <= 1


def test_a_game_that_is_over_has_no_hint() -> None:
    done = hint(ROOT / "tests" / "records" / "club-evening.blksgf")
    assert done.returncode == 1
    assert "the game is over" in done.stderr


def hint(record: Path) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "firmware", "hint", str(record), "--level", "1", "--json"]
    return subprocess.run(words, capture_output=True, text=True, cwd=ROOT, check=False)
