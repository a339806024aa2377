"""Each long trial at a length of 1 to 3 minutes, with bounds of its results.

`python -m tests.evaluation` runs them at full length. Trials that need further data, the `teaching`
extra, or another engine are left out.
"""

import random
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from firmware.codes import Translucency
from firmware.player.search.player import SearchLimits, SearchPlayer
from firmware.rules.variants import EDITIONS, GAMES, default_edition
from tests.evaluation import (
    crash,
    damage,
    faults,
    framing,
    glow,
    power_cut,
    readings,
    silence,
    soak,
)
from tests.evaluation.connections import can_isolate, isolated
from tests.evaluation.file_fuzz import KINDS, fuzz
from tests.evaluation.guessing import HOUR_S, spend
from tests.evaluation.illegal import drawn, judged, read_back
from tests.evaluation.player_fuzz import PositionTally, examine, positions
from tests.evaluation.tournaments import group_tournaments, pair_tournaments
from tests.support.random_games import played

NEVER = (
    "wrong accepts",
    "wrong refusals",
    "refused other squares",
    "refused by other rules",
    "wrongly disturbed or undone",
    "accidents missed",
    "stuck",
)


@pytest.mark.parametrize("game", GAMES)
def test_games_with_accidents_have_no_wrong_verdict_at_any_sight(game: str) -> None:
    tally = readings.soak(game, readings.SIGHTS, len(readings.SIGHTS), seed=2000)
    assert tally["placements"] > 100
    assert {name: tally[name] for name in NEVER if tally[name]} == {}


@pytest.mark.parametrize("game", ["duo", "classic"])
def test_rendered_games_with_accidents_have_no_wrong_verdict(game: str) -> None:
    rows = [row for one, _ in soak.soak(game, 5200, 60, ()) for row in one.rows]
    assert len(rows) >= 60
    assert [row for row in rows if row.outcome.is_wrong] == []


def test_boards_laid_against_the_rules_are_read() -> None:
    total: Counter[str] = Counter()
    for seed in range(1, 31):
        board = drawn(seed)
        total += judged(board, read_back(board, seed))
    assert (total["lost"], total["other_edition"], total["silent"]) == (0, 0, 0)
    assert total["exact"] > 20


def test_lights_fool_no_reading_in_the_dark() -> None:
    games = [("duo", "-".join(EDITIONS[name])) for name in ("purple-orange", "black-white")]
    found = list(glow.sweep(games, [12], [0.2, 1.0], every=2))
    assert len(found) > 20
    assert [case for case, one in found if one.dark or one.hand] == []


@pytest.mark.parametrize("game", ["duo", "classic"])
def test_what_comes_without_a_hand_is_reported_as_what_it_is(game: str) -> None:
    chance = random.Random(9)  # noqa: S311
    state = silence.scenes(played(game, 11, 12))["turn"]
    waiting = silence.Waiting(state, default_edition(GAMES[game]), Translucency.TRANSLUCENT, late=0)
    found = list(silence.sweep(waiting, chance, 16))
    assert len(found) >= 10
    named = (silence.SilenceVerdict.TOLD, silence.SilenceVerdict.ASKED)
    assert [(case, verdict) for case, (verdict, _) in found if verdict not in named] == []


@pytest.mark.parametrize(("demo", "times", "longest_s"), [(False, 40, 1.0), (True, 8, 15.0)])
def test_a_table_that_is_killed_again_and_again_loses_no_move(
    tmp_path: Path, times: int, longest_s: float, *, demo: bool
) -> None:
    outcome = crash.trial(tmp_path, times, demo=demo, seed=7, longest_s=longest_s)
    assert outcome.moves > 0
    assert (outcome.lost, outcome.twice, outcome.damaged, outcome.died) == (0, 0, 0, 0)


def test_a_journal_that_is_damaged_again_and_again_loses_nothing_in_silence(
    tmp_path: Path,
) -> None:
    outcome = damage.trial(tmp_path, 200, seed=11, victims=8)
    assert outcome.faultless, outcome
    assert outcome.missing == 0


def test_power_cuts_damage_no_journal(tmp_path: Path) -> None:
    try:
        steps = power_cut.traced(tmp_path, 300)
    except (FileNotFoundError, subprocess.CalledProcessError) as error:
        pytest.skip(f"the calls of a process cannot be watched here: {error}")
    outcome = power_cut.trial(steps, 100, seed=12)
    assert (outcome.damaged, outcome.missing) == (0, 0)


def test_damaged_files_of_every_kind_are_read_or_refused_within_bounds() -> None:
    tallies = fuzz([*KINDS], iter(range(100, 125)))
    assert {kind: tally.faults for kind, tally in tallies.items() if tally.faults} == {}


def test_an_hour_of_guessing_lets_nobody_in() -> None:
    day = spend(HOUR_S, 1000, 0).day
    assert (day.hits, day.lost) == (0, 0)
    assert {kind: max(waits) for kind, waits in day.waits.items() if max(waits)} == {}


def test_messages_are_whole_though_tables_and_pages_hang(
    capsys: pytest.CaptureFixture[str],
) -> None:
    framing.main(["--seconds", "20"])
    assert len(capsys.readouterr().out.splitlines()) == 2


@pytest.mark.skipif(not can_isolate(), reason="no network namespace here")
def test_hostile_connections_hold_up_neither_a_phone_nor_the_arbiter() -> None:
    found = isolated(["--seconds", "40", "--vanish", "4"])
    assert found["phone"]["failed"] == found["arbiter"]["failed"] == 0
    assert found["tracebacks"] == found["log_lines"] == 0


@pytest.mark.parametrize("game", GAMES)
def test_the_player_knows_the_rules_and_keeps_its_limits(game: str) -> None:
    tally = PositionTally()
    chance = random.Random(f"{game} 21")  # noqa: S311
    found = positions(game, 20, chance)
    SearchPlayer(memory_mb=1).think(found[0], SearchLimits(simulations=2))
    for number, position in enumerate(found):
        examine(position, number % 4 + 1, stop=number % 10 == 9, tally=tally)
    assert tally.faults() == 0


def test_tournaments_of_two_have_no_avoidable_rematch_or_bye() -> None:
    total = pair_tournaments(range(2000, 2100))
    assert {*total} == {"tournaments", "rounds", "longest ms"}


def test_tournaments_of_four_repeat_few_meetings_and_none_twice() -> None:
    total = group_tournaments(range(2000, 2040), restart_s=5)
    assert total["repeated"] > 0
    assert total["third meetings"] == 0
    assert total["repeated"] <= 1.1 * total["best of restarts"]


def test_every_fault_has_its_place_and_the_first_ones_are_caught() -> None:
    every = [fault for room in faults.FAULTS.values() for fault in room]
    assert [trouble for fault in every if (trouble := fault.trouble)] == []
    firsts = [faults.FAULTS[room][0] for room in ("rules", "storage")]
    assert [(one.name, trouble) for one, trouble in faults.trial(firsts) if trouble] == []
