"""The recommended move of a result: the first choice that the rules allow."""

import pytest

from firmware.codes import PlayerFailure
from firmware.errors import PlayerError
from firmware.player.search_result import SearchedMove, SearchResult
from firmware.rules.board import Move
from firmware.rules.position import Position

START = Position.start("duo")
LEGAL = Move.parse("e10,e9,d9", 14)


def result(*choices: str) -> SearchResult:
    named = [SearchedMove(Move.parse(one, 14), 0.5, 0.0, 1) for one in choices]
    return SearchResult(tuple(named), 1, 0.1)


def test_the_first_choice_is_taken() -> None:
    assert result("e10,e9,d9", "e10,e11").best_legal_move(START) == LEGAL


@pytest.mark.parametrize("wrong", ["a1,a2", "e10"])
def test_what_the_rules_do_not_allow_is_skipped(wrong: str) -> None:
    expected = Move.parse("e10", 14) if wrong == "e10" else LEGAL
    assert result(wrong, "e10,e9,d9").best_legal_move(START) == expected


@pytest.mark.parametrize("choices", [(), ("a1",)])
def test_a_player_without_a_legal_move_has_failed(choices: tuple[str, ...]) -> None:
    with pytest.raises(PlayerError) as failed:
        result(*choices).best_legal_move(START)
    assert failed.value.code is PlayerFailure.NO_MOVE
