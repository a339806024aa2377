"""Whole games of every kind, by a clock in our hand."""

import random

import pytest

from firmware.events import GameOver, Moved
from firmware.referee.phases import Phase
from firmware.referee.referee import Referee
from firmware.rules.breaches import Rule
from firmware.rules.position import Position
from tests.referee.table import FOUR, Match, Table, duo, only, rules


@pytest.mark.parametrize(
    ("game", "noise"),
    [
        (game, noise)
        for game in (
            "duo",
            "classic",
            "classic-2",
            "classic-3",
            "classic-teams",
            "duo-4",
            "duo-4-3",
        )
        for noise in (0.0, 0.5)
    ],
)
def test_a_whole_game_is_followed_to_its_end(game: str, noise: float) -> None:
    start = Position.start(game)
    palette = FOUR if len(start.game.colours) == 4 else ("purple", "orange")
    table = Table(start.game.size, palette, noise=noise, seed=5)
    match = Match(table, Referee(start, palette))
    match.settle()
    chance = random.Random(game)  # noqa: S311
    position = start
    while not position.is_over:
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        colour = position.to_move
        assert colour is not None
        table.lay(palette[colour], move)
        position = position.play(move)
        made = [event for event in match.after_hand() if isinstance(event, Moved)]
        assert [(event.colour, event.move) for event in made] == [(colour, move)]
    assert match.referee.state.position == position
    assert isinstance(match.events[-1], GameOver)
    assert match.referee.phase is Phase.GAME_OVER
    passes = [event.name for event in match.events].count("pass")
    assert passes == len(start.game.colours)


def test_a_piece_laid_after_the_end_is_refused() -> None:
    start = Position.start("duo")
    match = duo()
    chance = random.Random(3)  # noqa: S311
    position = start
    while not position.is_over:
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        match.table.lay(("purple", "orange")[position.to_move or 0], move)
        position = position.play(move)
        match.after_hand()
    free = next(s for s in range(196) if not position.occupied >> s & 1)
    match.table.lies[free] = "purple"
    assert Rule.GAME_OVER in rules(only(match.after_hand()))
