"""A move that was taken back while its piece lies there, at a whole table: screens and people."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware.assembly.simulated import Simulation, SimulationOptions, simulated
from firmware.codes import Timing
from firmware.game.clock import TimeControl
from firmware.game.config import GameConfig
from firmware.game.events import ComputerMove
from firmware.referee.referee import Phase
from firmware.rules.board import Move, mask_of, squares_of
from firmware.rules.variants import GAMES
from firmware.settings import Settings
from firmware.simulator.table import TablePiece
from tests.support.fake_table import FakeLedStrip, FakeTable, house, lit_in
from tests.support.noisy_board import FIRST, OFF, SECOND, THIRD
from tests.support.scripted_engine import ScriptedEngine, largest
from tests.web.views.test_arbiter import PHONE, PairingTable
from web.app import create_app
from web.contract import (
    Choose,
    CommandName,
    Overrule,
    RefereeState,
    Refuse,
    SetPosition,
    Undo,
)
from web.i18n.languages import wording_of
from web.known_phones import PAIRING_COOKIE

pytestmark = pytest.mark.slow

DUO = GameConfig(GAMES["duo"], names=("Ada", "Ben"), pace=TimeControl(Timing.INCREMENT, 300.0, 5.0))
MOVES = (("purple", FIRST), ("orange", SECOND), ("purple", THIRD))
ELSEWHERE = "d11,d12"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[FakeTable]:
    """A table with a clock whose third move was just taken back."""
    with house(tmp_path, DUO) as made:
        for colour, move in MOVES:
            made.lay(colour, move)
        assert made.asks(Undo()) == [None]
        made.look()
        yield made


def test_the_page_says_who_lifts_what_and_what_an_arbiter_can_do(table: FakeTable) -> None:
    page = table.page
    assert page.state.code is RefereeState.TO_LIFT
    (one,) = page.to_lift
    assert (one.colour, one.piece, one.ply) == (0, "V3", 3)
    assert {page.square_name(square) for square in one.squares} == {*THIRD.split(",")}
    assert {CommandName.OVERRULE, CommandName.REFUSE, CommandName.UNDO} <= {*page.possible}
    assert [clock.running for clock in page.clocks] == [True, False], "its owner lifts it"


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "Ada, lift V3 from h7, h6, i6; it does not count."),
        ("de", "Ada, bitte V3 von h7, h6, i6 abheben; der Stein zählt nicht."),
        ("ja", "Adaさん、h7、h6、i6からV3を取り除いてください。このピースは無効です。"),
    ],
)
def test_the_words_and_the_voice_say_it_in_every_language(
    table: FakeTable, language: str, sentence: str
) -> None:
    words = wording_of(language)
    assert words.state(table.page) == sentence
    assert words.announcement(table.page) == sentence
    table.reach()
    assert table.page.state.code is RefereeState.HAND
    assert words.announcement(table.page) == sentence, "a hand is no news"


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_every_screen_says_and_draws_it(table: FakeTable, language: str) -> None:
    shown = PairingTable(Path("/nowhere"))
    shown.hear(table.page)
    shown.know(PHONE)
    client = create_app(shown, streams=4).test_client()
    client.set_cookie(PAIRING_COOKIE, PHONE)
    client.set_cookie("language", language)
    words = wording_of(language)
    for address in ("/", "/tv", "/arbiter"):
        text = client.get(address).text
        assert words.state(table.page) in text, address
        assert 'data-code="to-lift"' in text
        assert 'data-mark="to-lift"' in text
    assert words.word(CommandName.OVERRULE) in client.get("/arbiter").text
    assert words.label("overrule-lifted-why") in client.get("/arbiter").text
    shown.close()


@pytest.mark.parametrize("language", ["en", "de", "ja"])
def test_an_arbiter_is_asked_if_the_move_counts_once_people_go_on(
    table: FakeTable, language: str
) -> None:
    events = table.lay("purple", ELSEWHERE)
    assert [event.name for event in events if event.name == "unsure"] == ["unsure"]
    table.look(20)
    assert [event.name for event in table.events].count("unsure") == 1
    page, words = table.page, wording_of(language)
    assert page.state.code is RefereeState.TO_LIFT
    shown = PairingTable(Path("/nowhere"))
    shown.hear(page)
    shown.know(PHONE)
    client = create_app(shown, streams=4).test_client()
    client.set_cookie(PAIRING_COOKIE, PHONE)
    client.set_cookie("language", language)
    text = client.get("/arbiter").text
    assert words.label("counts-again") in text
    assert words.label("lies-beside") in text
    assert words.label("which-one") not in text
    assert words.sentence(words.say("lift-or-count")) in words.state(page)
    shown.close()


def test_the_lights_show_it(tmp_path: Path) -> None:
    bulbs = FakeLedStrip()
    with house(tmp_path, DUO, bulbs) as table:
        table.lay("purple", FIRST)
        table.look(4)
        table.asks(Undo())
        frames = len(bulbs.frames)
        table.look(8)
        board = table.state.position.board
        around = board.edge_neighbours(mask_of(table.state.to_lift[0].squares))
        lit = {square for pixels in bulbs.frames[frames:] for square in lit_in(pixels)}
        assert lit >= {*squares_of(around)}
        table.lift(FIRST)
        frames = len(bulbs.frames)
        table.look(8)
        assert not {square for pixels in bulbs.frames[frames:] for square in lit_in(pixels)} & {
            *squares_of(around)
        }


def facts(table: FakeTable) -> tuple[object, ...]:
    """Returns the position, what lies there and does not count, and the open question."""
    state = table.state
    lying = [(type(one), one.colour, one.squares) for one in state.not_counted]
    return state.position, lying, state.candidates


def test_a_table_that_is_killed_goes_on_with_it(table: FakeTable, tmp_path: Path) -> None:
    live = facts(table)
    table.journal.close()  # nothing else is written when a table is killed
    with house(tmp_path) as again:
        assert facts(again) == live
        assert again.page.state.code is RefereeState.TO_LIFT
        again.lift(THIRD)
        assert again.page.to_lift == ()
        again.lay("purple", ELSEWHERE)
        assert again.state.piece_count == 3


def test_a_table_that_is_killed_goes_on_with_the_question(table: FakeTable, tmp_path: Path) -> None:
    table.lay("orange", OFF)
    live = facts(table)
    assert table.state.candidates
    table.journal.close()
    with house(tmp_path) as again:
        again.lay("orange", OFF)
        again.look(20)
        assert facts(again) == live
        assert again.asks(Choose(0)) == [None]
        again.look()
        assert again.state.piece_count == 4


def test_the_move_counts_again_if_the_arbiter_lets_it_stand(table: FakeTable) -> None:
    assert table.asks(Overrule()) == [None]
    table.look()
    assert table.state.piece_count == 3
    assert table.page.to_lift == ()


def test_the_game_goes_on_beside_the_piece_if_the_arbiter_says_so(table: FakeTable) -> None:
    assert table.asks(Refuse()) == [None]
    table.look()
    assert table.page.state.code is RefereeState.WAITING
    table.lay("purple", ELSEWHERE)
    assert table.state.piece_count == 3


def test_a_position_that_lacks_the_piece_keeps_it_to_be_lifted(table: FakeTable) -> None:
    assert table.asks(SetPosition(0, ())) == [None]
    assert [one.colour for one in table.state.to_lift] == [0, 0, 1]
    table.look()
    assert table.page.state.code is RefereeState.TO_LIFT
    assert "; it does not count" in wording_of("en").state(table.page)


def test_the_computer_waits_until_its_piece_and_that_of_a_person_are_lifted(
    tmp_path: Path,
) -> None:
    game = GameConfig(GAMES["duo"], names=("Ada", "Ben"), computer=(0, 7), seed=5)
    with house(tmp_path, game, player=ScriptedEngine()) as table:
        first = largest(table.state.position)
        table.lay("purple", str(first))
        answer = chosen(table).move
        table.lay("orange", str(answer))
        table.asks(Undo())
        table.look()
        assert [one.colour for one in table.page.to_lift] == [1, 0]
        state = wording_of("en").state(table.page)
        piece = f"{answer.piece.name} (orange)"
        assert state.startswith(f"Lift {piece} from "), "nobody but people lifts for the computer"
        assert f" Ada, lift {first.piece.name} from " in state
        table.look(20)
        assert table.state.chosen is None
        table.lift(str(answer))
        table.lift(str(first))
        table.lay("purple", "e10,e9")
        assert chosen(table).colour == 1


def test_the_computer_says_what_lies_in_its_way_and_whose_it_is(tmp_path: Path) -> None:
    game = GameConfig(GAMES["duo"], names=("Ada", "Ben"), computer=(0, 7), seed=5)
    engine = ScriptedEngine()
    with house(tmp_path, game, player=engine) as table:
        engine.thinks = True
        table.lay("purple", FIRST)
        goal = largest(table.state.position)
        square = str(goal).split(",")[0]
        table.lay("purple", square)
        assert table.asks(Refuse()) == [None]
        table.look()
        engine.thinks = False
        assert chosen(table).move == goal
        table.look()
        assert table.page.state.code is RefereeState.TO_LIFT
        assert wording_of("en").state(table.page) == (
            f"Ada, lift 1 from {square}; the computer's piece goes there."
        )
        table.lift(square)
        table.lay("orange", str(goal))
        assert table.state.piece_count == 2


def chosen(table: FakeTable) -> ComputerMove:
    """Reads frames until the computer has chosen."""
    for _ in range(40):
        if table.state.chosen is not None:
            return table.state.chosen
        table.look(1)
    raise AssertionError("the computer has not chosen")


# The simulated table


def test_at_the_simulated_table_a_hand_lifts_it(tmp_path: Path) -> None:
    with simulated(Settings(), tmp_path, SimulationOptions(), fresh=True) as table:
        table.stage.table.lay(TablePiece(0, Move.parse(FIRST, 14)))
        steps(table, lambda: table.tracker.referee.state.piece_count == 1)
        table.controller.session.do(Undo())
        assert table.tracker.referee.state.to_lift
        steps(table, lambda: not table.tracker.referee.state.to_lift)
        assert table.stage.table.scene.pieces == ()
        steps(table, lambda: table.tracker.referee.phase is Phase.WAITING)
        assert not table.tracker.referee.state.piece_count


def steps(table: Simulation, holds: Callable[[], bool]) -> None:
    """Lets simulated time pass until something holds."""
    for _ in range(120):
        if holds():
            return
        table.step(0.25, table.clock.now_s)
    raise AssertionError("it never holds")
