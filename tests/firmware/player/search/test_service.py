"""Answers of the player's process near the end of a game: they are proved."""

import json
import threading
from dataclasses import asdict
from typing import Any

import pytest

from firmware.player.client import SearchRequest
from firmware.player.readiness import MODULES
from firmware.player.search.jit import _KERNELS, kept_share
from firmware.player.search.player import SearchPlayer
from firmware.player.search.service import PlayerService, SolverService
from firmware.player.search_result import from_json
from firmware.rules.position import Position
from tests.firmware.player.search.test_endgame import line

pytestmark = pytest.mark.slow


def answered(position: Position, level: int | None) -> dict[str, Any]:
    """The last answer of the service, without limits of time for the proof."""
    sent: list[dict[str, Any]] = []
    service = PlayerService(SearchPlayer(memory_mb=1))
    service.warm()
    service.answer(
        asdict(SearchRequest(str(position), level=level)), threading.Event(), sent.append
    )
    return sent[-1]


def test_every_kernel_belongs_to_a_service_and_is_compiled_once_that_is_ready() -> None:
    """The share that is told comes to 1, also after a kernel was added."""
    for service in (PlayerService(SearchPlayer(memory_mb=1)), SolverService()):
        service.warm()
        assert kept_share(MODULES[service.key].split()) == 1.0
    # Those of the trainer are no part of it.
    own = [one.__module__ for one in _KERNELS if one.__module__.startswith("firmware.")]
    modules = {module.rpartition(".")[2] for module in own}
    assert modules == set(" ".join(MODULES.values()).split())


def test_a_late_position_is_proved_from_the_seventh_level_up() -> None:
    position = line(3)[-4]
    row = answered(position, 7)
    answer = from_json(json.loads(json.dumps(row)))
    assert answer.done
    assert answer.proved == answer.choices[0].proved is not None
    margins = [one.proved for one in answer.choices if one.proved is not None]
    assert margins == sorted(margins, reverse=True)
    expected = {True: 1.0, False: 0.0}[answer.proved > 0] if answer.proved else 0.5
    assert answer.choices[0].value == expected
    assert answered(position, 6)["proved"] is None
