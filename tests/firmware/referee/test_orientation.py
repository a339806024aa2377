"""The turn of the board, the colour that begins, and positions that stand there already."""

import pytest

from firmware.codes import Rule
from firmware.game.events import BoardMoved, Moment, MoveAccepted, Unsure
from firmware.game.state import GameState, apply_event
from firmware.referee.referee import Phase, Referee
from firmware.rules.board import Move
from firmware.rules.position import Position
from tests.support.noisy_board import (
    FIRST,
    FOUR,
    SECOND,
    THIRD,
    NoisyBoard,
    NoisyMatch,
    duo,
    names,
    only,
    rules,
    text,
)
from tests.support.random_games import played
from vision.errors import BoardFailure


@pytest.mark.parametrize("turned", [0, 90])
def test_the_first_piece_tells_how_the_board_is_turned(turned: int) -> None:
    table = NoisyBoard(turned=turned)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    assert match.referee.turned is None
    table.lay("purple", FIRST)
    event = only(match.after_hand())
    assert isinstance(event, MoveAccepted)
    assert (event.turned, text(event)) == (turned, str(Move.parse(FIRST, 14)))
    table.lay("orange", SECOND)
    event = only(match.after_hand())
    assert isinstance(event, MoveAccepted)
    assert (event.turned, text(event)) == (None, str(Move.parse(SECOND, 14)))


def test_the_first_colour_laid_is_the_first_players() -> None:
    table = NoisyBoard()
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("orange", FIRST)
    event = only(match.after_hand())
    assert isinstance(event, MoveAccepted)
    assert (event.colour, event.edition) == (0, ("orange", "purple"))
    assert match.referee.edition == ("orange", "purple")


def test_who_begins_can_be_given() -> None:
    table = NoisyBoard()
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette, first="purple"))
    match.settle()
    table.lay("orange", FIRST)
    assert rules(only(match.after_hand())) == [Rule.WRONG_TURN]


def test_two_first_pieces_at_once_leave_open_who_began_until_the_third() -> None:
    table = NoisyBoard(turned=90)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("orange", FIRST)
    table.lay("purple", SECOND)
    assert names(match.after_hand(4)) == ["unsure"]
    table.lay("orange", THIRD)
    assert names(match.after_hand()) == ["resolved", "move", "move", "move"]
    assert match.referee.edition == ("orange", "purple")


@pytest.mark.parametrize("turned", [0, 90])
def test_a_first_piece_of_doubtful_colour_began_once_the_second_tells_its_colour(
    turned: int,
) -> None:
    table = NoisyBoard(turned=turned)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("orange", FIRST)
    for square in FIRST.split(","):
        table.blur(square, orange=5.0, purple=4.0)
    assert names(match.after_hand(4)) == ["unsure"]
    table.faint.clear()
    table.lay("purple", SECOND)
    assert names(match.after_hand()) == ["resolved", "move", "move"]
    assert match.referee.edition == ("orange", "purple")


def test_it_began_also_if_its_edition_was_taken_for_another_until_then() -> None:
    table = NoisyBoard()
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("orange", FIRST)
    for square in FIRST.split(","):
        table.blur(square, orange=5.0, purple=4.0)
    match.after_hand(4)
    table.faint.clear()
    table.palette = ("green", "blue")
    table.contents = dict.fromkeys(table.contents, "blue")
    table.lay("green", SECOND)
    match.referee.rename(table.palette)
    assert names(match.after_hand())[-2:] == ["move", "move"]
    assert match.referee.edition == ("blue", "green")


@pytest.mark.parametrize("begins", ["orange", "purple"])
def test_a_person_tells_which_of_two_first_pieces_began(begins: str) -> None:
    table = NoisyBoard(turned=90)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("orange", FIRST)
    table.lay("purple", SECOND)
    (doubt,) = (one for one in match.after_hand(4) if isinstance(one, Unsure))
    assert doubt.turned == 90
    assert doubt.provisional_frame is not None
    provisional_edition = doubt.provisional_frame[1]
    choice = next(one for one in doubt.candidates if provisional_edition[one.colour] == begins)
    events = match.referee.resolve(choice, match.moment)
    assert names(events) == ["resolved", "move"]
    assert names(match.settle()) == ["move"]
    assert match.referee.edition[0] == begins


@pytest.mark.parametrize("turned", [90, 180, 270])
def test_a_board_that_is_turned_with_its_pieces_is_followed(turned: int) -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.turned = turned
    event = only(match.after_hand(8))
    assert isinstance(event, BoardMoved)
    assert (event.turned, event.shift_px) == (turned, 0)
    match.table.lay("orange", "l8,l9,m9")
    assert names(match.after_hand()) == ["move"]
    again = NoisyMatch(match.table, Referee(match.referee.state, match.table.palette))
    assert names(again.settle(8)) == ["board-found"]
    match.table.turned = 0
    assert names(match.after_hand(8)) == ["board-moved"]


def test_a_board_with_two_pieces_is_followed_also_under_a_cup() -> None:
    match = duo(FIRST, SECOND)
    match.table.turned = 180
    match.table.covered = set(match.table.squares("e10,f10,f9"))
    assert names(match.after_hand(8)) == ["board-moved"]


def test_a_board_of_four_colours_that_is_turned_while_the_table_is_away_is_followed() -> None:
    state = GameState(played("classic", 3, 12))
    table = NoisyBoard(20, FOUR)
    match = NoisyMatch(table, Referee(state, FOUR))
    for colour, moves in enumerate(state.position.laid):
        for move in moves:
            table.lay(FOUR[colour], move)
    table.turned = 180
    assert names(match.settle(8)) == ["board-found", "board-moved"]
    assert match.referee.phase is Phase.WAITING


def test_pieces_that_are_not_all_turned_are_disturbed() -> None:
    match = duo(FIRST, SECOND, THIRD)
    match.table.turned = 180
    match.table.lift(THIRD)
    assert "board-moved" not in names(match.after_hand(8))
    assert match.referee.phase is Phase.DISTURBED


@pytest.mark.parametrize("turned", [0, 90])
def test_a_doubt_about_the_first_piece_tells_the_turn_that_it_can_only_have(turned: int) -> None:
    table = NoisyBoard(turned=turned)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    table.lay("purple", "e10,f10")
    table.blur("f9", purple=0.2)
    event = only(match.after_hand(4))
    assert isinstance(event, Unsure)
    assert event.turned == turned
    squares = {frozenset(one.move.squares) for one in event.candidates}
    assert frozenset(table.squares("e10,f10,f9")) in squares
    table.faint.clear()
    events = match.after_hand()
    assert names(events) == ["resolved", "move"]
    assert [one.turned for one in events if isinstance(one, MoveAccepted)] == [None]
    assert match.referee.turned == turned


def test_a_doubt_away_from_every_starting_point_tells_no_turn() -> None:
    match = duo()
    match.table.blur("a1", orange=1.5)
    event = only(match.after_hand(4))
    assert isinstance(event, Unsure)
    assert event.turned is None
    assert event.provisional_frame is not None


def test_a_first_piece_taken_back_leaves_open_again_who_begins() -> None:
    match = duo(FIRST)
    match.table.lift(FIRST)
    assert names(match.after_hand()) == ["undone"]
    match.table.lay("orange", FIRST)
    assert names(match.after_hand()) == ["move"]
    assert match.referee.edition == ("orange", "purple")


def test_a_referee_that_takes_up_a_game_from_its_events_continues_as_if_nothing_had_been() -> None:
    match = duo(FIRST, SECOND, turned=90)
    state = GameState(Position.start("duo"))
    for event in match.events:
        state = apply_event(state, event)
    again = NoisyMatch(match.table, Referee(state, match.table.palette))
    assert names(again.settle()) == ["board-found"]
    match.table.lay("purple", THIRD)
    event = only(again.after_hand())
    assert isinstance(event, MoveAccepted)
    assert (event.ply, event.turned, str(event.move)) == (3, None, str(Move.parse(THIRD, 14)))


def test_a_standing_position_shows_by_its_pieces_how_the_board_is_turned() -> None:
    position = Position.start("duo").play(Move.parse(FIRST, 14)).play(Move.parse(SECOND, 14))
    table = NoisyBoard(turned=90)
    table.lay("orange", FIRST)
    table.lay("purple", SECOND)
    match = NoisyMatch(table, Referee(position, table.palette))
    match.settle()
    table.lay("orange", THIRD)
    event = only(match.after_hand())
    assert isinstance(event, MoveAccepted)
    assert (event.turned, event.edition) == (90, ("orange", "purple"))


@pytest.mark.parametrize("plies", [5, 12, 21])
def test_a_game_that_stands_already_is_taken_up_and_continues(plies: int) -> None:
    position = played("duo", 4, plies)
    order = ("orange", "purple")
    table = NoisyBoard(turned=90)
    for colour, laid in enumerate(position.laid):
        for move in laid:
            table.lay(order[colour], move)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    assert names(match.events) == ["board-found", "standing"]
    assert match.referee.turned == 90
    assert set(match.referee.state.possible_turns) == (set() if plies % 2 else {0, 1})
    move = next(iter(position.legal_moves))
    assert position.to_move is not None
    table.lay(order[position.to_move], move)
    events = match.after_hand()
    # As many of each colour: the next piece shows whose turn it was.
    assert names(events) == ["move"] if plies % 2 else ["standing", "move"]
    event = events[-1]
    assert isinstance(event, MoveAccepted)
    assert (event.move, event.ply) == (move, plies + 1)
    assert match.referee.edition[event.colour] == order[position.to_move]
    assert match.referee.state.possible_turns == ()


def test_a_person_who_is_asked_whose_turn_it_is_answers_with_the_position() -> None:
    position = played("duo", 4, 12)
    table = NoisyBoard()
    for colour, laid in enumerate(position.laid):
        for move in laid:
            table.lay(("purple", "orange")[colour], move)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    match.settle()
    state = match.referee.state
    match.referee.set_position(state.position.with_turn(1), match.moment)
    assert match.referee.state.possible_turns == ()
    orange = match.referee.state.position
    table.lay("orange", next(iter(orange.legal_moves)))
    assert names(match.after_hand()) == ["move"]


@pytest.mark.parametrize("game", ["duo", "classic"])
def test_a_finished_game_that_stands_there_is_known_to_be_over(game: str) -> None:
    position = played(game, 4, 99)
    palette = FOUR if game == "classic" else ("purple", "orange")
    table = NoisyBoard(position.game.size, palette)
    for colour, laid in enumerate(position.laid):
        for move in laid:
            table.lay(palette[colour], move)
    match = NoisyMatch(table, Referee(Position.start(game), palette))
    events = match.settle(3)
    assert names(events)[:2] == ["board-found", "standing"]
    assert names(events)[-1] == "game-over"
    assert match.referee.state.over


def test_an_impossible_heap_is_not_taken_for_a_game() -> None:
    table = NoisyBoard()
    for square in ("a1", "c1", "e1", "g1", "i1", "k1"):
        table.lay("purple", square)
    match = NoisyMatch(table, Referee(Position.start("duo"), table.palette))
    assert names(match.settle(6)) == ["board-found"]
    assert match.referee.phase is Phase.UNSURE


def test_a_palette_that_does_not_fit_the_game_is_an_error() -> None:
    with pytest.raises(ValueError, match="not played with"):
        Referee(Position.start("classic"), ("purple", "orange"))
    with pytest.raises(ValueError, match="none of the colours"):
        Referee(Position.start("duo"), ("purple", "orange"), first="blue")


def test_nothing_is_reported_of_a_board_that_was_never_found() -> None:
    referee = Referee(Position.start("duo"), ("purple", "orange"))
    assert [referee.see(BoardFailure.NO_BOARD, Moment(t + 1, t / 2)) for t in range(6)] == [[]] * 6
    assert referee.phase is Phase.BOARD_LOST
