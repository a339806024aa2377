"""Seats that the computer plays, at a whole table with a simulated reader and player's process."""

from dataclasses import replace
from pathlib import Path

import pytest

from firmware.codes import LightPlace, PlayerFailure, Rule, Timing, TurnEnd
from firmware.game.clock import TimeControl
from firmware.game.config import GameConfig
from firmware.game.events import (
    ComputerMove,
    Event,
    MoveAccepted,
    MoveRefused,
    SeatsAssigned,
    TimedOut,
    Undone,
    Withdrawn,
)
from firmware.rules.board import Move
from firmware.rules.position import Position
from firmware.rules.variants import GAMES
from tests.support.fake_table import FakeLedStrip, FakeTable, house
from tests.support.scripted_engine import ScriptedEngine, largest
from web.contract import (
    AssignSeat,
    NewGame,
    Overrule,
    Pause,
    RefereeState,
    RefusalReason,
    Rematch,
    Resign,
    Resume,
    SetPosition,
    Undo,
)
from web.i18n.wording import Wording

pytestmark = pytest.mark.slow

DUO = GameConfig(GAMES["duo"], computer=(0, 7), seed=5)
PATIENCE = 40
"""Frames within which the computer has to choose."""


def name(table: FakeTable, colour: int) -> str:
    return table.controller.devices.tracker.referee.edition[colour]


def lay(table: FakeTable, move: Move) -> list[Event]:
    """Lays a piece of the colour to move."""
    colour = table.state.position.to_move
    assert colour is not None
    return table.lay(name(table, colour), str(move))


def await_choice(table: FakeTable) -> ComputerMove:
    """Reads frames until the computer has chosen."""
    for _ in range(PATIENCE):
        if table.state.chosen is not None:
            return table.state.chosen
        table.look(1)
    raise AssertionError("the computer has not chosen")


def kinds(events: list[Event], kind: type[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]


def other_than(table: FakeTable, move: Move) -> Move:
    """Returns a legal move that shares as few squares with a move as any."""
    return min(table.state.position.legal_moves, key=lambda one: (one.mask & move.mask).bit_count())


@pytest.fixture
def engine() -> ScriptedEngine:
    return ScriptedEngine()


def test_the_computer_chooses_and_a_person_lays_exactly_that(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        lay(table, largest(table.state.position))
        assert table.page.computer_thinks
        assert table.page.colours[1].level == 7
        chosen = await_choice(table)
        assert chosen.colour == 1
        assert chosen.move == largest(table.state.position)
        entry = table.page.chosen
        assert entry is not None
        assert (entry.colour, entry.piece) == (1, chosen.move.piece.name)
        events = table.lay(name(table, 1), str(chosen.move))
        assert kinds(events, MoveAccepted)
        assert table.state.chosen is None
        assert table.page.chosen is None
        levels = [one.level for one in engine.asked]
        assert levels[-1] == 7
        assert engine.asked[-1].seed == 5


def test_it_moves_beside_a_square_that_nothing_explains(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        engine.thinks = True
        first = lay(table, largest(table.state.position))
        assert kinds(first, MoveAccepted)
        square = table.state.position.board.format_square(table.state.history[0].move.squares[0])
        table.table_factory.board.blur(square, **{name(table, 0): -1.0})
        table.look(PATIENCE)
        assert table.state.unclear
        assert table.state.chosen is None
        engine.thinks = False
        await_choice(table)
        assert table.state.unclear, "it is still not explained"


@pytest.mark.parametrize("key", GAMES)
def test_a_seat_plays_all_its_colours_in_every_game(
    tmp_path: Path, engine: ScriptedEngine, key: str
) -> None:
    game = GAMES[key]
    levels = (0, *range(3, 2 + game.people))
    with house(tmp_path, GameConfig(game, computer=levels, seed=1), player=engine) as table:
        for _ in range(4 * len(game.colours)):
            before = table.state.position
            if table.state.level:
                move = await_choice(table).move
                assert engine.asked[-1].level == table.state.level
            else:
                move = largest(before)
            lay(table, move)
            assert table.state.position == before.play(move)
        chosen = [event for event in table.events if isinstance(event, ComputerMove)]
        assert len(chosen) >= 4 * (len(game.colours) - len(game.colours) // game.people - 1)


def test_another_placement_is_refused_until_the_right_one_lies(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        lay(table, largest(table.state.position))
        chosen = await_choice(table)
        wrong = other_than(table, chosen.move)
        [refused] = kinds(lay(table, wrong), MoveRefused)
        assert isinstance(refused, MoveRefused)
        [violation] = refused.violations
        assert violation.rule is Rule.NOT_CHOSEN
        assert set(violation.against) == set(chosen.move.squares)
        assert table.page.state.code is RefereeState.REFUSED
        assert table.page.refused[0].reasons[0].rule is Rule.NOT_CHOSEN
        assert table.state.chosen == chosen
        assert kinds(table.lift(str(wrong)), Withdrawn)
        assert kinds(lay(table, chosen.move), MoveAccepted)


def test_a_piece_that_was_laid_too_early_counts_if_it_is_the_chosen_one(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        engine.thinks = True
        lay(table, largest(table.state.position))
        early = largest(table.state.position)
        [refused] = kinds(lay(table, early), MoveRefused)
        assert isinstance(refused, MoveRefused)
        assert [one.rule for one in refused.violations] == [Rule.STILL_THINKING]
        engine.thinks = False
        table.look(PATIENCE)
        assert table.state.piece_count == 2
        assert table.state.history[-1].move == early
        assert not table.state.refused


def test_a_piece_that_was_laid_too_early_elsewhere_stays_refused(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        lay(table, largest(table.state.position))
        wrong = other_than(table, largest(table.state.position))
        lay(table, wrong)
        chosen = await_choice(table)
        table.look(PATIENCE)
        [refused] = table.state.refused
        assert [one.rule for one in refused.violations] == [Rule.NOT_CHOSEN]
        table.lift(str(wrong))
        assert kinds(lay(table, chosen.move), MoveAccepted)


def test_two_pieces_laid_at_once_are_judged_one_after_the_other(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        first = largest(table.state.position)
        second = largest(table.state.position.play(first))
        table.reach()
        table.table_factory.board.lay(name(table, 0), str(first))
        table.table_factory.board.lay(name(table, 1), str(second))
        table.look(PATIENCE)
        assert [ply.move for ply in table.state.history] == [first, second]


def test_an_arbiter_may_let_another_placement_stand(tmp_path: Path, engine: ScriptedEngine) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        lay(table, largest(table.state.position))
        wrong = other_than(table, await_choice(table).move)
        lay(table, wrong)
        assert table.asks(Overrule()) == [None]
        assert table.state.history[-1].move == wrong
        assert not table.state.history[-1].overruled
        assert table.state.chosen is None
        assert table.page.turn == 0


def test_undo_goes_back_to_the_last_move_of_a_person(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        first = largest(table.state.position)
        lay(table, first)
        answer = await_choice(table).move
        lay(table, answer)
        before = len(table.events)
        assert table.asks(Undo()) == [None]
        undone = [one.move for one in table.events[before:] if isinstance(one, Undone)]
        assert undone == [answer, first]
        assert table.state.position == Position.start("duo")
        table.lift(str(answer))
        table.lift(str(first))
        other = next(one for one in table.state.position.legal_moves if one.piece.name == "X")
        assert kinds(lay(table, other), MoveAccepted)
        assert await_choice(table).move == largest(table.state.position)


def test_undo_while_it_thinks_takes_one_move_back(tmp_path: Path, engine: ScriptedEngine) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        engine.thinks = True
        lay(table, largest(table.state.position))
        table.look(4)
        assert table.asks(Undo()) == [None]
        assert not table.state.piece_count
        assert not table.page.computer_thinks


def test_after_a_lift_or_a_correction_it_thinks_anew(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        first = largest(table.state.position)
        lay(table, first)
        answer = await_choice(table).move
        lay(table, answer)
        assert kinds(table.lift(str(answer)), Undone)
        assert await_choice(table).move == answer
        assert table.asks(SetPosition(1)) == [None]
        assert table.state.chosen is None
        assert await_choice(table).move == answer


def test_a_restart_shows_the_same_move(tmp_path: Path, engine: ScriptedEngine) -> None:
    table = FakeTable(tmp_path, DUO, player=engine)
    lay(table, largest(table.state.position))
    chosen = await_choice(table)
    table.close()
    asked = len(engine.asked)
    with house(tmp_path, player=engine) as again:
        again.look(PATIENCE)
        assert again.state.chosen == chosen
        assert again.page.chosen is not None
        assert len([one for one in engine.asked[asked:] if one.level == 7]) == 0
        wrong = other_than(again, chosen.move)
        assert kinds(lay(again, wrong), MoveRefused)
        again.lift(str(wrong))
        assert kinds(lay(again, chosen.move), MoveAccepted)


def test_a_pause_keeps_the_chosen_move(tmp_path: Path, engine: ScriptedEngine) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        engine.thinks = True
        lay(table, largest(table.state.position))
        assert table.asks(Pause()) == [None]
        engine.thinks = False
        table.look(PATIENCE)
        assert table.state.chosen is None
        assert table.asks(Resume()) == [None]
        chosen = await_choice(table)
        assert table.asks(Pause()) == [None]
        assert table.asks(Resume()) == [None]
        assert table.state.chosen == chosen
        assert kinds(lay(table, chosen.move), MoveAccepted)


@pytest.mark.parametrize("reason", [PlayerFailure.ENDED, PlayerFailure.NO_MEMORY])
def test_a_player_that_fails_twice_asks_for_a_person(
    tmp_path: Path, engine: ScriptedEngine, reason: PlayerFailure
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        engine.broken = reason
        lay(table, largest(table.state.position))
        table.look(PATIENCE)
        assert table.state.computer == (0, 0)
        assert table.page.gave_up is reason
        assert [(seat.level, seat.agreed) for seat in table.page.computer] == [(0, 0), (0, 7)]
        any_move = next(iter(table.state.position.legal_moves))
        assert kinds(lay(table, any_move), MoveAccepted)
        engine.broken = None
        assert table.asks(AssignSeat(1, 7)) == [None]
        assert table.page.gave_up is None
        lay(table, largest(table.state.position))
        assert await_choice(table).colour == 1


def test_the_next_game_tries_a_failed_seat_at_the_level_it_had_last(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        assert table.asks(AssignSeat(1, 3)) == [None]
        engine.broken = PlayerFailure.ENDED
        first = largest(table.state.position)
        lay(table, first)
        table.look(PATIENCE)
        assert table.state.computer == (0, 0)
        assert [(seat.level, seat.agreed) for seat in table.page.computer] == [(0, 0), (0, 3)]
    with house(tmp_path, player=engine) as again:
        assert again.asks(Resign(0)) == [None]
        again.lift(str(first))
        again.look(PATIENCE)
        assert not again.state.over, "the next game has begun"
        assert again.controller.session.config.computer == (3, 0)


def test_a_seat_that_people_took_after_a_failure_stays_theirs_in_the_next_game(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    config = GameConfig(GAMES["duo-4-3"], computer=(0, 2, 4), seed=5)
    with house(tmp_path, config, player=engine) as table:
        engine.broken = PlayerFailure.ENDED
        for _ in range(3):
            lay(table, largest(table.state.position))
            table.look(PATIENCE)
        assert table.state.computer == (0, 0, 0)
        before = table.controller.session.state.computer_before_failure
        assert before == (0, 2, 4), "that of the first failure"
        assert table.asks(AssignSeat(1, 0)) == [None]
        for side in range(2):
            assert table.asks(Resign(side)) == [None]
        for ply in table.state.history:
            table.lift(str(ply.move))
        table.look(PATIENCE)
        assert not table.state.over, "the next game has begun"
        assert not any(table.state.computer)


def test_a_person_takes_over_the_seat(tmp_path: Path, engine: ScriptedEngine) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        lay(table, largest(table.state.position))
        chosen = await_choice(table)
        assert table.asks(AssignSeat(1, 0)) == [None]
        assert isinstance(table.events[-1], SeatsAssigned)
        assert table.state.chosen is None
        assert kinds(lay(table, other_than(table, chosen.move)), MoveAccepted)
        assert table.asks(AssignSeat(0, 3)) == [None]
        assert await_choice(table).colour == 0
        assert table.asks(AssignSeat(1, 3)) == [RefusalReason.NOT_POSSIBLE]


def test_in_the_next_game_the_computer_begins_with_another_seed(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        table.table_factory.clears_board = True
        assert table.asks(NewGame(computer=(0, 4))) == [None]
        seed = table.controller.session.config.seed
        assert seed
        assert table.asks(Rematch()) == [RefusalReason.NOT_POSSIBLE], "the game goes on"
        assert table.asks(Resign(0)) == [None]
        assert table.asks(Rematch()) == [None]
        assert table.state.computer == (4, 0)
        assert table.controller.session.config.seed not in (0, seed)
        assert await_choice(table).colour == 0
        assert table.page.state.code is RefereeState.NEW_GAME
        assert "has chosen" in Wording().announcement(table.page)


def test_any_button_ends_a_turn_of_the_computer(tmp_path: Path, engine: ScriptedEngine) -> None:
    config = replace(DUO, turn_end=TurnEnd.BUTTON)
    with house(tmp_path, config, player=engine) as table:
        buttons = table.table_factory.buttons
        assert buttons is not None
        lay(table, largest(table.state.position))
        buttons.press(0)
        table.look()
        lay(table, await_choice(table).move)
        table.look(PATIENCE)
        assert table.state.piece_count == 1
        buttons.press(0)
        table.look()
        assert table.state.piece_count == 2


def test_a_seat_that_was_given_up_stays_so_after_a_restart(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    with house(tmp_path, DUO, player=engine) as table:
        engine.broken = PlayerFailure.ENDED
        lay(table, largest(table.state.position))
        table.look(PATIENCE)
    engine.broken = None
    with house(tmp_path, player=engine) as again:
        again.look(PATIENCE)
        assert again.state.computer == (0, 0)
        assert again.page.gave_up is PlayerFailure.ENDED
        assert again.state.chosen is None


@pytest.mark.parametrize("key", GAMES)
def test_undo_ends_at_a_person_in_every_game(
    tmp_path: Path, engine: ScriptedEngine, key: str
) -> None:
    game = GAMES[key]
    levels = (0, *(3,) * (game.people - 1))
    with house(tmp_path, GameConfig(game, computer=levels, seed=1), player=engine) as table:
        while table.state.piece_count < 2 * len(game.colours) or table.state.level:
            of_computer = bool(table.state.level)
            lay(table, await_choice(table).move if of_computer else largest(table.state.position))
        history = table.state.history
        assert table.asks(Undo()) == [None]
        person, *computer = history[table.state.piece_count :]
        assert table.state.position == person.before
        assert not table.state.level
        assert computer
        for ply in reversed((person, *computer)):
            table.lift(str(ply.move))
        assert kinds(lay(table, other_than(table, person.move)), MoveAccepted)
        if table.state.level:
            await_choice(table)


def test_its_clock_stands_while_people_lay_its_piece(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    pace = TimeControl(Timing.SUDDEN_DEATH, 300.0)
    config = GameConfig(GAMES["duo"], pace=pace, computer=(0, 7), seed=5)
    with house(tmp_path, config, player=engine) as table:
        lay(table, largest(table.state.position))
        chosen = await_choice(table)
        left = table.page.clocks[1].left_ms
        assert 2000 <= 300_000 - left <= 6000
        table.look(PATIENCE)
        lay(table, chosen.move)
        assert table.page.clocks[1].left_ms >= left - 1000


@pytest.mark.parametrize("levels", [(0, 7), (7, 0)])
def test_its_clock_stands_until_its_player_is_ready(
    tmp_path: Path, engine: ScriptedEngine, levels: tuple[int, int]
) -> None:
    pace = TimeControl(Timing.SUDDEN_DEATH, 60.0)
    config = GameConfig(GAMES["duo"], pace=pace, computer=levels, seed=5)
    seat = levels.index(7)
    engine.thinks = True
    with house(tmp_path, config, player=engine) as table:
        if seat == 1:
            lay(table, largest(table.state.position))
        table.look(PATIENCE)
        assert table.page.computer_prepares
        assert "gets ready" in Wording().state(table.page)
        assert not any(clock.running for clock in table.page.clocks)
        table.reach()
        table.look(150)
        left = table.page.clocks[seat].left_ms
        assert left >= 59_000, "only until its piece was decided on"
    with house(tmp_path, player=engine) as again:
        again.look(150)
        assert again.page.computer_prepares
        assert again.page.clocks[seat].left_ms == left, "also after a restart"
        engine.thinks, engine.searches = False, True
        again.look(6)
        assert not again.page.computer_prepares
        assert again.page.clocks[seat].running
        engine.searches = False
        await_choice(again)
        assert 53_000 <= again.page.clocks[seat].left_ms < left
        assert not kinds(again.events, TimedOut)


@pytest.mark.parametrize("place", LightPlace)
def test_the_chosen_piece_is_lit(tmp_path: Path, engine: ScriptedEngine, place: LightPlace) -> None:
    strip = FakeLedStrip(place)
    with house(tmp_path, DUO, strip, player=engine) as table:
        lay(table, largest(table.state.position))
        chosen = await_choice(table)
        shown: set[frozenset[int]] = set()
        for _ in range(30):
            table.look(1)
            shown.add(strip.on & frozenset(chosen.move.squares))
        assert frozenset(chosen.move.squares) in shown
        counts = {len(one) for one in shown}
        assert counts == ({0, 5} if place is LightPlace.BESIDE else {0, 1, 2, 3, 4, 5})
        lay(table, chosen.move)
        table.look(10)
        assert table.state.piece_count == 2


def test_a_slow_machine_says_so_before_a_game_and_in_one_above_what_it_reaches(
    tmp_path: Path, engine: ScriptedEngine
) -> None:
    engine.highest_level = 6
    sentence = (
        "This computer is too slow for the level strong: in its 6 s a move it plays about like "
        "skilled."
    )
    with house(tmp_path, DUO, player=engine) as table:
        table.look()
        assert Wording().machine(table.page) == (sentence,)
    engine.thinks = True
    with house(tmp_path, GameConfig(GAMES["duo"]), player=engine) as again:
        again.table_factory.clears_board = True
        assert again.page.machine.highest_level == 6, "before it was measured again"
        assert Wording().machine(again.page) == ()
        assert again.asks(NewGame(computer=(0, 7))) == [None]
        assert Wording().machine(again.page) == (sentence,)
        assert again.asks(AssignSeat(1, 6)) == [None]
        assert Wording().machine(again.page) == ()


def test_a_table_without_a_player_says_so(tmp_path: Path, engine: ScriptedEngine) -> None:
    engine.broken = PlayerFailure.NOT_INSTALLED
    with house(tmp_path, DUO, player=engine) as table:
        lay(table, largest(table.state.position))
        table.look(PATIENCE)
        assert table.page.gave_up is PlayerFailure.NOT_INSTALLED
