"""Which way round the board lies, who begins, and games that stand there already."""

import pytest

from firmware.events import Moved
from firmware.game import GameState, fold
from firmware.referee.phases import Phase
from firmware.referee.referee import Referee
from firmware.rules.breaches import Rule
from firmware.rules.placements import Move
from firmware.rules.position import Position
from tests.referee.table import FIRST, SECOND, THIRD, Match, Table, duo, names, only, rules, text
from tests.rules.strategies import played
from vision.reading import Lost


@pytest.mark.parametrize("turned", [0, 90])
def test_the_first_piece_tells_how_the_board_is_turned(turned: int) -> None:
    table = Table(turned=turned)
    match = Match(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    assert match.referee.turned is None
    table.lay("purple", FIRST)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.turned, text(event)) == (turned, str(Move.parse(FIRST, 14)))
    table.lay("orange", SECOND)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.turned, text(event)) == (None, str(Move.parse(SECOND, 14)))


def test_the_first_colour_laid_is_the_first_players() -> None:
    table = Table()
    match = Match(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("orange", FIRST)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.colour, event.edition) == (0, ("orange", "purple"))
    assert match.referee.edition == ("orange", "purple")


def test_who_begins_can_be_given() -> None:
    table = Table()
    match = Match(table, Referee(Position.start("duo"), table.palette, first="purple"))
    match.settle()
    table.lay("orange", FIRST)
    assert rules(only(match.after_hand())) == [Rule.WRONG_TURN]


def test_two_first_pieces_at_once_leave_open_who_began_until_the_third() -> None:
    table = Table(turned=90)
    match = Match(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("orange", FIRST)
    table.lay("purple", SECOND)
    assert names(match.after_hand(4)) == ["unsure"]
    table.lay("orange", THIRD)
    assert names(match.after_hand()) == ["resolved", "move", "move", "move"]
    assert match.referee.edition == ("orange", "purple")


def test_a_first_piece_taken_back_leaves_open_again_who_begins() -> None:
    match = duo(FIRST)
    match.table.lift(FIRST)
    assert names(match.after_hand()) == ["undone"]
    match.table.lay("orange", FIRST)
    assert names(match.after_hand()) == ["move"]
    assert match.referee.edition == ("orange", "purple")


def test_a_referee_that_takes_up_a_game_from_its_events_goes_on_as_if_nothing_had_been() -> None:
    match = duo(FIRST, SECOND, turned=90)
    state = GameState(Position.start("duo"))
    for event in match.events:
        state = fold(state, event)
    again = Match(match.table, Referee(state, match.table.palette))
    assert names(again.settle()) == ["board-found"]
    match.table.lay("purple", THIRD)
    event = only(again.after_hand())
    assert isinstance(event, Moved)
    assert (event.ply, event.turned, str(event.move)) == (3, None, str(Move.parse(THIRD, 14)))


def test_a_standing_position_shows_by_its_pieces_how_the_board_is_turned() -> None:
    position = Position.start("duo").play(Move.parse(FIRST, 14)).play(Move.parse(SECOND, 14))
    table = Table(turned=90)
    table.lay("orange", FIRST)
    table.lay("purple", SECOND)
    match = Match(table, Referee(position, table.palette))
    match.settle()
    table.lay("orange", THIRD)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.turned, event.edition) == (90, ("orange", "purple"))


@pytest.mark.parametrize("plies", [5, 12, 21])
def test_a_game_that_stands_already_is_taken_up_and_goes_on(plies: int) -> None:
    position = played("duo", 4, plies)
    order = ("orange", "purple")
    table = Table(turned=90)
    for colour, laid in enumerate(position.laid):
        for move in laid:
            table.lay(order[colour], move)
    match = Match(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    if plies % 2 == 0:
        # As many of each: who is to move is known when the next piece lies there.
        assert names(match.settle(4)) == []
        move = next(iter(position.legal_moves))
        table.lay("orange", move)
        position = position.play(move)
        match.after_hand()
    assert names(match.events) == ["board-found", "standing"]
    assert match.referee.turned == 90
    assert match.referee.edition == order
    move = next(iter(position.legal_moves))
    assert position.to_move is not None
    table.lay(order[position.to_move], move)
    event = only(match.after_hand())
    assert isinstance(event, Moved)
    assert (event.move, event.ply) == (move, plies + 1 + (plies % 2 == 0))


def test_an_impossible_heap_is_not_taken_for_a_game() -> None:
    table = Table()
    for square in ("a1", "c1", "e1", "g1", "i1", "k1"):
        table.lay("purple", square)
    match = Match(table, Referee(Position.start("duo"), table.palette))
    assert names(match.settle(6)) == ["board-found"]


def test_a_palette_that_does_not_fit_the_game_is_an_error() -> None:
    with pytest.raises(ValueError, match="not played with"):
        Referee(Position.start("classic"), ("purple", "orange"))
    with pytest.raises(ValueError, match="none of the colours"):
        Referee(Position.start("duo"), ("purple", "orange"), first="blue")


def test_nothing_is_said_of_a_board_that_was_never_found() -> None:
    referee = Referee(Position.start("duo"), ("purple", "orange"))
    assert [referee.see(Lost("no board"), t / 2, t + 1) for t in range(6)] == [[]] * 6
    assert referee.phase is Phase.BOARD_LOST
