"""Whole games of scripted people, without frames and faster than real time."""

from collections.abc import Callable

import numpy as np
import pytest

from firmware.drivers.interfaces import ButtonPress, DeviceError
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from firmware.simulator.buttons import SimulatedButtons
from firmware.simulator.mistakes import Mistake, wrong_placement
from firmware.simulator.move_choice import sensibly
from firmware.simulator.people import Habits, People, TableFeedback
from firmware.simulator.table import VirtualTable
from tests.support.honest_referee import HonestReferee

STEP_S = 0.25
SLIPS = {
    1: Mistake.MISSES_START,
    4: Mistake.TOUCHES_OWN_SIDE,
    6: Mistake.NO_OWN_CORNER,
    8: Mistake.WRONG_TURN,
    11: Mistake.ONE_OFF,
}


def at_random(seed: int) -> Callable[[Position], Move]:
    """Chooses any legal move with equal probability."""
    dice = np.random.default_rng(seed)

    def choose(position: Position) -> Move:
        indices = position.legal_moves.indices
        return position.board.move(int(indices[dice.integers(len(indices))]))

    return choose


def squares_of_position(position: Position) -> tuple[int | None, ...]:
    return tuple(position.colour_at(square) for square in range(position.board.squares))


def play(
    key: str, choose: Callable[[Position], Move], seed: int, habits: Habits, limit_s: float = 4000.0
) -> tuple[People, HonestReferee]:
    """Plays a game; after each accepted move the true state has to be the intended one."""
    table = VirtualTable(GAMES[key])
    referee = HonestReferee(table)
    people = People(table, choose, referee.shown, seed, habits)
    now_s = 0.0
    while not people.finished and now_s < limit_s:
        people.step(now_s)
        before = referee.position
        referee.look()
        if referee.position is not before:
            assert referee.position == people.position
            assert table.scene.truth() == squares_of_position(people.position)
        now_s += STEP_S
    assert people.finished, f"not over after {limit_s} s"
    return people, referee


@pytest.mark.parametrize("key", ["duo", "classic", "classic-3", "classic-2", "duo-4"])
def test_a_game_with_every_kind_of_mistake_is_played_to_its_end(key: str) -> None:
    people, referee = play(key, at_random(7), 7, Habits(slips=SLIPS, slip_rate=0.1))
    assert people.position.is_over
    assert people.position == referee.position
    assert people.corrections == 0
    assert len(people.mistakes) == len(referee.refusals) >= len(SLIPS)
    assert {"misses-start"} in referee.refusals
    assert {"touches-own-side"} in referee.refusals
    assert {"no-own-corner"} in referee.refusals
    assert any("wrong-turn" in rules for rules in referee.refusals)


def test_people_with_buttons_press_once_for_each_thing_they_lay() -> None:
    table = VirtualTable(GAMES["classic-3"])
    referee, buttons = HonestReferee(table), SimulatedButtons(3)
    habits = Habits(slips={2: Mistake.MISSES_START})
    people = People(table, at_random(1), referee.shown, 1, habits, press=buttons.press)
    pressed: list[int] = []
    now_s = 0.0
    while len(people.position.laid[3]) < 2 and now_s < 500:
        people.step(now_s)
        # The referee looks only after a press, or while a piece is refused.
        newest = buttons.pressed()
        pressed += [press.person for press in newest]
        if newest or referee.refused:
            referee.look()
        now_s += STEP_S
    assert pressed[:9] == [0, 1, 1, 2, 0, 0, 1, 2, 1], "the wrong one twice; green in turn"


def test_a_button_that_is_not_there_cannot_be_pressed() -> None:
    buttons = SimulatedButtons(2)
    with pytest.raises(ValueError, match="no button 2"):
        buttons.press(2)
    buttons.press(1)
    buttons.press(0, held=True)
    assert buttons.pressed() == (ButtonPress(1), ButtonPress(0, held=True))
    assert buttons.pressed() == ()
    buttons.close()
    with pytest.raises(DeviceError, match="closed"):
        buttons.pressed()


def test_sensible_people_place_more_than_careless_ones() -> None:
    placed = {}
    for choosing in (at_random, sensibly):
        games = [play("duo", choosing(seed), seed, Habits())[0].position for seed in range(3)]
        placed[choosing] = sum(game.occupied.bit_count() for game in games) / len(games)
    assert placed[sensibly] > placed[at_random] + 8


def test_the_promised_mistake_comes_before_its_move() -> None:
    table = VirtualTable(GAMES["duo"])
    referee = HonestReferee(table)
    habits = Habits(slips={4: Mistake.TOUCHES_OWN_SIDE})
    people = People(table, sensibly(1), referee.shown, 1, habits)
    now_s, plies = 0.0, set()
    while len(table.scene.pieces) < 6 or referee.refused:
        people.step(now_s)
        referee.look()
        if referee.refused:
            plies.add(referee.shown().ply)
        now_s += STEP_S
    assert plies == {3}
    assert referee.refusals == [{"touches-own-side"}]


def test_the_same_seed_plays_the_same_game_and_another_one_another() -> None:
    habits = Habits(slip_rate=0.2)
    games = [play("duo", sensibly(seed), seed, habits)[0] for seed in (5, 5, 6)]
    assert games[0].position == games[1].position
    assert games[0].mistakes == games[1].mistakes
    assert games[0].position != games[2].position


def test_how_often_time_is_reported_changes_no_move() -> None:
    def run(step_s: float) -> VirtualTable:
        table = VirtualTable(GAMES["duo"])
        referee = HonestReferee(table)
        people = People(table, at_random(2), referee.shown, 2)
        now_s = 0.0
        while len(table.scene.pieces) < 8:
            people.step(now_s)
            referee.look()
            now_s += step_s
        return table

    coarse, fine = run(0.2).scene, run(0.02).scene
    assert [p.move for p in coarse.pieces] == [p.move for p in fine.pieces]


def test_pieces_lie_within_a_millimetre_and_two_degrees() -> None:
    table = VirtualTable(GAMES["duo"])
    referee = HonestReferee(table)
    people = People(table, at_random(4), referee.shown, 4, Habits(crooked=0.5))
    now_s = 0.0
    while not people.finished:
        people.step(now_s)
        referee.look()
        if table.scene.hand is None:
            for placed in table.scene.pieces:
                assert (placed.dx_mm**2 + placed.dy_mm**2) ** 0.5 <= 1.0
                assert abs(placed.angle_deg) <= 2.0
        now_s += STEP_S


def test_a_table_that_says_nothing_gets_its_piece_straightened() -> None:
    table = VirtualTable(GAMES["duo"])
    habits = Habits(patience_s=2.0, crooked=0.0)
    silent = TableFeedback(Position.start("duo"))
    people = People(table, at_random(1), lambda: silent, 1, habits)
    for tick in range(100):
        people.step(tick * 0.1)
    assert people.corrections >= 1
    (placed,) = table.scene.pieces
    assert (placed.dx_mm, placed.dy_mm, placed.angle_deg) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("slip", list(Mistake))
def test_a_wrong_placement_is_wrong_in_the_way_asked_for(slip: Mistake) -> None:
    dice = np.random.default_rng(1)
    position = Position.start("duo")
    if slip is not Mistake.MISSES_START:
        choose = at_random(9)
        for _ in range(6):
            position = position.play(choose(position))
    found = wrong_placement(position, slip, dice)
    assert found is not None
    colour, move = found
    rules = {breach.rule.value for breach in position.examine(move.squares, colour)}
    if slip is Mistake.ONE_OFF:
        assert rules
    else:
        assert slip.value in rules
    assert not move.mask & position.occupied


def test_there_is_no_own_side_to_touch_on_an_empty_board() -> None:
    position = Position.start("duo")
    dice = np.random.default_rng(1)
    assert wrong_placement(position, Mistake.TOUCHES_OWN_SIDE, dice) is None
