import pytest

from firmware.rules.perft import perft
from firmware.rules.position import Position
from tests.support.random_games import played


@pytest.mark.parametrize(
    ("game", "starts", "depth", "count"),
    [
        ("duo", "free", 0, 1),
        ("duo", "free", 1, 828),
        ("duo", "free", 2, 342_792),
        ("duo", "fixed", 2, 171_396),
        ("classic", "fixed", 2, 3_364),
        ("classic", "fixed", 3, 195_112),
        ("classic", "free", 2, 40_368),
    ],
)
def test_the_number_of_sequences_is_known(game: str, starts: str, depth: int, count: int) -> None:
    assert perft(Position.start(game, starts), depth) == count


@pytest.mark.parametrize(("piece", "count"), [("1", 205_274), ("2", 788_682), ("X", 1_583_338)])
def test_sequences_of_three_that_begin_with_a_piece(piece: str, count: int) -> None:
    start = Position.start("duo", "fixed")
    first = [move for move in start.legal_moves if move.piece.name == piece]
    assert sum(perft(start.play(move), 2) for move in first) == count


def test_a_sequence_whose_colour_must_pass_counts_nothing() -> None:
    position = played("duo", 7, 90)
    assert position.is_over
    assert perft(position, 1) == perft(position, 2) == 0


def test_progress_is_reported_up_to_the_end() -> None:
    shares: list[float] = []
    perft(Position.start("classic", "fixed"), 2, shares.append)
    assert shares[-1] == 1
    assert shares == sorted(shares)
