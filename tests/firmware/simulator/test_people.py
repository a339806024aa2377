"""Whole games of scripted people, without frames and faster than real time."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from firmware.drivers.interfaces import ButtonPress, DeviceError
from firmware.game.seating import person_of
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.puzzle_faults import is_solved
from firmware.rules.variants import GAMES, PUZZLES
from firmware.simulator.buttons import SimulatedButtons
from firmware.simulator.mistakes import Mistake, mistakes_of, wrong_placement
from firmware.simulator.move_choice import KnownSolution, in_turn, sensibly, solved
from firmware.simulator.people import Habits, People, TableFeedback
from firmware.simulator.props import Props
from firmware.simulator.table import TablePiece, VirtualTable
from tests.support.honest_referee import HonestReferee
from web.contract import Prop

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
    people = People(table, in_turn(choose), referee.shown, seed, habits)
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
    people, referee = play(key, at_random(7), 7, Habits(mistakes=SLIPS, mistake_rate=0.1))
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
    habits = Habits(mistakes={2: Mistake.MISSES_START})
    people = People(table, in_turn(at_random(1)), referee.shown, 1, habits, press=buttons.press)
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
    habits = Habits(mistakes={4: Mistake.TOUCHES_OWN_SIDE})
    people = People(table, in_turn(sensibly(1)), referee.shown, 1, habits)
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
    habits = Habits(mistake_rate=0.2)
    games = [play("duo", sensibly(seed), seed, habits)[0] for seed in (5, 5, 6)]
    assert games[0].position == games[1].position
    assert games[0].mistakes == games[1].mistakes
    assert games[0].position != games[2].position


def test_how_often_time_is_reported_changes_no_move() -> None:
    def run(step_s: float) -> VirtualTable:
        table = VirtualTable(GAMES["duo"])
        referee = HonestReferee(table)
        people = People(table, in_turn(at_random(2)), referee.shown, 2)
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
    people = People(table, in_turn(at_random(4)), referee.shown, 4, Habits(crooked=0.5))
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
    people = People(table, in_turn(at_random(1)), lambda: silent, 1, habits)
    for tick in range(100):
        people.step(tick * 0.1)
    assert people.corrections >= 1
    (placed,) = table.scene.pieces
    assert (placed.dx_mm, placed.dy_mm, placed.angle_deg) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("key", PUZZLES)
def test_a_puzzle_is_solved_with_every_mistake_and_with_liftings(key: str) -> None:
    game = PUZZLES[key]
    table = VirtualTable(game)
    referee = HonestReferee(table)
    mistakes = {1 + 3 * at: kind for at, kind in enumerate(mistakes_of(game))}
    habits = Habits(mistakes=mistakes, mistake_rate=0.05, lift_rate=0.1)
    choose = KnownSolution(solved(game), 5)
    people = People(table, choose, referee.shown, 5, habits)
    now_s = 0.0
    while not people.finished and now_s < 4000.0:
        people.step(now_s)
        referee.look()
        now_s += STEP_S
    assert is_solved(referee.position)
    assert people.lifted
    assert people.corrections == 0
    assert len(people.mistakes) == len(referee.refusals) >= len(mistakes)
    seen = {rule for rules in referee.refusals for rule in rules}
    assert {kind.value for kind in mistakes_of(game) if kind is not Mistake.ONE_OFF} <= seen


@pytest.mark.parametrize("key", PUZZLES)
def test_a_mistake_at_a_puzzle_breaks_its_rules(key: str) -> None:
    dice, position = np.random.default_rng(1), Position.start(key)
    for slip in mistakes_of(position.game):
        if slip not in (Mistake.TOUCHES_OWN_SIDE, Mistake.NO_OWN_CORNER):
            found = wrong_placement(position, slip, dice)
            assert found is not None
            rules = {one.rule.value for one in position.examine(found[1].squares, found[0])}
            assert rules == {slip.value} or slip is Mistake.ONE_OFF
            assert rules
    assert wrong_placement(position, Mistake.WRONG_TURN, dice) is None


@pytest.mark.parametrize("slip", mistakes_of(GAMES["duo"]))
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
    rules = {violation.rule.value for violation in position.examine(move.squares, colour)}
    if slip is Mistake.ONE_OFF:
        assert rules
    else:
        assert slip.value in rules
    assert not move.mask & position.occupied


def test_there_is_no_own_side_to_touch_on_an_empty_board() -> None:
    position = Position.start("duo")
    dice = np.random.default_rng(1)
    assert wrong_placement(position, Mistake.TOUCHES_OWN_SIDE, dice) is None


class Game:
    """Scripted people at a table with an honest referee and an arbiter."""

    def __init__(
        self, key: str = "duo", persons: tuple[int, ...] | None = None, seed: int = 1
    ) -> None:
        self.table = VirtualTable(GAMES[key])
        self.referee = HonestReferee(self.table)
        self.choose = at_random(seed)
        habits = Habits(mistake_rate=0.1) if persons is None else Habits(crooked=0.0)
        self.people = People(
            self.table, in_turn(self.ask), self.referee.shown, seed, habits, persons=persons
        )
        self.thinks_s = 0.0
        self.now_s = 0.0
        self._since: tuple[Position, float] | None = None

    def ask(self, position: Position) -> Move | None:
        """Chooses a move after the time for which the player thinks."""
        if self._since is None or self._since[0] != position:
            self._since = position, self.now_s
        return self.choose(position) if self.now_s - self._since[1] >= self.thinks_s else None

    def run(self, seconds: float) -> None:
        until = self.now_s + seconds
        while self.now_s < until:
            self.step()

    def step(self) -> None:
        self.people.step(self.now_s)
        self.referee.look()
        self.now_s += STEP_S

    def undo(self) -> bool:
        """Takes the last move back, between the hands and the referee as in the loop."""
        self.people.step(self.now_s)
        return self.referee.undo()

    def until(self, holds: Callable[[], object], within_s: float = 120.0) -> None:
        began_s = self.now_s
        while not holds():
            assert self.now_s < began_s + within_s, "they are stuck"
            self.step()

    def until_ply(self, ply: int, within_s: float = 120.0) -> None:
        self.until(lambda: self.ply() >= ply, within_s)

    def ply(self) -> int:
        return self.referee.shown().ply

    def is_free(self) -> bool:
        """True if no hand is over the table."""
        return self.table.scene.hand is None

    def is_set(self) -> bool:
        """True if the board shows the position, and no hand is over it."""
        scene = self.table.scene
        return scene.hand is None and scene.truth() == self.referee.squares()

    def put(self, colour: int, move: Move) -> None:
        """Lays a piece of a player who is not scripted."""
        self.until(self.is_free)
        self.table.lay(TablePiece(colour, move))


@pytest.mark.slow
@pytest.mark.parametrize("key", GAMES)
def test_no_undo_stops_a_game(key: str) -> None:
    """Undone at any moment: while they think, above the board, before and after the verdict."""
    game, dice = Game(key), np.random.default_rng(5)
    undone = 0
    while undone < 40:
        game.run(float(dice.uniform(0.0, 25.0)))
        for _ in range(int(dice.integers(1, 4))):
            undone += game.undo()
    game.until(lambda: game.people.finished, 4000.0)
    assert game.is_set()
    game.undo()
    game.step()
    game.run(1.0)
    assert not game.people.finished
    game.until(lambda: game.people.finished)


@pytest.mark.slow
@pytest.mark.parametrize("thinks_s", [0.0, 3.0])
def test_an_undo_at_every_moment_of_a_turn_is_followed(thinks_s: float) -> None:
    for moment in range(40):
        game = Game(persons=(0, 1))
        game.thinks_s = thinks_s
        game.until_ply(2)
        game.run(moment * STEP_S)
        game.undo()
        ply = game.ply()
        game.until(game.is_set, 15.0)
        game.until_ply(ply + 1, 30.0)
        assert game.referee.refusals == []


def test_an_undo_that_nobody_notices_stops_no_game() -> None:
    game = Game(persons=(0, 1))
    game.until_ply(2)
    game.referee.undo()
    game.until(lambda: game.ply() == 1 and game.is_set())
    game.until_ply(4)
    assert game.referee.refusals == []


def test_a_piece_that_an_arbiter_refuses_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game("duo", (1,))
    game.put(0, next(iter(Position.start("duo").legal_moves)))
    game.until_ply(1)
    monkeypatch.setattr(game.referee, "look", lambda: None)
    game.until(lambda: len(game.table.scene.pieces) == 2 and game.table.scene.hand is None)
    game.referee.refused = True
    game.until(game.is_set, 20.0)
    assert len(game.table.scene.pieces) == 1
    monkeypatch.undo()
    game.until_ply(2)


def test_a_new_game_begins_on_the_board_that_they_clear() -> None:
    game = Game("duo-4")
    game.until_ply(6, 300.0)
    game.referee.correct(Position.start("duo-4"))
    game.until(game.is_set)
    assert game.ply() <= 1
    game.until_ply(3, 200.0)


def test_a_correction_by_hand_is_followed() -> None:
    game = Game()
    game.until_ply(6, 300.0)
    other = Position.start("duo")
    choose = at_random(77)
    for _ in range(5):
        other = other.play(choose(other))
    game.referee.correct(other)
    game.until(game.is_set, 200.0)
    assert game.ply() >= 5
    now = game.referee.position.laid
    assert all(set(corrected) <= set(laid) for corrected, laid in zip(other.laid, now, strict=True))
    game.until_ply(8, 300.0)


def test_a_piece_that_the_game_has_elsewhere_is_moved_there() -> None:
    game = Game()
    game.until_ply(1)
    ((move,), _) = game.referee.position.laid
    elsewhere = next(
        one
        for one in Position.start("duo").legal_moves
        if one.piece is move.piece and one.mask != move.mask
    )
    game.referee.correct(Position.start("duo").play(elsewhere))
    game.until(game.is_set)
    assert game.table.scene.truth()[elsewhere.squares[0]] == 0


def test_nobody_lays_a_piece_while_the_game_is_paused() -> None:
    for moment in range(30):
        game = Game(persons=(0, 1))
        game.thinks_s = 1.0
        game.until_ply(2)
        game.run(moment * STEP_S)
        game.referee.is_open = False
        game.run(10.0)
        assert len(game.table.scene.pieces) == game.ply()
        assert game.table.scene.hand is None
        game.run(20.0)
        assert game.is_set(), "a piece that was not decided on is taken back"
        game.referee.is_open = True
        game.until_ply(4)


def test_a_piece_of_theirs_that_is_nudged_is_put_back() -> None:
    game = Game()
    props = Props(game.table)
    for ply in range(1, 12):
        game.until_ply(ply)
        game.until(game.is_free)
        props.use(Prop.NUDGE)
        game.run(1.0)
    game.until(lambda: game.people.finished, 4000.0)
    assert game.is_set()


def test_the_computer_moves_in_turn_with_a_person() -> None:
    for key in GAMES:
        people = GAMES[key].people
        game = Game(key, tuple(range(1, people)))
        for _ in range(5):
            game.until(game.is_set)
            while (to_move := game.referee.position.to_move) is not None:
                if person_of(game.referee.position, to_move) == 0:
                    break
                game.step()
                assert game.now_s < 600, "the computer is stuck"
            assert to_move is not None
            game.put(to_move, game.choose(game.referee.position))
        assert game.referee.refusals == []


def test_the_computer_leaves_pieces_of_others_alone() -> None:
    game = Game("duo", (1,))
    start = Position.start("duo")
    mine, *_ = start.legal_moves
    wrong = Move.parse("a14,b14", 14)
    game.put(0, wrong)
    game.run(20.0)
    assert game.referee.refused
    assert [one.move for one in game.table.scene.pieces] == [wrong]
    game.table.lift(0, wrong.piece)
    game.put(0, mine)
    game.until_ply(2)
    theirs = game.table.scene.pieces[-1]
    game.table.shift(1, theirs.move.piece, replace(theirs, dx_mm=9.0))
    game.until(game.is_set)
    (pushed,) = [one for one in game.table.scene.pieces if one.colour == 0]
    moved = replace(pushed, dx_mm=9.0)
    game.table.shift(0, mine.piece, moved)
    game.run(30.0)
    assert moved in game.table.scene.pieces


def test_the_computer_waits_while_a_piece_of_a_person_is_refused() -> None:
    """A piece laid out of turn while the computer thinks goes first."""
    for moment in range(12):
        game = Game("duo", (1,))
        game.thinks_s = 2.0
        game.put(0, next(iter(Position.start("duo").legal_moves)))
        game.until_ply(1)
        game.run(moment * STEP_S)
        wrong = Move.parse("a14,b14", 14)
        game.put(0, wrong)
        game.step()
        if game.referee.refused:
            game.run(20.0)
            assert game.ply() == 1
            assert all(one.colour == 0 for one in game.table.scene.pieces)
        game.until(game.is_free)
        game.table.lift(0, wrong.piece)
        game.until_ply(2, 20.0)


@pytest.mark.parametrize("key", ["classic-3", "duo-4-3"])
def test_the_computer_takes_back_shared_pieces_that_it_has_laid_and_no_others(key: str) -> None:
    game = Game(key, (0, 1, 2))
    game.people = People(
        game.table, in_turn(game.ask), game.referee.shown, 1, Habits(crooked=0.0), persons=(0, 2)
    )
    while game.ply() < 8:
        to_move = game.referee.position.to_move
        assert to_move is not None
        if person_of(game.referee.position, to_move) == 1:
            game.put(to_move, game.choose(game.referee.position))
        game.step()
    shared = game.referee.position.laid[3]
    assert len(shared) == 2
    game.until(game.is_set)
    for _ in range(8):
        game.undo()
    game.run(60.0)
    # The second person lays the second piece of green, the computer all others but red's.
    lying = [(one.colour, one.move) for one in game.table.scene.pieces]
    assert (3, shared[0]) not in lying
    assert (3, shared[1]) in lying
    assert {colour for colour, _ in lying} == {1, 3}


def test_the_computer_never_takes_a_shared_piece_that_lies_there() -> None:
    """A person may lay a shared piece anywhere at any time: no hand holds it a second time."""
    dice = np.random.default_rng(2)
    for seed in range(6):
        game = Game("duo-4-3", (0, 1, 2), seed)
        for _ in range(30):
            game.run(float(dice.uniform(0.0, 4.0)))
            if game.table.scene.hand is None:
                index = int(dice.integers(game.referee.position.board.placements))
                move = game.referee.position.board.move(index)
                if move.piece in game.table.scene.trays[3]:
                    game.put(3, move)
        game.run(30.0)
        lying = [(one.colour, one.move.piece) for one in game.table.scene.pieces]
        assert len(lying) == len(set(lying))


def test_a_side_that_resigned_is_not_waited_for() -> None:
    game = Game("classic")
    game.until_ply(4, 300.0)
    game.until(lambda: game.referee.position.to_move == 2, 300.0)
    game.referee.correct(game.referee.position.with_turn(3))
    game.until(lambda: len(game.referee.position.laid[3]) >= 2)
    assert game.referee.position.to_move == 0
