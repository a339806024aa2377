"""Whole games of every kind, on a simulated clock."""

import random

import pytest

from firmware.codes import Rule
from firmware.game.events import MoveAccepted, NoMovesLeft
from firmware.referee.referee import Phase, Referee
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.noisy_board import FOUR, NoisyBoard, NoisyMatch, duo, names, only, rules


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
    table = NoisyBoard(start.game.size, palette, noise=noise, seed=5)
    match = NoisyMatch(table, Referee(start, palette))
    match.settle()
    chance = random.Random(game)  # noqa: S311
    position = start
    while not position.is_over:
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        colour = position.to_move
        assert colour is not None
        table.lay(palette[colour], move)
        position = position.play(move)
        made = [event for event in match.after_hand() if isinstance(event, MoveAccepted)]
        assert [(event.colour, event.move) for event in made] == [(colour, move)]
    assert match.referee.state.position == position
    assert isinstance(match.events[-1], NoMovesLeft)
    assert match.referee.phase is Phase.GAME_OVER
    passes = [event.name for event in match.events].count("pass")
    assert passes == len(start.game.colours)


@pytest.mark.parametrize("shared", [0, 3])
def test_a_shared_colour_is_refereed_like_any_and_has_no_points(shared: int) -> None:
    start = Position.start(GAMES["duo-4-3"].sharing(shared))
    table = NoisyBoard(14, FOUR)
    match = NoisyMatch(table, Referee(start, FOUR))
    match.settle()
    position = start
    while position.to_move is not None:
        move = position.board.move(int(position.legal_moves.indices[-1]))
        table.lay(FOUR[position.to_move], move)
        position = position.play(move)
        match.after_hand()
    over = match.events[-1]
    assert isinstance(over, NoMovesLeft)
    assert [colour for colour, points in enumerate(over.points) if points is None] == [shared]


def test_a_pass_is_taken_back_with_the_move_that_brought_it_and_told_again() -> None:
    match = duo()
    # In this game the last move leaves the other colour without a placement.
    chance = random.Random(13)  # noqa: S311
    position = match.referee.state.position
    while not match.referee.state.passed:
        move = position.board.move(int(chance.choice(position.legal_moves.indices)))
        match.table.lay(("purple", "orange")[position.to_move or 0], move)
        position = position.play(move)
        match.after_hand()
    last = match.referee.state.history[-1]
    match.table.lift(last.move)
    assert names(match.after_hand()) == ["undone"]
    assert not match.referee.state.passed
    match.table.lay(("purple", "orange")[last.colour], last.move)
    assert names(match.after_hand())[:2] == ["move", "pass"]


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
    match.table.contents[free] = "purple"
    assert Rule.GAME_OVER in rules(only(match.after_hand()))
