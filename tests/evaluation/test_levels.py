"""A tiny calibration: it goes on where it stopped, and its statistics are right."""

import json
import math
from pathlib import Path

import pytest

from firmware.player.search import levels
from firmware.player.search.levels import LevelParameters
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.evaluation.levels import main
from tests.evaluation.levels.games import Chooser, PlayedGame, at_level, opening, play
from tests.evaluation.levels.ladder import elo, scale, share
from tests.evaluation.levels.openings import begun, different
from tests.evaluation.levels.stored import StoredPair

pytestmark = pytest.mark.slow


def played(*leads: int) -> list[PlayedGame]:
    return [PlayedGame(number, lead, 0.1) for number, lead in enumerate(leads)]


def test_a_calibration_goes_on_where_it_stopped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(levels, "_COMPARING", 4)  # it plays worse, and ten times as fast
    words = ["--to", str(tmp_path), "--pairs", "0-1,1-2", "--games"]
    main([*words, "2"])
    path = tmp_path / "duo-0-1.jsonl"
    first = path.read_text().splitlines()
    assert len(first) == 2
    # A run that ends while it writes repeats the opening.
    path.write_text(first[0] + "\n" + first[1][:20] + "\n")
    main([*words, "4"])
    games = StoredPair(tmp_path, "duo", ("0", "1")).read()
    assert [one.number for one in games] == [0, 1, 2, 3]
    assert [one.lead for one in games[:2]] == [json.loads(line)["lead"] for line in first], (
        "a game is the same each time"
    )
    output = capsys.readouterr().out
    assert "CPU hours remain" in output
    assert "1 against   0: 4 games" in output
    assert "| 1 (newcomer) | 1 | 7 |" in output
    changed = (LevelParameters(1, 5.0), *levels.LEVELS[1:])
    monkeypatch.setattr("tests.evaluation.levels.games.LEVELS", changed)
    assert StoredPair(tmp_path, "duo", ("0", "1")).read() == [], (
        "games with other parameters do not count"
    )


@pytest.mark.parametrize("pairs", ["1", "1-2-3", "0-13", "5-p4", "p10-3", "x-1"])
def test_a_wrong_pair_gets_one_sentence(pairs: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--pairs", pairs])
    assert "pairs of players such as 0-1" in capsys.readouterr().err


def test_without_pentobi_one_sentence_says_how_to_name_it(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        main(["--pairs", "p1-5", "--pentobi", "no-such-program"])
    assert "PENTOBI_GTP" in capsys.readouterr().err


def test_openings_differ_and_repeat() -> None:
    assert opening("duo", 1) == opening("duo", 1)
    assert len({str(opening("duo", number)) for number in range(10)}) == 10


def test_the_sides_are_swapped() -> None:
    sides: list[list[int | None]] = [[], []]

    def chooser(of: int) -> Chooser:
        def choose(position: Position, seed: int) -> Move:
            sides[of].append(position.next_side)
            return at_level(0)(position, seed)

        return choose

    for number in (0, 1):
        play((chooser(0), chooser(1)), "duo", number)
        assert set(sides[1]) == {number}
        assert set(sides[0]) == {1 - number}
        sides = [[], []]


def test_scores_have_an_interval_and_a_difference_in_elo() -> None:
    even = share(played(*[5, -5] * 50))
    assert even.value == 0.5
    assert even.low < 0.5 < even.high
    clean = share(played(*[9] * 20))
    assert clean.value == 1
    assert 0.7 < clean.low < clean.high == 1
    assert elo(10 / 11) == pytest.approx(400)
    assert elo(0.5) == 0


def test_the_scale_adds_up_along_the_ladder() -> None:
    three_to_one = played(*[1, 1, 1, -1] * 100)
    placed = scale({("1", "2"): three_to_one, ("2", "3"): three_to_one}, "1")
    step = 400 * math.log10(3)
    assert placed["1"].value == 0
    assert placed["2"].value == pytest.approx(step, abs=1)
    assert placed["3"].value == pytest.approx(2 * step, abs=2)
    assert placed["2"].low < step - 20 < step + 20 < placed["2"].high
    width = [placed[name].high - placed[name].low for name in ("2", "3")]
    assert width[1] == pytest.approx(math.sqrt(2) * width[0], rel=0.02)


def test_openings_of_a_level_are_compared_by_pairs() -> None:
    assert different(["a", "b", "b"]) == pytest.approx(2 / 3)
    assert begun(2, "duo", 3) == begun(2, "duo", 3)
    assert different([begun(2, "duo", seed) for seed in range(6)]) > 0.9
