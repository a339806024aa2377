"""The recommended move: the first choice that the rules allow."""

import pytest

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.player.best_move import best_move
from firmware.player.client import Analysis
from firmware.player.searched_move import SearchedMove
from firmware.rules.board import Move
from firmware.rules.position import Position

START = Position.start("duo")
LEGAL = Move.parse("e10,e9,d9", 14)


def analysis(*choices: str) -> Analysis:
    named = [SearchedMove(Move.parse(one, 14), 0.5, 0.0, 1) for one in choices]
    return Analysis(1, tuple(named), 1, 0.1, done=True)


def test_the_first_choice_is_taken() -> None:
    assert best_move(analysis("e10,e9,d9", "e10,e11"), START) == LEGAL


@pytest.mark.parametrize("wrong", ["a1,a2", "e10"])
def test_what_the_rules_do_not_allow_is_skipped(wrong: str) -> None:
    expected = Move.parse("e10", 14) if wrong == "e10" else LEGAL
    assert best_move(analysis(wrong, "e10,e9,d9"), START) == expected


@pytest.mark.parametrize("choices", [(), ("a1",)])
def test_a_player_without_a_legal_move_has_failed(choices: tuple[str, ...]) -> None:
    with pytest.raises(PlayerError) as failed:
        best_move(analysis(*choices), START)
    assert failed.value.code is PlayerFailure.NO_MOVE
