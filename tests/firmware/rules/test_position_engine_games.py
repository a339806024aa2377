"""Whole games of an independent engine: equal at every ply and at the end."""

from pathlib import Path

import pytest

from firmware.records.replay import ReplayedMove, ReplayedPass, replay
from firmware.rules.scoring import score
from tests.support.engine_games import DATA, FILES, VectorGame, read_games


def agrees(game: VectorGame) -> None:
    """Replays the record of a game and compares every number of the engine."""
    entries = list(replay(game.record()))
    plies = [entry for entry in entries if isinstance(entry, ReplayedMove)]
    assert len(plies) == len(game.moves)
    for ply, count in zip(plies, game.counts, strict=True):
        where = f"{game.name}, ply {ply.number}: {ply.before!r}"
        assert ply.violations == (), where
        assert count in (None, ply.legal_moves), f"{where} has {ply.legal_moves} moves, not {count}"
    passes = [
        (entry.colour, entry.after_ply) for entry in entries if isinstance(entry, ReplayedPass)
    ]
    assert passes == game.out, game.name
    final = plies[-1].after
    assert final.is_over, f"{game.name}: {final!r}"
    found = score(final)
    assert [one.placed for one in found.colours] == game.placed, game.name
    assert [one.advanced for one in found.colours] == game.points, game.name
    for one, bonus in zip(found.colours, game.bonus, strict=True):
        assert one.advanced == bonus - one.basic, game.name


@pytest.mark.parametrize("name", FILES)
def test_games_of_the_oracle_are_played_alike(name: str) -> None:
    for game in read_games(DATA / name):
        agrees(game)


@pytest.mark.parametrize("name", FILES)
def test_all_games_of_the_oracle_are_played_alike(further_data: Path, name: str) -> None:
    for game in read_games(further_data / "rules" / name):
        agrees(game)


@pytest.mark.parametrize("name", FILES)
def test_games_of_the_oracle_are_legal_move_by_move(name: str) -> None:
    for game in read_games(DATA / name)[:3]:
        assert len(game.positions()) == len(game.moves)
