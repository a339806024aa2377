"""A short soak: no verdict is wrong, and the counts are right."""

from math import comb
from pathlib import Path

import pytest

from tests.evaluation.bounds import upper
from tests.evaluation.soak import play
from tests.evaluation.soak.keeping import keep
from tests.evaluation.soak.tally import GameTally, PlacementVerdict, Row, read_tallies, table
from vision.io.recorded import open_recording

pytestmark = pytest.mark.slow


def test_a_short_evening_has_no_wrong_verdict(tmp_path: Path) -> None:
    evening = play("duo", (4100, 3), 16)
    outcomes = [row.outcome for row in evening.rows]
    assert not any(outcome.is_wrong for outcome in outcomes)
    assert sum(outcome.is_right for outcome in outcomes) >= 14
    played = GameTally("duo", (4100, 3), evening.setting.fps, tuple(evening.rows))
    folder = keep(evening, played, tmp_path)
    frame = open_recording(folder).read()
    assert frame is not None
    assert frame.time_s == pytest.approx(1 / evening.setting.fps, abs=0.001)


def test_what_was_played_is_read_back_and_summed_up(tmp_path: Path) -> None:
    rows = (
        Row("sloppy", PlacementVerdict.RIGHT_ACCEPT, 0.4, 7),
        Row("own side", PlacementVerdict.RIGHT_REFUSAL, 0.5, 11),
        Row("sloppy", PlacementVerdict.WRONG_ACCEPT, 0.4, 15),
    )
    played = GameTally("duo", (3, 4), 10.0, rows, "wanted nothing")
    path = tmp_path / "soak.jsonl"
    assert read_tallies(path) == []
    path.write_text(played.line() + "\n", encoding="utf-8")
    assert read_tallies(path) == [played]
    text = "\n".join(table([played]))
    assert "WRONG ACCEPT" in text
    assert "median 0.50 s" in text
    assert "1 right accept, 1 WRONG ACCEPT" in text


@pytest.mark.parametrize(("count", "trials"), [(0, 10), (0, 300), (1, 100), (5, 50), (40, 90)])
def test_a_bound_is_the_share_at_which_so_few_are_just_not_likely(count: int, trials: int) -> None:
    share = upper(count, trials)
    likely = sum(comb(trials, k) * share**k * (1 - share) ** (trials - k) for k in range(count + 1))
    assert likely == pytest.approx(0.05, rel=1e-6)
    assert upper(trials, trials) == 1.0
