"""Boards with more equal pieces than a table has, and boards that people laid wrong."""

from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware.commands.main import main
from firmware.referee.misreadings import is_plausible
from firmware.referee.still_photo import examine_picture
from firmware.rules.board import mask_of
from firmware.rules.variants import GAMES
from tests.evaluation.illegal import drawn, judged, read_back
from tests.support.noisy_board import NoisyBoard

pytestmark = pytest.mark.slow

SURE = np.ones(196, bool)


def singles(*names: str, colour: str = "black") -> NoisyBoard:
    """A board in black and white with single squares of a colour."""
    table = NoisyBoard(palette=("black", "white"), sure=9.0)
    for name in names:
        table.lay(colour, name)
    return table


def contents_of(table: NoisyBoard) -> NDArray[np.int64]:
    return np.asarray(table.reading().probabilities.argmax(axis=1), np.int64)


MANY = ("a1", "c1", "e1", "g1", "i1")


def test_a_board_of_many_single_squares_has_every_square_unsure_and_none_changed() -> None:
    table = singles(*MANY)
    found = examine_picture(table.reading(), GAMES["duo"])
    line = found.to_json()
    assert len(line["unsure"]) == 196
    assert line["plausible"] is False
    assert line["cells"][13] == "K.K.K.K.K....."
    assert line["repaired"] == []
    assert line["confidence"] == pytest.approx(1 / 3, abs=1e-4)


def test_a_board_of_which_nothing_is_seen_is_at_another_place() -> None:
    reading = singles().reading()
    even = np.full_like(reading.probabilities, 1 / 3)
    assert examine_picture(reading, GAMES["duo"]).plausible
    assert not examine_picture(replace(reading, probabilities=even), GAMES["duo"]).plausible


def test_a_board_that_is_covered_as_a_whole_is_not_at_another_place() -> None:
    reading = singles().reading()
    covered = np.ones_like(reading.covered)
    assert examine_picture(replace(reading, covered=covered), GAMES["duo"]).plausible


def test_a_picture_that_makes_no_sense_is_reported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "board.png"
    cv2.imwrite(str(picture), np.zeros((480, 640, 3), np.uint8))
    with patch("firmware.commands.read.read_picture", return_value=singles(*MANY).reading()):
        assert main(["read", str(picture)]) == 0
    output = capsys.readouterr().out
    assert "every square is unsure: the colours or the place of the board were misjudged" in output
    assert "take the picture again" in output


def test_single_squares_of_two_sets_and_two_more_are_read_as_they_lie() -> None:
    table = singles(*MANY[:4])
    found = examine_picture(table.reading(), GAMES["duo"])
    assert found.plausible
    assert found.unsure == ()
    assert [one.violation.rule.value for one in found.problems].count("piece-used") == 3


def test_a_single_square_that_is_in_doubt_does_not_count() -> None:
    contents = contents_of(singles(*MANY))
    sure = SURE.copy()
    assert not is_plausible(contents, sure, 0)
    sure[singles().squares(MANY[0])] = False
    assert is_plausible(contents, sure, 0)


def test_a_piece_of_which_something_may_be_hidden_does_not_count() -> None:
    table = singles(*MANY)
    hidden = mask_of(table.squares("a2"))
    assert is_plausible(contents_of(table), SURE, hidden)


def test_nobody_has_so_many_of_a_larger_piece_either() -> None:
    table = NoisyBoard()
    for column in "acegi":
        table.lay("orange", f"{column}1,{column}2,{column}3")
    assert not is_plausible(contents_of(table), SURE, 0)


def test_colours_are_counted_apart() -> None:
    table = singles(*MANY[:3])
    for name in ("a5", "c5"):
        table.lay("white", name)
    assert is_plausible(contents_of(table), SURE, 0)


def test_an_implausible_board_does_not_take_long() -> None:
    """Checks all but a few squares of one colour: a group with too many splits to try all."""
    table = singles(*MANY)
    table.lay("white", ",".join(f"{c}{r}" for c in "abcdefghijklmn" for r in range(3, 12)))
    assert not examine_picture(table.reading(), GAMES["duo"]).plausible


@pytest.mark.parametrize("legal", [False, True])
def test_what_people_lay_by_the_rules_or_against_them_is_read_exactly(legal: bool) -> None:  # noqa: FBT001
    wrong = [
        seed
        for seed in range(60)
        for board in [drawn(seed, legal=legal)]
        if not judged(board, board.table.reading())["exact"]
    ]
    assert wrong == []


@pytest.mark.parametrize("seed", [11, 23, 35])
def test_a_picture_of_pieces_laid_against_the_rules_is_read_right(seed: int) -> None:
    """The last board is black and white, of which a few squares may stay unsure."""
    board = drawn(seed)
    counts = judged(board, read_back(board, seed))
    assert (counts["lost"], counts["other_edition"], counts["silent"]) == (0, 0, 0)
    assert counts["unsure"] < 10
