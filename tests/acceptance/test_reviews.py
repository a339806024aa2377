"""The real player reviews games of all kinds: whole ones, and some with overruled moves."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.commands.main import main
from firmware.player import review_search
from firmware.player.client import EngineClient
from firmware.player.verbs import hint_review
from firmware.rules.variants import GAMES
from tests.support.random_games import overruled_game, random_game


class SharedEngine:
    """A process of the player that no review ends."""

    def __init__(self, engine: EngineClient) -> None:
        self._engine = engine

    def __call__(self, **_: object) -> "SharedEngine":
        return self

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def close(self) -> None:
        """Ends nothing: the next review asks the same process."""


@pytest.fixture(scope="module")
def engine() -> Iterator[SharedEngine]:
    with closing(EngineClient()) as started:
        yield SharedEngine(started)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("is_whole", [True, False])
def test_it_is_complete_and_says_nothing_about_illegal_moves(
    game: str,
    is_whole: bool,  # noqa: FBT001
    engine: SharedEngine,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(review_search, "SIMULATIONS", 60)
    monkeypatch.setattr(hint_review, "EngineClient", engine)
    record, _ = random_game(game, 5) if is_whole else overruled_game(game, 5, 24)
    path = tmp_path / "game.blksgf"
    path.write_bytes(record.write())
    assert main(["hint", str(path), "--review", "--json"]) == 0
    printed = capsys.readouterr()
    *moves, summary = map(json.loads, printed.out.splitlines())
    assert not printed.err
    assert all(one["legal"] == (one["value"] is not None) for one in moves)
    assert is_whole == all(one["legal"] for one in moves)
    assert summary["finished"] == is_whole
    assert summary["complete"]
    assert set(summary["moments"]) <= {one["ply"] for one in moves if one["legal"]}
