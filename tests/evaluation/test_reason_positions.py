"""Reasons tell the best move from a random one, on positions with known best moves."""

import pytest

from tests.evaluation.reason_positions import (
    PHASES,
    STORED_POSITIONS,
    ReasonPosition,
    phase_of,
    read_positions,
    shares,
)

pytestmark = pytest.mark.slow


def test_reasons_are_given_for_most_best_moves_and_for_few_others() -> None:
    positions = read_positions(STORED_POSITIONS)
    assert [sum(phase_of(one) == phase for one in positions) for phase in range(len(PHASES))] == [
        100,
        100,
        100,
    ]
    found = shares(positions)
    assert found.best >= 0.7
    assert found.random <= 0.2


def test_a_position_reads_back_as_it_was_written() -> None:
    for one, line in zip(
        read_positions(STORED_POSITIONS),
        STORED_POSITIONS.read_text("ascii").splitlines(),
        strict=True,
    ):
        assert str(one) == line
        assert one.best in one.position.legal_moves
        assert ReasonPosition.parse(str(one)) == one
