"""People who lay several pieces before the board is steady again, who begins being unknown."""

import random

import pytest

from firmware.game.events import MoveAccepted, MoveRefused
from firmware.referee.referee import Referee
from firmware.rules.position import Position
from tests.support.noisy_board import NoisyBoard, NoisyMatch

pytestmark = pytest.mark.slow

COLOURS = ("purple", "orange")


def hurried(seed: int) -> tuple[NoisyMatch, set[tuple[str, frozenset[int]]]]:
    """Plays one to four legal moves between two looks; returns the match and the moves."""
    chance = random.Random(seed)  # noqa: S311
    names = COLOURS if chance.random() < 0.5 else COLOURS[::-1]
    table = NoisyBoard(noise=0.5 * (seed % 2), turned=90 * (seed % 4 > 1), seed=seed)
    position, laid = Position.start("duo"), set()
    match = NoisyMatch(table, Referee(position, COLOURS), chance.choice([0.1, 0.5]))
    match.settle(4)
    for _ in range(chance.randint(2, 8)):
        for _ in range(chance.choice([1, 1, 2, 2, 3, 4])):
            if position.to_move is None:
                break
            name = names[position.to_move]
            move = position.board.move(int(chance.choice(position.legal_moves.indices)))
            table.lay(name, move)
            laid.add((name, frozenset(move.squares)))
            position = position.play(move)
            if chance.random() < 0.5:
                match.show(hand=True)
            match.settle(chance.choice([0, 0, 0, 1, 2, 3]))
        match.after_hand(chance.choice([1, 2, 5, 12]))
    match.after_hand(12)
    return match, laid


@pytest.mark.parametrize("seeds", [range(10 * k, 10 * k + 10) for k in range(6)], ids=str)
def test_what_is_laid_in_a_hurry_is_accepted_or_asked_about(seeds: range) -> None:
    accepted = 0
    for seed in seeds:
        match, laid = hurried(seed)
        assert not any(isinstance(event, MoveRefused) for event in match.events), seed
        for event in match.events:
            if isinstance(event, MoveAccepted):
                name = match.referee.edition[event.colour]
                assert (name, frozenset(event.move.squares)) in laid, seed
                accepted += 1
    assert accepted > 5
